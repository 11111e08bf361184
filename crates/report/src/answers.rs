//! The answers of the private form: each number from the module that computes it.

use std::collections::BTreeMap;

use haggle_api::{
    Choice, Front, MeasureSpec, Pinned, RiskAsk, RiskReport, SuppressedRecords, UtilityAsk,
    UtilityReport, WorkloadReport,
};
use haggle_assess::queries::{QueriedPublication, workload};
use haggle_assess::utility::utility as mined;
use haggle_assess::{FileQueries, FileRecoding, RiskInputs, Verdict};
use haggle_engine::{Engine, FrontAxes};
use haggle_inference::Query;
use haggle_inference::workload::RandomQueries;
use haggle_model::{Error, Progress, Scheme};
use haggle_publish::risk;

use crate::proof::PublishedFile;
use crate::subject::{ReportAsk, Subject};

/// The random queries of a report that names none.
const QUERIES: RandomQueries =
    RandomQueries { queries: 500, dimensions: 2, selectivity: 0.05, seed: 1 };

/// The answers that need the table.
pub(crate) struct Answers {
    /// By measure, what is lost of the table, or why that is not known.
    pub(crate) loss: Result<BTreeMap<String, f64>, &'static str>,
    /// The suppressed records, if they are known.
    pub(crate) suppressed: Option<u64>,
    pub(crate) workload: WorkloadReport,
    pub(crate) risk: RiskReport,
    pub(crate) verification: Option<Verdict>,
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

/// Asks for everything that the private form adds.
pub(crate) fn answers(
    engine: &Engine,
    ask: &ReportAsk,
    subject: &Subject,
    progress: &dyn Progress,
) -> Result<Answers, Error> {
    let asked = PrivateAsk { engine, ask, subject, queries: queries(engine, ask)?, progress };
    let Some(file) = &subject.file else { return asked.of_scheme(subject.scheme()?, None) };
    let verdict = file.inspection.verify(&subject.request.privacy)?;
    let found = file.inspection.recoding_of(engine, subject.scheme.as_ref())?;
    match (found, &subject.scheme) {
        (Ok(found), Some(scheme)) if asked.is_planned(&found, &verdict)? => {
            asked.of_scheme(scheme, Some(verdict))
        }
        (found, _) => asked.of_file(file, found, verdict),
    }
}

/// What is asked for a private report.
struct PrivateAsk<'r> {
    engine: &'r Engine,
    ask: &'r ReportAsk,
    subject: &'r Subject,
    queries: Vec<Query>,
    progress: &'r dyn Progress,
}

impl PrivateAsk<'_> {
    /// Returns whether a file has just the groups that the request leaves of a scheme.
    fn is_planned(&self, found: &FileRecoding<'_>, verdict: &Verdict) -> Result<bool, Error> {
        let FileRecoding { recoded, suppressed } = found;
        if recoded.levels().is_none() || verdict.starred > 0 {
            return Ok(false);
        }
        let criteria = self.engine.criteria(&self.subject.request)?;
        Ok(recoded.failing(&criteria).groups == suppressed.groups)
    }

    /// A scheme at the thresholds of the request.
    fn of_scheme(&self, scheme: &Scheme, verification: Option<Verdict>) -> Result<Answers, Error> {
        let Self { engine, ask, progress, .. } = *self;
        let Subject { request, measure, file, .. } = self.subject;
        let (suppressed, thresholds) = (SuppressedRecords::Drop, request.clone());
        let recoding = Choice::Scheme(scheme.clone());
        let publication = QueriedPublication { recoding, ask: thresholds, suppressed };
        // Where the file has the scheme that the request leads to, models may choose theirs again.
        let is_answer = || engine.named_or_best(request, None).is_ok_and(|best| best == *scheme);
        let has_levels = file.as_ref().is_some_and(|file| file.levels.is_some());
        let is_named = ask.utility.scheme.is_some() || has_levels && !is_answer();
        let utility =
            UtilityAsk { scheme: is_named.then(|| scheme.clone()), ..ask.utility.clone() };
        let has_target = utility.target.is_some() || engine.cube().sensitive().next().is_some();
        let utility = has_target.then_some(utility);
        let risk_ask = RiskAsk { scheme: Some(scheme.clone()), ..RiskAsk::default() };
        let pinned = engine.pinned(request, scheme)?;
        Ok(Answers {
            loss: Ok(pinned.loss.clone()),
            suppressed: Some(pinned.suppressed),
            workload: workload(engine, &publication, &self.queries, progress)?,
            risk: risk(engine, request, &risk_ask, &inputs(engine, progress))?,
            verification,
            plan: Some(PlanAnswers {
                scheme: scheme.clone(),
                utility: utility.map(|ask| mined(engine, request, &ask, progress)).transpose()?,
                front: engine.front(request, measure, FrontAxes::Loss),
                pinned,
            }),
        })
    }

    /// A file as it is, whatever its recoding. What it loses is known if it says which records of the
    /// table its groups have.
    fn of_file(
        &self,
        file: &PublishedFile,
        found: Result<FileRecoding<'_>, &'static str>,
        verdict: Verdict,
    ) -> Result<Answers, Error> {
        let Self { engine, progress, .. } = *self;
        let queried = FileQueries::open(&file.path, Some(engine), None, engine.memory())?;
        let loss = match &found {
            Ok(found) => Ok(self.losses(found)?),
            Err(why) => Err(*why),
        };
        let request = &self.subject.request;
        Ok(Answers {
            loss,
            suppressed: found.ok().map(|found| found.suppressed.records),
            workload: queried.workload(&self.queries, progress)?,
            risk: file.inspection.risk(request, &RiskAsk::default(), &inputs(engine, progress))?,
            verification: Some(verdict),
            plan: None,
        })
    }

    /// What a file loses by the default measure and the one asked for.
    fn losses(&self, file: &FileRecoding<'_>) -> Result<BTreeMap<String, f64>, Error> {
        let named = self.subject.request.optimize.clone();
        let loss = |spec: MeasureSpec| -> Result<(String, f64), Error> {
            let resolved = self.engine.resolve_measure(&spec)?;
            let (loss, _) = file.recoded.loss(&resolved, &file.suppressed);
            Ok((spec.to_string(), loss))
        };
        [Some(MeasureSpec::plain()), named].into_iter().flatten().map(loss).collect()
    }
}

fn inputs<'p>(engine: &Engine, progress: &'p dyn Progress) -> RiskInputs<'p> {
    RiskInputs { memory: engine.memory(), progress, ..RiskInputs::default() }
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
