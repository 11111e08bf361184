//! The algorithms of the literature with one interface, one file each: what they find for a
//! request, on the counted groups, for comparison with the exact answer.
//!
//! A strategy receives a [`Task`] (counted groups, privacy, maximum levels, how many records may be
//! suppressed, a loss measure) and finds a recoding. It never sees a record. Its result is
//! evaluated on the same groups for every kind of recoding, so a strategy cannot violate the
//! privacy, only miss a better answer.

use haggle_cube::{Applied, Base};
use haggle_model::Recoding;
use serde::Serialize;

use crate::Error;

mod cells;
mod cut;
mod datafly;
mod frequency_sets;
mod grouping;
mod incognito;
mod k_optimize;
mod local_suppression;
mod mondrian;
mod mondrian_scanned;
mod ola;
mod poka;
mod poka_ceiling;
mod refine;
mod samarati;
mod simplex_matching;
mod task;
mod top_down_specialization;
mod two_diversity;

pub use grouping::Grouping;
pub use mondrian_scanned::{ScannedBox, ScannedBoxes, mondrian_over};
pub use poka::{Evaluate, Poka, PokaPoint, Valued, best_of_each, poka};
pub use poka_ceiling::{LossBounds, poka_by_ceilings};
pub use refine::{refine, refined};
pub use task::{SuppressedParts, Task, TaskCriterion, Weight};

/// The result of a strategy.
#[derive(Debug, Clone)]
pub struct StrategyOutcome {
    /// How values are published.
    pub recoding: Recoding,
    /// The recoding applied to the counted groups.
    pub applied: Applied,
    /// The counted groups, where records with the same recorded values are published differently;
    /// else they are those of the task.
    pub split: Option<Base>,
    /// How many candidates were evaluated.
    pub evaluated: u64,
    /// Whether nothing better exists by the strategy's own criterion.
    pub proven: bool,
}

/// How a search ended.
#[derive(Debug, Clone)]
pub enum Ending {
    /// With a recoding within the request.
    Found(Box<StrategyOutcome>),
    /// It found none.
    Nothing {
        /// How many candidates were evaluated.
        evaluated: u64,
    },
    /// Time ran out before it found one.
    GaveUp {
        /// How many candidates were evaluated.
        evaluated: u64,
    },
}

/// The description of a strategy in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = StrategyEntry))]
pub struct StrategyEntry {
    /// The name used in requests, files and addresses.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// The kind of recoding that it finds: `levels`, `cuts`, `boxes`, `parts` or `cells`.
    pub recoding: &'static str,
    /// What it does.
    pub definition: &'static str,
    /// What it optimizes, and so what is proven if the outcome says so.
    pub finds: &'static str,
    /// The publication that proposed it.
    pub citation: &'static str,
    /// What it requires of the request.
    pub needs: &'static str,
    /// What it does with the loss measure of the request.
    pub loss: LossUse,
}

/// What a strategy does with the loss measure of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum LossUse {
    /// It looks for little of this loss.
    Measure,
    /// It uses only the weights that the measure gives to attributes.
    Weights,
    /// It has a criterion of its own.
    Nothing,
}

/// A catalog entry.
#[derive(Debug, Clone, Copy)]
pub struct Strategy {
    /// Its description.
    pub about: StrategyEntry,
    /// Runs the search.
    pub run: fn(&Task<'_>) -> Result<Ending, Error>,
}

/// Every strategy that works on counted groups, in the order in which they are listed.
pub const CATALOG: &[&Strategy] = &[
    &samarati::STRATEGY,
    &incognito::BOTTOM_UP,
    &incognito::TOP_DOWN,
    &ola::STRATEGY,
    &datafly::STRATEGY,
    &k_optimize::STRATEGY,
    &top_down_specialization::STRATEGY,
    &mondrian::BEST,
    &mondrian::MEDIAN,
    &mondrian::RELAXED,
    &local_suppression::STRATEGY,
    &simplex_matching::STRATEGY,
    &two_diversity::STRATEGY,
];

/// The strategy with this id.
///
/// ```
/// let mondrian = haggle_search::strategies::find("mondrian").unwrap();
/// assert_eq!(mondrian.about.recoding, "boxes");
/// ```
pub fn find(id: &str) -> Option<&'static Strategy> {
    CATALOG.iter().copied().find(|strategy| strategy.about.id == id)
}
