//! What instant anonymization says: what was predicted, marked as such, and what was counted.

use std::collections::BTreeMap;

use haggle_instant::{
    Candidate, CandidatePlan, Goal, Optimizations, Prediction, Predictor, Pruning, Trial,
};
use haggle_model::{Level, Scheme};
use serde::Serialize;

use crate::{Account, Ask, MeasureSpec};

/// Which summary predicted, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SummaryReport {
    /// Its name in the catalog.
    pub id: &'static str,
    /// The passes over the data that it took.
    pub scans: u64,
    /// The records that the table is believed to have.
    pub records: u64,
}

/// What is predicted of a scheme; nothing of it was counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Predicted {
    /// The probability that every group is protected.
    pub probability: f64,
    /// First-order bounds of it: it is at least this,
    pub at_least: f64,
    /// and at most this.
    pub at_most: f64,
    /// The records expected in groups that are not protected.
    pub suppressed: f64,
    /// The loss expected, by the measure asked for (the general loss if none is).
    pub loss: BTreeMap<String, f64>,
}

impl Predicted {
    /// Reports what was found, with the expected loss by a measure.
    pub fn new(prediction: &Prediction, measure: &MeasureSpec, loss: f64) -> Self {
        Self {
            probability: prediction.probability,
            at_least: prediction.at_least,
            at_most: prediction.at_most,
            suppressed: prediction.suppressed,
            loss: BTreeMap::from([(measure.to_string(), loss)]),
        }
    }
}

/// A scheme with what is predicted of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PredictedScheme {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// Its height.
    pub height: u32,
    /// What is predicted of it.
    pub predicted: Predicted,
}

impl PredictedScheme {
    /// Reports a candidate, with its expected loss by a measure.
    pub fn new(candidate: &Candidate, measure: &MeasureSpec) -> Self {
        Self {
            scheme: candidate.scheme.clone(),
            height: candidate.scheme.height(),
            predicted: Predicted::new(&candidate.predicted, measure, candidate.loss),
        }
    }
}

/// What was planned before the first scan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InstantPlan {
    /// All schemes.
    pub schemes: usize,
    /// The schemes that were predicted; the others lie below one that promises too little.
    pub predicted: usize,
    /// The schemes that promise enough.
    pub candidates: usize,
    /// The schemes left out for having too many cells to look at.
    pub too_many_cells: usize,
    /// Whether leaving schemes out was sound or a heuristic.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub pruning: Pruning,
    /// The candidates, least expected loss first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<PredictedScheme>,
}

impl InstantPlan {
    /// Reports a plan without its candidates.
    pub fn brief(plan: &CandidatePlan) -> Self {
        Self {
            schemes: plan.schemes,
            predicted: plan.predicted,
            candidates: plan.candidates.len(),
            too_many_cells: plan.too_many_cells,
            pruning: plan.pruning,
            best: Vec::new(),
        }
    }

    /// Reports what was found, with expected losses by a measure.
    pub fn new(plan: &CandidatePlan, measure: &MeasureSpec) -> Self {
        let best = plan.candidates.iter().map(|c| PredictedScheme::new(c, measure)).collect();
        Self { best, ..Self::brief(plan) }
    }
}

/// The figures of a scheme that was counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CountedScheme {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// What the weakest group that is kept attains, by model; none if no group passes.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, f64>))]
    pub privacy: BTreeMap<&'static str, f64>,
    /// The records suppressed.
    pub suppressed: u64,
    /// The records counted.
    pub records: u64,
    /// The loss, by the measure asked for (the general loss if none is).
    pub loss: BTreeMap<String, f64>,
}

impl CountedScheme {
    /// Reports what was found, with the loss by a measure.
    pub fn new(trial: &Trial, goal: Goal, measure: &MeasureSpec) -> Self {
        let model = match goal {
            Goal::K(_) => "k-anonymity",
            Goal::L(_) => "frequency-l-diversity",
        };
        Self {
            scheme: trial.scheme.clone(),
            privacy: trial.attained.map(|attained| (model, attained)).into_iter().collect(),
            suppressed: trial.suppressed,
            records: trial.records,
            loss: BTreeMap::from([(measure.to_string(), trial.loss)]),
        }
    }
}

