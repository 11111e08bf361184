//! Zayatz: the sizes of groups in the population are distributed as in the sample.

use statrs::function::gamma::ln_gamma;

use super::{PopulationSample, UniquenessEstimator};

pub(super) const ESTIMATOR: UniquenessEstimator = UniquenessEstimator {
    id: "zayatz",
    title: "Zayatz",
    citation: "L. V. Zayatz, Estimation of the Percent of Unique Population Elements on a \
               Microdata File Using the Sample, U.S. Bureau of the Census, 1991",
    valid: "for every sample; it tends to overestimate where the sampling fraction is small",
    estimate,
};

/// S₁ = s₁·P(F = 1 | f = 1)·N/n by Bayes' rule, with P(F = j) the share of groups of size j in the
/// sample and P(f = 1 | F = j) hypergeometric.
#[allow(clippy::unnecessary_wraps)] // as the catalog has it
fn estimate(sample: &PopulationSample<'_>) -> Result<f64, &'static str> {
    let (n, all) = (sample.sizes.records() as f64, sample.population as f64);
    let seen_once = |size: u64| once(size as f64, n, all);
    let terms = sample.sizes.iter().map(|(size, groups)| groups as f64 * seen_once(size));
    let sum: f64 = terms.sum();
    let unique = sample.sizes.unique() as f64;
    Ok(unique * (unique * seen_once(1) / sum) / sample.fraction())
}

/// The chance that exactly one of `size` persons is among `n` drawn from `all`.
fn once(size: f64, n: f64, all: f64) -> f64 {
    if all - size < n - 1.0 {
        return 0.0;
    }
    let ln_choose =
        |from: f64, of: f64| ln_gamma(from + 1.0) - ln_gamma(of + 1.0) - ln_gamma(from - of + 1.0);
    size * (ln_choose(all - size, n - 1.0) - ln_choose(all, n)).exp()
}
