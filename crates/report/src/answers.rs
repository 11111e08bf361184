//! The answers that a report is made of: each number from the module that computes it.

use std::path::PathBuf;

use haggle_analysis::queries::{QueriedPublication, QueriedRecoding, workload};
use haggle_analysis::utility::utility as mined;
use haggle_api::{
    Ask, Front, Judge, Pinned, RiskAsk, RiskReport, SuppressedRecords, UtilityAsk, UtilityReport,
    WorkloadReport,
};
use haggle_engine::{Engine, FrontAxes};
use haggle_inference::Query;
use haggle_inference::workload::RandomQueries;
use haggle_model::{Error, Progress, Scheme};
use haggle_publish::{RiskInputs, risk};

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
    /// The published file, whose promise is proved again.
    pub published: Option<PathBuf>,
    /// Who may read the report.
    pub form: ReportForm,
}

/// The answers that a report is made of.
pub(crate) struct Answers {
    pub(crate) request: Ask,
    pub(crate) scheme: Scheme,
    pub(crate) measure: Judge,
    pub(crate) pinned: Pinned,
    pub(crate) workload: WorkloadReport,
    /// None if there is nothing to predict.
    pub(crate) utility: Option<UtilityReport>,
    pub(crate) risk: RiskReport,
    pub(crate) front: Result<Front, Error>,
    pub(crate) checked: Option<Checked>,
}

/// Asks for everything that a report says.
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
    let named = ask.utility.scheme.clone();
    let of_file = || checked.as_ref().and_then(|checked| checked.scheme.clone());
    let named = named.or_else(of_file);
    let measure = request.optimize.clone().unwrap_or_else(Judge::plain);
    engine.prepare(&request, std::slice::from_ref(&measure), progress)?;
    let scheme = engine.named_or_best(&request, named.as_ref())?;
    check_same(checked.as_ref(), &scheme)?;
    let (suppressed, thresholds) = (SuppressedRecords::Drop, request.clone());
    let recoding = QueriedRecoding::Scheme(scheme.clone());
    let publication = QueriedPublication { recoding, ask: thresholds, suppressed };
    let queries = match &ask.queries {
        Some(queries) => queries.clone(),
        None => random(engine)?,
    };
    // Where the file has the scheme that the request leads to, models may choose theirs again.
    let is_answer = || engine.named_or_best(&request, None).is_ok_and(|answer| answer == scheme);
    let is_named = ask.utility.scheme.is_some() || named.is_some() && !is_answer();
    let utility = UtilityAsk { scheme: is_named.then(|| scheme.clone()), ..ask.utility.clone() };
    let has_target = utility.target.is_some() || engine.cube().sensitive().next().is_some();
    let utility = has_target.then_some(utility);
    let risk_ask = RiskAsk { scheme: Some(scheme.clone()), ..RiskAsk::default() };
    let inputs = RiskInputs { memory: engine.memory(), ..RiskInputs::default() };
    Ok(Answers {
        pinned: engine.pinned(&request, &scheme)?,
        workload: workload(engine, &publication, &queries, progress)?,
        utility: utility.map(|ask| mined(engine, &request, &ask, progress)).transpose()?,
        risk: risk(engine, &request, &risk_ask, &inputs)?,
        front: engine.front(&request, &measure, FrontAxes::Loss),
        checked,
        measure,
        scheme,
        request,
    })
}

/// Fails if the file was published with another scheme.
fn check_same(checked: Option<&Checked>, scheme: &Scheme) -> Result<(), Error> {
    match checked.and_then(|checked| checked.scheme.as_ref()) {
        Some(other) if other != scheme => Err(Error::new(
            format!("the file was published under {other}, and the report would be about {scheme}"),
            "name the scheme of the file, or another file",
        )),
        _ => Ok(()),
    }
}

fn random(engine: &Engine) -> Result<Vec<Query>, Error> {
    let dimensions = QUERIES.dimensions.min(engine.attributes().len());
    let drawn = RandomQueries { dimensions, ..QUERIES }.draw(engine.cube().attributes())?;
    Ok(drawn.into_iter().map(|condition| Query { condition, target: None }).collect())
}
