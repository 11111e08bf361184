//! Estimators of what a scheme suppresses, one file each; a new one is a file and a line here.

use haggle_model::Scheme;

use super::levels::{LevelMetrics, LevelPower};

/// Declares the estimators' files and the catalog.
macro_rules! catalog {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// Every estimator, in the order in which they are listed.
        pub const CATALOG: &[&Estimator] = &[$(&$file::ESTIMATOR),*];
    };
}

catalog! {
    gamma,
    mu,
    gamma_mu,
    lambda,
}

/// A catalog entry: how a scheme's levels are weighed. A scheme's estimate is the sum over its
/// levels; the larger it is, the less the scheme is expected to suppress.
#[derive(Debug)]
pub struct Estimator {
    /// The name on the command line and in JSON.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// The definition in words.
    pub definition: &'static str,
    /// The definition as a formula.
    pub formula: &'static str,
    /// The value of a level.
    level: fn(&LevelPower) -> f64,
}

impl Estimator {
    /// Returns the estimate of a scheme.
    pub fn estimate(&self, metrics: &LevelMetrics, scheme: &Scheme) -> f64 {
        metrics.sum(scheme, self.level)
    }
}

/// The estimator of this name.
///
/// ```
/// use haggle_search::partial::find_estimator;
/// assert_eq!(find_estimator("lambda").unwrap().formula, "Λ(v) = Σ log₂(γᵢ)·µᵢ");
/// ```
pub fn find(id: &str) -> Option<&'static Estimator> {
    CATALOG.iter().copied().find(|estimator| estimator.id == id)
}
