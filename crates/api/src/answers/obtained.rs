//! How an answer was obtained from a lattice that is not annotated in full.

use haggle_search::SearchState;
use haggle_search::optimize::Optimum;
use serde::Serialize;

/// How an answer was obtained from a lattice that is not annotated in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Obtained {
    /// The way: on-demand, or partial.
    pub way: &'static str,
    /// Whether nothing better can exist; if not, the search was stopped, or not every scheme is known.
    pub proven: bool,
    /// Whether it is proved that no scheme meets the request.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub impossible: bool,
    /// The lowest height that a scheme within the request can have, as far as was proved; absent
    /// where a loss shall be least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none_below: Option<u32>,
    /// The least that a scheme within the request can lose, as far as was proved, where a loss shall be
    /// least and the measure allows for such a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_loss_below: Option<f64>,
    /// How many schemes were annotated for this answer, or had been for others.
    pub annotated: u64,
    /// Of a partial lattice: which schemes it has, and what that means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialKnown>,
}

impl Obtained {
    /// Describes a search on demand.
    pub fn on_demand(stopped: bool, annotated: u64) -> Self {
        Self {
            way: "on-demand",
            proven: !stopped,
            impossible: false,
            none_below: None,
            no_loss_below: None,
            annotated,
            partial: None,
        }
    }

    /// Describes a search on demand for the least loss.
    pub fn by_loss(found: &Optimum) -> Self {
        let SearchState { none_below, stopped, .. } = found.state;
        let no_loss_below = Some(none_below).filter(|bound| bound.is_finite());
        Self { no_loss_below, ..Self::on_demand(stopped, found.visited) }
    }
}

/// What an answer from some schemes means.
const MEANING: &str = "only these schemes were looked at: what is offered is valid, but a better \
                       scheme may be among the others";

/// Which schemes a partial lattice has.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PartialKnown {
    /// The estimator that chose them.
    pub estimator: String,
    /// How many per cent of each height it chose, at least two.
    pub percent: f64,
    /// How many schemes are annotated.
    pub schemes: usize,
    /// How many there are.
    pub of: usize,
    /// What that means for answers.
    pub meaning: &'static str,
}

impl PartialKnown {
    /// Describes a lattice with this many of all schemes.
    pub fn new(estimator: String, percent: f64, schemes: usize, of: usize) -> Self {
        Self { estimator, percent, schemes, of, meaning: MEANING }
    }
}