/// The exact optimum, from every record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExactOptimum {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The records it suppresses.
    pub suppressed: u64,
    /// Its loss.
    pub loss: BTreeMap<String, f64>,
}

/// What would have to be relaxed, where no candidate within the maximum levels keeps its promise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InstantRelaxations {
    /// A scheme beyond the maximum levels that was counted and keeps its promise.
    pub height: Option<CountedScheme>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_reason: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InstantAnswer {
    /// The scheme that was counted and keeps its promise; none if no candidate does.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// Its levels, by name.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, u8>))]
    pub levels: BTreeMap<String, Level>,
    /// The scans that counting candidates took, as the source counted them.
    pub scans: u64,
    /// The summary.
    pub summary: SummaryReport,
    /// What was asked, in full.
    pub asked: Ask,
    /// What became of the records; none if the table was never counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
    /// How many records may be suppressed.
    pub limit: u64,
    /// What was planned.
    pub plan: InstantPlan,
    /// What was predicted of the scheme.
    pub predicted: Option<Predicted>,
    /// What it was counted to be.
    pub attained: Option<CountedScheme>,
    /// The next best of the counted schemes that keep their promise, if more than one was asked
    /// for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runners_up: Vec<CountedScheme>,
    /// Levels beyond the maximum, if no candidate keeps its promise and it was asked how to relax
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxations: Option<InstantRelaxations>,
    /// Every candidate that was counted, in order.
    pub trials: Vec<CountedScheme>,
    /// Whether the time was over before every scheme was predicted and enough were counted: others
    /// may be better.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The exact optimum, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<ExactOptimum>,
    /// What planning took, in microseconds.
    pub plan_micros: u64,
    /// What all of it took, the summary aside.
    pub micros: u64,
}

/// What a summary says of a request; nothing of it was counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InstantPrediction {
    /// The summary.
    pub summary: SummaryReport,
    /// How many records may be suppressed.
    pub limit: u64,
    /// The records that every scheme is expected to suppress, by its index: levels in order, the
    /// last attribute's changing fastest. None for a scheme below one that promises too little.
    pub suppressed: Vec<Option<f64>>,
    /// What was planned.
    pub plan: InstantPlan,
    /// The candidate of least expected loss; none if no scheme promises enough.
    pub best: Option<PredictedScheme>,
    /// The next best, if more than one was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runners_up: Vec<PredictedScheme>,
    /// The candidate beyond the maximum levels that would be counted first, if there is none within
    /// them and it was asked how to relax them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relaxed_height: Option<PredictedScheme>,
    /// What predicting took, in microseconds.
    pub micros: u64,
}

/// What a scheme must promise to be counted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum By {
    /// The probability where nothing may be suppressed, else the expectation.
    #[default]
    Limit,
    /// At least this probability that all groups are protected.
    Probability(f64),
    /// No more records expected in failing groups than may be suppressed, or than this number.
    Expectation(Option<f64>),
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct InstantAsk {
    /// The request: one threshold of k-anonymity or frequency l-diversity, maximum levels, maximum
    /// suppression, the loss that is expected to be least, how many schemes are wanted, and how the
    /// maximum levels may be relaxed.
    pub ask: Ask,
    /// What a scheme must promise.
    pub by: By,
    /// How probabilities are arrived at.
    pub predictor: Predictor,
    /// Which shortcuts are taken.
    pub optimizations: Optimizations,
    /// So many scans at most.
    pub max_scans: usize,
}

impl Default for InstantAsk {
    fn default() -> Self {
        Self {
            ask: Ask::default(),
            by: By::default(),
            predictor: Predictor::default(),
            optimizations: Optimizations::default(),
            max_scans: usize::MAX,
        }
    }
}
