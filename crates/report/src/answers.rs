//! The answers that a report is made of: each number from the module that computes it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use haggle_analysis::queries::{QueriedPublication, QueriedRecoding, workload};
use haggle_analysis::utility::utility as mined;
use haggle_api::{
    Ask, Front, Judge, Pinned, RiskAsk, RiskReport, SuppressedRecords, Threshold, UtilityAsk,
    UtilityReport, WorkloadReport,
};
use haggle_engine::{Engine, FrontAxes};
use haggle_inference::Query;
use haggle_inference::workload::RandomQueries;
use haggle_model::{Error, Progress, Scheme};
use haggle_publish::{FileQueries, FileRecoding, RiskInputs, risk};

use crate::proof::{Checked, checked};
use crate::types::ReportForm;

/// The random queries of a report that names none.
const QUERIES: RandomQueries =
    RandomQueries { queries: 500, dimensions: 2, selectivity: 0.05, seed: 1 };

/// What a report is about.
#[derive(Debug, Clone, Default)]
pub struct ReportAsk {
    /// The thresholds, levels, limit and measure.
    pub request: Ask,
    /// What is predicted and how; its scheme is the report's, or else the answer to the request.
    pub utility: UtilityAsk,
    /// Queries; without any, random ranges.
    pub queries: Option<Vec<Query>>,
    /// The published file, which the report is about, whatever its recoding.
    pub published: Option<PathBuf>,
    /// Who may read the report.
    pub form: ReportForm,
}

/// The answers that a report is made of.
pub(crate) struct Answers {
    pub(crate) request: Ask,
    pub(crate) measure: Judge,
    /// The scheme, if the publication has one.
    pub(crate) scheme: Option<Scheme>,
    /// The published groups.
    pub(crate) groups: u64,
    /// By model, what the publication attains.
    pub(crate) attained: Vec<(String, Threshold)>,
    /// By measure, what is lost, or why that is not known.
    pub(crate) loss: Result<BTreeMap<String, f64>, &'static str>,
    /// The suppressed records, if they are known.
    pub(crate) suppressed: Option<u64>,
    pub(crate) workload: WorkloadReport,
    pub(crate) risk: RiskReport,
    pub(crate) checked: Option<Checked>,
    /// What can be said of a scheme at a request only.
    pub(crate) plan: Option<PlanAnswers>,
}

/// What is said of a scheme at the thresholds of a request, and of no other recoding.
pub(crate) struct PlanAnswers {
    pub(crate) scheme: Scheme,
    pub(crate) pinned: Pinned,
    /// None if there is nothing to predict.
    pub(crate) utility: Option<UtilityReport>,
    pub(crate) front: Result<Front, Error>,
}

/// Asks for everything that a report says: about the published file, if one is named, else about a
/// scheme.
pub(crate) fn answers(
    engine: &Engine,
    ask: &ReportAsk,
    progress: &dyn Progress,
) -> Result<Answers, Error> {
    let request = ask.request.or(engine.defaults());
    if request.privacy.is_empty() {
        let what = "a report is about a promise, and no threshold is named";
        return Err(Error::new(what, "name a threshold, or state one in the project"));
    }
    let checked = ask.published.as_ref().map(|file| checked(engine, file, &request)).transpose()?;
    let of_file = checked.as_ref().and_then(|checked| checked.scheme.clone());
    let named = ask.utility.scheme.clone().or_else(|| of_file.clone());
    let measure = request.optimize.clone().unwrap_or_else(Judge::plain);
    engine.prepare(&request, std::slice::from_ref(&measure), progress)?;
    let scheme = engine.named_or_best(&request, named.as_ref());
    let queries = queries(engine, ask)?;
    let asked = SettledReport { engine, ask, request, measure, queries, progress };
    let Some(checked) = checked else { return asked.of_scheme(scheme?, named.is_some(), None) };
    check_same(of_file.as_ref(), ask.utility.scheme.as_ref())?;
    let found = checked.inspection.recoding_of(engine, scheme.as_ref().ok())?;
    match (found, scheme) {
        (Ok(found), Ok(scheme)) if checked.is_planned(engine, &asked.request, &found)? => {
            asked.of_scheme(scheme, named.is_some(), Some(checked))
        }
        (found, _) => asked.of_file(found, checked),
    }
}

/// A report that is asked for, with what is settled.
struct SettledReport<'r> {
    engine: &'r Engine,
    ask: &'r ReportAsk,
    request: Ask,
    measure: Judge,
    queries: Vec<Query>,
    progress: &'r dyn Progress,
}

