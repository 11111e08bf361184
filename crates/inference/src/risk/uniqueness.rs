//! How many records are unique in the population that a table is a sample of.
//!
//! Each estimator is a file; [`ESTIMATORS`] lists them. Dankar, El Emam, Neisa and Roffey,
//! *Estimating the re-identification risk of clinical data sets* (2012), compare them and choose
//! by the sampling fraction.

mod pitman;
mod snb;
mod zayatz;

use super::Sizes;

/// A table as a sample of a population.
#[derive(Debug, Clone, PartialEq)]
pub struct PopulationSample<'s> {
    /// The sizes of its groups.
    pub sizes: &'s Sizes,
    /// The size of the population.
    pub population: u64,
}

impl PopulationSample<'_> {
    /// Returns the share of the population that is in the sample.
    pub fn fraction(&self) -> f64 {
        self.sizes.records() as f64 / self.population.max(1) as f64
    }
}

/// An estimator of the number of population uniques.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct UniquenessEstimator {
    /// The name used in reports.
    pub id: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// The publication that proposed it.
    pub citation: &'static str,
    /// When the estimate is valid.
    pub valid: &'static str,
    /// Returns the estimated number of population uniques, or why there is none.
    pub estimate: fn(&PopulationSample<'_>) -> Result<f64, &'static str>,
}

impl UniquenessEstimator {
    /// Returns the estimated number of population uniques, or why there is none. A sample without
    /// unique records gives no reason to expect any.
    ///
    /// ```
    /// use haggle_inference::risk::{ESTIMATORS, PopulationSample, Sizes};
    ///
    /// let sizes: Sizes = [1, 1, 1, 2, 3].into_iter().collect();
    /// let sample = PopulationSample { sizes: &sizes, population: 8 };
    /// let zayatz = ESTIMATORS.iter().find(|estimator| estimator.id == "zayatz").unwrap();
    /// assert!((zayatz.uniques(&sample).unwrap() - 3.0).abs() < 1e-9); // the sample is everyone
    /// ```
    pub fn uniques(&self, sample: &PopulationSample<'_>) -> Result<f64, &'static str> {
        if sample.sizes.unique() == 0 {
            return Ok(0.0);
        }
        let uniques = (self.estimate)(sample)?;
        let possible = (0.0..=sample.population as f64 * (1.0 + 1e-9)).contains(&uniques);
        if possible { Ok(uniques) } else { Err("the estimate is larger than the population") }
    }
}

/// All estimators.
pub const ESTIMATORS: &[UniquenessEstimator] =
    &[pitman::ESTIMATOR, zayatz::ESTIMATOR, snb::ESTIMATOR];

/// Returns the estimator that Dankar and others choose, and its estimate: Pitman's for sampling
/// fractions up to 10 %, otherwise the smaller of SNB and Zayatz; Zayatz where the others are not
/// valid.
pub fn dankar_choice(sample: &PopulationSample<'_>) -> Option<(&'static UniquenessEstimator, f64)> {
    let of = |estimator: &'static UniquenessEstimator| {
        Some((estimator, estimator.uniques(sample).ok()?))
    };
    let [pitman, zayatz, snb] = [&ESTIMATORS[0], &ESTIMATORS[1], &ESTIMATORS[2]];
    if sample.fraction() <= 0.1 {
        return of(pitman).or_else(|| of(zayatz));
    }
    match (of(snb), of(zayatz)) {
        (Some(snb), Some(zayatz)) => Some(if zayatz.1 < snb.1 { zayatz } else { snb }),
        (one, other) => one.or(other),
    }
}
