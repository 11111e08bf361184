//! Pareto fronts of privacy against loss.

use haggle_model::Scheme;
use haggle_search::pareto::Pair;
use serde::Serialize;

use crate::{Account, Ask};

/// A front of privacy against loss.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Front {
    /// The model.
    pub model: String,
    /// The number that varies.
    pub parameter: &'static str,
    /// The measure.
    pub loss: String,
    /// How many records may be suppressed.
    pub limit: u64,
    /// What was asked, in full but for the number that varies.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
    /// The points, the strongest threshold first.
    pub points: Vec<FrontPoint>,
}

/// A scheme at a threshold that no other beats.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FrontPoint {
    /// The threshold.
    pub threshold: f64,
    /// The loss of the scheme, by the measure asked for.
    pub loss: f64,
    /// The standard error of that, if it is an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_error: Option<f64>,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// Its height.
    pub height: u32,
    /// What one unit of the threshold costs on the way from the next weaker point; none for the
    /// weakest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// Whether the front bends here most.
    pub knee: bool,
}

/// A front by the published search, and how well it did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PokaFront {
    /// The model.
    pub model: String,
    /// The number that varies.
    pub parameter: &'static str,
    /// The measure.
    pub loss: String,
    /// How many records may be suppressed.
    pub limit: u64,
    /// The rule for ground nodes: `depth` as published, or `ceiling`.
    pub rule: &'static str,
    /// The scheme that it started from, if one was given; else the most general one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub start: Option<Scheme>,
    /// How deep it looked below each point; none where ceilings decide.
    pub depth: Option<u32>,
    /// How many schemes there are.
    pub schemes: usize,
    /// How many it evaluated.
    pub evaluated: usize,
    /// Whether schemes were annotated as they were evaluated (`on-demand`) or all of them before
    /// (`full`).
    pub way: &'static str,
    /// What was asked, in full but for the number that varies.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
    /// The points, the strongest threshold first.
    pub points: Vec<FrontPoint>,
    /// Compared with every scheme, if that was asked for: from a given start on, with the optima
    /// that are weaker than it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<Compared>,
}

/// What the published search found of the exact front of its kind, one point a scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Compared {
    /// The points of the exact front.
    pub optima: usize,
    /// How many of them were found.
    pub found: usize,
    /// Those that were missed.
    pub missed: Vec<FrontPoint>,
    /// What was found and is not optimal.
    pub wrong: Vec<FrontPoint>,
}

/// How strong one model can be for each strength of another, at a bound of loss.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairsFront {
    /// The two models.
    pub models: Vec<String>,
    /// The number of each that varies.
    pub parameters: Vec<&'static str>,
    /// The measure.
    pub loss: String,
    /// What may be lost.
    pub max_loss: f64,
    /// How many records may be suppressed.
    pub limit: u64,
    /// What was asked, in full but for the numbers that vary.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
    /// The points, the strongest threshold of the first model first.
    pub points: Vec<PairPoint>,
}

/// A scheme at two thresholds that no other beats at both.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairPoint {
    /// The thresholds, in the order of the models.
    pub thresholds: Vec<f64>,
    /// The loss of the scheme, by the measure asked for.
    pub loss: f64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// Its height.
    pub height: u32,
}

impl From<Pair> for PairPoint {
    fn from(Pair { thresholds, loss, suppressed, scheme }: Pair) -> Self {
        let (thresholds, height) = (thresholds.to_vec(), scheme.height());
        Self { thresholds, loss, suppressed, scheme, height }
    }
}
