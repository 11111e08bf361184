//! Which schemes a partial lattice annotates: a share of every height, the best by an estimator.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use haggle_model::{Scheme, Space};

use super::estimators::Estimator;
use super::levels::LevelMetrics;
use crate::Error;

/// At least this many schemes of every height are taken, if it has them.
const AT_LEAST: usize = 2;
/// Estimates that differ by less are considered equal: they differ only in the rounding of sums.
const SAME: f64 = 1e-9;

/// A choice of schemes: a percentage of each height, to the nearest scheme and at least two.
#[derive(Debug, Clone, Copy)]
pub struct Selection {
    estimator: &'static Estimator,
    percent: f64,
}

impl PartialEq for Selection {
    fn eq(&self, other: &Self) -> bool {
        self.estimator.id == other.estimator.id && self.percent.to_bits() == other.percent.to_bits()
    }
}

impl Selection {
    /// Selects the best percentage of each height by an estimator; above 0 and up to 100.
    ///
    /// ```
    /// use haggle_search::partial::{ESTIMATORS, Selection};
    /// assert!(Selection::new(ESTIMATORS[0], 5.0).is_ok());
    /// assert!(Selection::new(ESTIMATORS[0], 0.0).is_err());
    /// ```
    pub fn new(estimator: &'static Estimator, percent: f64) -> Result<Self, Error> {
        if percent > 0.0 && percent <= 100.0 {
            return Ok(Self { estimator, percent });
        }
        let what = format!("{percent}% of the schemes cannot be selected");
        Err(Error::new(what, "choose more than 0% and at most 100%"))
    }

    /// The estimator that ranks the schemes.
    pub fn estimator(&self) -> &'static Estimator {
        self.estimator
    }

    /// Returns the percentage of each height that is taken.
    pub fn percent(&self) -> f64 {
        self.percent
    }

    /// Returns how many of this many schemes are taken.
    pub fn count(&self, schemes: usize) -> usize {
        let share = (self.percent * schemes as f64 / 100.0 + 0.5).floor() as usize;
        share.max(AT_LEAST).min(schemes)
    }

    /// The schemes taken, by height and then by levels.
    pub fn select(&self, space: &Space, metrics: &LevelMetrics) -> Result<Vec<Scheme>, Error> {
        if space.size().is_none() {
            let what = "the lattice has more schemes than can be counted, so none can be selected";
            return Err(Error::unsupported(what, "choose fewer quasi-identifiers"));
        }
        let all = space.all();
        Ok(all.heights().flat_map(|height| self.at(space, metrics, height)).collect())
    }

    /// The schemes of a height that are taken, in the order of levels.
    fn at(&self, space: &Space, metrics: &LevelMetrics, height: u32) -> Vec<Scheme> {
        let mut estimated: Vec<(f64, usize)> = Vec::new();
        let _ = space.all().visit_height(height, &mut |scheme| {
            let estimate = self.estimator.estimate(metrics, scheme);
            estimated.push(((estimate / SAME).round(), space.index(scheme)));
            ControlFlow::<()>::Continue(())
        });
        let count = self.count(estimated.len());
        if count < estimated.len() {
            estimated.select_nth_unstable_by(count, best_first);
        }
        let mut taken: Vec<usize> = estimated[..count].iter().map(|(_, index)| *index).collect();
        taken.sort_unstable();
        taken.into_iter().map(|index| space.scheme(index)).collect()
    }
}

/// Orders by estimate, largest first, then by levels.
fn best_first(a: &(f64, usize), b: &(f64, usize)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}