impl SettledReport<'_> {
    /// A scheme at the thresholds of the request.
    fn of_scheme(
        self,
        scheme: Scheme,
        is_named: bool,
        checked: Option<Checked>,
    ) -> Result<Answers, Error> {
        let Self { engine, ask, request, measure, queries, progress } = self;
        let (suppressed, thresholds) = (SuppressedRecords::Drop, request.clone());
        let recoding = QueriedRecoding::Scheme(scheme.clone());
        let publication = QueriedPublication { recoding, ask: thresholds, suppressed };
        // Where the file has the scheme that the request leads to, models may choose theirs again.
        let is_answer = || engine.named_or_best(&request, None).is_ok_and(|best| best == scheme);
        let is_named = ask.utility.scheme.is_some() || is_named && !is_answer();
        let utility =
            UtilityAsk { scheme: is_named.then(|| scheme.clone()), ..ask.utility.clone() };
        let has_target = utility.target.is_some() || engine.cube().sensitive().next().is_some();
        let utility = has_target.then_some(utility);
        let risk_ask = RiskAsk { scheme: Some(scheme.clone()), ..RiskAsk::default() };
        let pinned = engine.pinned(&request, &scheme)?;
        let risk = risk(engine, &request, &risk_ask, &inputs(engine))?;
        Ok(Answers {
            scheme: Some(scheme.clone()),
            groups: risk.groups,
            attained: pinned.attained.clone(),
            loss: Ok(pinned.loss.clone()),
            suppressed: Some(pinned.suppressed),
            workload: workload(engine, &publication, &queries, progress)?,
            risk,
            checked,
            plan: Some(PlanAnswers {
                utility: utility.map(|ask| mined(engine, &request, &ask, progress)).transpose()?,
                front: engine.front(&request, &measure, FrontAxes::Loss),
                pinned,
                scheme,
            }),
            measure,
            request,
        })
    }

    /// A file as it is, whatever its recoding. What it loses is known if it says which records of the
    /// table its groups have.
    fn of_file(
        self,
        found: Result<FileRecoding<'_>, &'static str>,
        checked: Checked,
    ) -> Result<Answers, Error> {
        let Self { engine, ask, request, measure, queries, progress } = self;
        let scheme = found.as_ref().ok().and_then(|found| found.recoded.levels().cloned());
        if let Some(named) = ask.utility.scheme.as_ref().filter(|s| Some(*s) != scheme.as_ref()) {
            let what = format!("the file does not have the groups of {named}");
            return Err(Error::new(what, "leave out the scheme, or name another file"));
        }
        let file = FileQueries::open(&checked.path, Some(engine), None, engine.memory())?;
        let loss = match &found {
            Ok(found) => Ok(losses(engine, &request, found)?),
            Err(why) => Err(*why),
        };
        Ok(Answers {
            scheme,
            groups: checked.verdict.groups,
            attained: checked.verdict.attained.clone(),
            loss,
            suppressed: found.ok().map(|found| found.suppressed.records),
            workload: file.workload(&queries, progress)?,
            risk: checked.inspection.risk(&request, &RiskAsk::default(), &inputs(engine))?,
            checked: Some(checked),
            plan: None,
            measure,
            request,
        })
    }
}

/// What a file loses by the default measure and the one asked for.
fn losses(
    engine: &Engine,
    request: &Ask,
    file: &FileRecoding<'_>,
) -> Result<BTreeMap<String, f64>, Error> {
    let measures = [Some(Judge::plain()), request.optimize.clone()].into_iter().flatten();
    let loss = |judge: Judge| -> Result<(String, f64), Error> {
        let (loss, _) = file.recoded.loss(&engine.judging(&judge)?, &file.suppressed);
        Ok((judge.to_string(), loss))
    };
    measures.map(loss).collect()
}

fn inputs(engine: &Engine) -> RiskInputs {
    RiskInputs { memory: engine.memory(), ..RiskInputs::default() }
}

/// Fails if the file was published with another scheme than the one that is named.
fn check_same(of_file: Option<&Scheme>, named: Option<&Scheme>) -> Result<(), Error> {
    match of_file.zip(named) {
        Some((other, named)) if other != named => Err(Error::new(
            format!("the file was published under {other}, and the report would be about {named}"),
            "name the scheme of the file, or another file",
        )),
        _ => Ok(()),
    }
}

/// The queries that are named, else random ones.
fn queries(engine: &Engine, ask: &ReportAsk) -> Result<Vec<Query>, Error> {
    if let Some(queries) = &ask.queries {
        return Ok(queries.clone());
    }
    let dimensions = QUERIES.dimensions.min(engine.attributes().len());
    let drawn = RandomQueries { dimensions, ..QUERIES }.draw(engine.cube().attributes())?;
    Ok(drawn.into_iter().map(|condition| Query { condition, target: None }).collect())
}
