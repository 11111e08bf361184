//! Pitman: group sizes follow Pitman's sampling formula, whose parameters are those of highest
//! likelihood.

use statrs::function::gamma::{digamma, ln_gamma};

use super::super::Sizes;
use super::{PopulationSample, UniquenessEstimator};

pub(super) const ESTIMATOR: UniquenessEstimator = UniquenessEstimator {
    id: "pitman",
    title: "Pitman",
    citation: "N. Hoshino, Applying Pitman's Sampling Formula to Microdata Disclosure Risk \
               Assessment, Journal of Official Statistics 17 (2001), 499–520",
    valid: "if the likelihood has a maximum with 0 < α < 1: some records are unique, but not all",
    estimate,
};

/// E(S₁) = N·Γ(θ+1)·Γ(θ+α+N−1) / (Γ(θ+α)·Γ(θ+N)), of which Γ(θ+1)/Γ(θ+α)·N^α is the limit.
fn estimate(sample: &PopulationSample<'_>) -> Result<f64, &'static str> {
    let (theta, alpha) = most_likely(sample.sizes)?;
    let all = sample.population as f64;
    let ln = all.ln() + ln_gamma(theta + 1.0) - ln_gamma(theta + alpha)
        + ln_gamma(theta + alpha + all - 1.0)
        - ln_gamma(theta + all);
    Ok(ln.exp())
}

/// The parameters (θ, α) of highest likelihood: where the derivatives of
/// `Σ ln(θ+iα) − Σ ln(θ+i) + Σ s_j Σ ln(i−α)` vanish.
fn most_likely(sizes: &Sizes) -> Result<(f64, f64), &'static str> {
    let (groups, records) = (sizes.groups(), sizes.records());
    if groups == records {
        return Err("all records are unique, so the likelihood has no maximum below α = 1");
    }
    if groups < 2 {
        return Err("there is only one group");
    }
    let likelihood = Likelihood { sizes, groups: groups as f64, records: records as f64 };
    let slope = |alpha: f64| likelihood.by_alpha(likelihood.best_theta(alpha), alpha);
    let (low, high) = (1e-6, 1.0 - 1e-9);
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return Err("the likelihood has no maximum with 0 < α < 1");
    }
    let alpha = zero(low, high, slope);
    Ok((likelihood.best_theta(alpha), alpha))
}

struct Likelihood<'s> {
    sizes: &'s Sizes,
    groups: f64,
    records: f64,
}

impl Likelihood<'_> {
    /// Σ 1/(θ+iα) for i from 1 to the groups less one.
    fn inverse_sum(&self, theta: f64, alpha: f64) -> f64 {
        let start = theta / alpha;
        (digamma(start + self.groups) - digamma(start + 1.0)) / alpha
    }

    fn by_theta(&self, theta: f64, alpha: f64) -> f64 {
        let drawn = digamma(theta + self.records) - digamma(theta + 1.0);
        self.inverse_sum(theta, alpha) - drawn
    }

    fn by_alpha(&self, theta: f64, alpha: f64) -> f64 {
        let groups = (self.groups - 1.0 - theta * self.inverse_sum(theta, alpha)) / alpha;
        let one = digamma(1.0 - alpha);
        let larger = self.sizes.iter().filter(|(size, _)| *size > 1);
        let inside = larger.map(|(size, n)| n as f64 * (digamma(size as f64 - alpha) - one));
        groups - inside.sum::<f64>()
    }

    /// The most likely θ > −α for an α.
    fn best_theta(&self, alpha: f64) -> f64 {
        let theta = |ln: f64| ln.exp() - alpha;
        theta(zero(-30.0, 40.0, |ln| self.by_theta(theta(ln), alpha)))
    }
}

/// Where a function that is positive at `low` and negative at `high` crosses zero.
fn zero(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tomato-flower library of A. Lijoi, R. H. Mena and I. Prünster, *Bayesian Nonparametric
    /// Estimation of the Probability of Discovering New Species*, Biometrika 94 (2007), 769–786:
    /// 1,825 genes among 2,586 sequences, and the printed parameters of highest likelihood.
    #[test]
    fn the_most_likely_parameters_are_the_published_ones() {
        let frequencies: [(u64, usize); 17] = [
            (1, 1434),
            (2, 253),
            (3, 71),
            (4, 33),
            (5, 11),
            (6, 6),
            (7, 2),
            (8, 3),
            (9, 1),
            (10, 2),
            (11, 2),
            (12, 1),
            (13, 1),
            (14, 1),
            (16, 2),
            (23, 1),
            (27, 1),
        ];
        let sizes: Sizes = frequencies
            .iter()
            .flat_map(|&(size, groups)| std::iter::repeat_n(size, groups))
            .collect();
        assert_eq!((sizes.groups(), sizes.records()), (1825, 2586));
        let (theta, alpha) = most_likely(&sizes).unwrap();
        assert!((alpha - 0.612).abs() < 0.0005, "{alpha}");
        assert!((theta - 741.0).abs() < 1.0, "{theta}");
    }
}
