//! What a search minimizes.

use haggle_model::Scheme;

use crate::Error;

/// The loss that a search minimizes, with the bounds that let it skip schemes.
///
/// Only [`loss`](Self::loss) is required. Bounds must never be too large; a larger bound means that
/// fewer schemes are visited.
pub trait Objective: Sync {
    /// Returns the loss of a scheme under the requested privacy.
    fn loss(&self, scheme: &Scheme) -> Result<f64, Error>;

    /// Returns what is known of the loss of a scheme at low cost.
    fn lower_bound(&self, scheme: &Scheme) -> Result<LowerBound, Error> {
        self.loss(scheme).map(LowerBound::Exact)
    }

    /// Returns a lower bound of the loss of every scheme at or above this one, from its levels alone.
    fn lower_bound_above(&self, scheme: &Scheme) -> f64 {
        let _ = scheme;
        f64::NEG_INFINITY
    }

    /// Returns a lower bound of the loss of every scheme at or above this one, from its groups. It
    /// costs more than [`lower_bound_above`](Self::lower_bound_above) and may be larger.
    fn lower_bound_above_by_groups(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.lower_bound_above(scheme))
    }

    /// Returns a path up from the lowest scheme. A best-first search starts from the first feasible
    /// scheme on it.
    fn first_path(&self) -> Vec<Scheme> {
        Vec::new()
    }
}

/// What is known of a loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LowerBound {
    /// The loss itself.
    Exact(f64),
    /// The loss is this or more.
    AtLeast(f64),
}
