//! What strategies found on one request, side by side.

use std::collections::BTreeMap;

use haggle_model::Scheme;
use serde::Serialize;

use crate::{Account, Ask};

/// All strategies on one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Comparison {
    /// The records counted.
    pub records: u64,
    /// How many may be suppressed.
    pub limit: u64,
    /// What was asked, in full.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
    /// The measures, in the order asked for.
    pub measures: Vec<String>,
    /// What each strategy found.
    pub strategies: Vec<ComparedStrategy>,
}

impl Comparison {
    /// Returns the strategies that failed.
    pub fn failed(&self) -> impl Iterator<Item = &ComparedStrategy> {
        self.strategies.iter().filter(|one| one.error.is_some())
    }
}

/// What one strategy found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ComparedStrategy {
    /// The strategy's id, with the summary if one was asked for.
    pub strategy: String,
    /// Its name in sentences.
    pub title: String,
    /// The kind of recoding: `levels`, `cuts`, `boxes`, `parts` or `cells`.
    pub recoding: &'static str,
    /// The recoding in short: a scheme, or how many values, boxes or parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The scheme, if the recoding is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// Its name, by which just this can be published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Why there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What went wrong, if the strategy failed; the others are compared nevertheless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What is lost, by measure.
    pub loss: BTreeMap<String, f64>,
    /// The records suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// The groups published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<u64>,
    /// How many candidates were evaluated.
    pub evaluated: u64,
    /// How many scans of the data that took, as the data counted them; none if it was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scans: Option<u64>,
    /// What should be known of how it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether nothing better exists by what the strategy looks for.
    pub proven: bool,
    /// Whether the time limit ended the search before it was done: there may be something better.
    pub stopped: bool,
    /// Whether the promise was found kept, judged again from the published values.
    pub verified: bool,
    /// What it took, in microseconds.
    pub micros: u64,
}
