//! Parts of a binomial distribution: their probability in logarithms, their mean and variance.
//!
//! Moments start at the end of the part that is closest to the mean and stop where terms become
//! negligible, so small parts keep their precision and nothing underflows.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

use crate::optimizations::Optimizations;

/// How many standard deviations from both ends of its range the mean must be for the normal
/// approximation.
const SMOOTH: f64 = 3.0;

/// Below this, the tail of the normal distribution is not accurate.
const TINY: f64 = 1e-12;

/// How many of `trials` records fall into a cell that each falls into with this `chance`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Binomial {
    pub(crate) trials: f64,
    pub(crate) chance: f64,
}

/// A part of a distribution: its probability, and the mean and variance within it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Within {
    /// The logarithm of the part's probability.
    pub(crate) ln: f64,
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

/// Σ P(x), Σ d·P(x) and Σ d²·P(x), all over e^`ln`, with d = x − mean.
#[derive(Debug, Clone, Copy)]
struct Moments {
    ln: f64,
    zeroth: f64,
    first: f64,
    second: f64,
}

impl Moments {
    const NONE: Self = Self { ln: f64::NEG_INFINITY, zeroth: 0.0, first: 0.0, second: 0.0 };

    fn plus(self, other: Self) -> Self {
        let ln = self.ln.max(other.ln);
        if ln == f64::NEG_INFINITY {
            return Self::NONE;
        }
        let (a, b) = ((self.ln - ln).exp(), (other.ln - ln).exp());
        Self {
            ln,
            zeroth: a * self.zeroth + b * other.zeroth,
            first: a * self.first + b * other.first,
            second: a * self.second + b * other.second,
        }
    }

    fn within(self, mean: f64) -> Within {
        let shift = self.first / self.zeroth;
        let variance = (self.second / self.zeroth - shift * shift).max(0.0);
        Within { ln: (self.ln + self.zeroth.ln()).min(0.0), mean: mean + shift, variance }
    }

    fn probability(self) -> f64 {
        (self.ln.exp() * self.zeroth).clamp(0.0, 1.0)
    }
}

impl Binomial {
    pub(crate) fn mean(self) -> f64 {
        self.trials * self.chance
    }

    pub(crate) fn variance(self) -> f64 {
        self.mean() * (1.0 - self.chance)
    }

    pub(crate) fn deviation(self) -> f64 {
        self.variance().sqrt()
    }

    /// The logarithm of P(X = x).
    pub(crate) fn ln_mass(self, x: f64) -> f64 {
        let Self { trials: n, chance: p } = self;
        if x < 0.0 || x > n {
            return f64::NEG_INFINITY;
        }
        if p <= 0.0 || p >= 1.0 {
            let certain = if p <= 0.0 { 0.0 } else { n };
            return if (x - certain).abs() < 0.5 { 0.0 } else { f64::NEG_INFINITY };
        }
        let ways = ln_gamma(n + 1.0) - ln_gamma(x + 1.0) - ln_gamma(n - x + 1.0);
        ways + x * p.ln() + (n - x) * (-p).ln_1p()
    }

    /// P(X = x + 1) over P(X = x).
    pub(crate) fn ratio(self, x: f64) -> f64 {
        (self.trials - x) / (x + 1.0) * self.chance / (1.0 - self.chance)
    }

    fn is_smooth(self) -> bool {
        let reach = SMOOTH * self.deviation();
        self.mean() - reach >= 0.0 && self.mean() + reach <= self.trials
    }

    /// Moments over x from `start` in steps of one up or down to `end`, until terms are negligible.
    fn sums(self, start: f64, end: f64) -> Moments {
        let up = end >= start;
        let (mut x, mut term) = (start, 1.0);
        let mut sums = Moments { ln: self.ln_mass(start), zeroth: 0.0, first: 0.0, second: 0.0 };
        if sums.ln == f64::NEG_INFINITY {
            return Moments::NONE;
        }
        let mean = self.mean();
        loop {
            let distance = x - mean;
            sums.zeroth += term;
            sums.first += term * distance;
            sums.second += term * distance * distance;
            let spent =
                term * distance * distance <= 1e-17 * sums.second && term <= 1e-17 * sums.zeroth;
            if (x - end).abs() < 0.5 || spent || term == 0.0 {
                return sums;
            }
            let next = if up { x + 1.0 } else { x - 1.0 };
            term *= if up { self.ratio(x) } else { 1.0 / self.ratio(next) };
            x = next;
        }
    }

    fn certain(self) -> Moments {
        Moments { ln: 0.0, zeroth: 1.0, first: 0.0, second: self.variance() }
    }

    /// Returns the sums of the whole without a part.
    fn without(self, part: Moments) -> Moments {
        let share = part.ln.exp();
        let whole = self.certain();
        Moments {
            ln: 0.0,
            zeroth: whole.zeroth - share * part.zeroth,
            first: whole.first - share * part.first,
            second: (whole.second - share * part.second).max(0.0),
        }
    }

    /// P(1 ≤ X < k) with its sums.
    fn between(self, k: f64) -> Moments {
        if k <= 1.0 || self.trials < 1.0 {
            return Moments::NONE;
        }
        let last = (k - 1.0).min(self.trials);
        if last <= self.mean() {
            return self.sums(last, 1.0);
        }
        let middle = self.mean().floor().max(1.0);
        let below = if middle > 1.0 { self.sums(middle - 1.0, 1.0) } else { Moments::NONE };
        below.plus(self.sums(middle, last))
    }

    /// P(X ≥ k) with its sums, for k above the mean.
    fn from(self, k: f64) -> Moments {
        if k > self.trials { Moments::NONE } else { self.sums(k, self.trials) }
    }

    fn at_zero(self) -> Moments {
        let mean = self.mean();
        Moments { ln: self.ln_mass(0.0), zeroth: 1.0, first: -mean, second: mean * mean }
    }

    /// Returns the part X = 0 or X ≥ k: a group that does not exist, or is large enough.
    pub(crate) fn none_or_from(self, k: f64, how: Optimizations) -> Within {
        let mean = self.mean();
        if self.never_reaches(k) {
            let ln = self.trials * (-self.chance).ln_1p();
            return Within { ln, mean: 0.0, variance: 0.0 };
        }
        if how.hybrid && self.is_smooth() {
            let bad = self.normal(0.5, k - 0.5);
            let good = self.without(bad);
            if good.zeroth > TINY {
                return good.within(mean);
            }
        }
        if k <= mean {
            return self.without(self.between(k)).within(mean);
        }
        let upper = if how.expo && k >= mean + SMOOTH * self.deviation() {
            self.exponential(k, self.ratio(k), 1.0)
        } else {
            self.from(k)
        };
        self.at_zero().plus(upper).within(mean)
    }

    /// Returns the part X ≤ m.
    pub(crate) fn at_most(self, m: f64, how: Optimizations) -> Within {
        let mean = self.mean();
        if m >= self.trials {
            return self.certain().within(mean);
        }
        if how.hybrid && self.is_smooth() {
            let good = self.normal(f64::NEG_INFINITY, m + 0.5);
            if good.zeroth > TINY {
                return good.within(mean);
            }
        }
        if m >= mean {
            return self.without(self.from(m + 1.0)).within(mean);
        }
        if how.expo && m > 0.0 && m <= mean - SMOOTH * self.deviation() {
            return self.exponential(m, 1.0 / self.ratio(m - 1.0), -1.0).within(mean);
        }
        self.sums(m, 0.0).within(mean)
    }

    /// Returns the sums of a part of the normal distribution with this mean and variance.
    fn normal(self, from: f64, to: f64) -> Moments {
        let (mean, deviation) = (self.mean(), self.deviation());
        let standard = Normal::standard();
        let (a, b) = ((from - mean) / deviation, (to - mean) / deviation);
        let density = |z: f64| (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let weighted = |z: f64| if z.is_finite() { z * density(z) } else { 0.0 };
        let zeroth = if a > 0.0 {
            standard.sf(a) - standard.sf(b)
        } else {
            standard.cdf(b) - standard.cdf(a)
        };
        Moments {
            ln: 0.0,
            zeroth,
            first: -deviation * (density(b) - density(a)),
            second: deviation * deviation * (zeroth - (weighted(b) - weighted(a))),
        }
    }

    /// Returns the sums of a tail from `start` on in one direction, as if each term were `ratio` of
    /// the one before: a discretized exponential distribution.
    fn exponential(self, start: f64, ratio: f64, direction: f64) -> Moments {
        if start < 0.0 || start > self.trials {
            return Moments::NONE;
        }
        let rest = 1.0 - ratio;
        let step = direction * ratio / rest;
        let distance = start - self.mean() + step;
        let spread = ratio / (rest * rest);
        Moments {
            ln: self.ln_mass(start),
            zeroth: 1.0 / rest,
            first: distance / rest,
            second: (spread + distance * distance) / rest,
        }
    }

    /// P(1 ≤ X < k) and E[X; 1 ≤ X < k]: the chance of a group that is too small, and the records
    /// expected in it.
    pub(crate) fn too_few(self, k: f64) -> (f64, f64) {
        if self.never_reaches(k) {
            return (-(self.trials * (-self.chance).ln_1p()).exp_m1(), self.mean());
        }
        let few = self.between(k);
        let records = few.ln.exp() * (few.first + self.mean() * few.zeroth);
        (few.probability(), records.clamp(0.0, self.mean()))
    }

    /// P(1 ≤ X < k), E[X; 1 ≤ X < k] and E[X²; 1 ≤ X < k].
    pub(crate) fn few(self, k: f64) -> [f64; 3] {
        let few = self.between(k);
        let (share, mean) = (few.ln.exp(), self.mean());
        let first = few.first + mean * few.zeroth;
        let second = few.second + 2.0 * mean * few.first + mean * mean * few.zeroth;
        [few.zeroth, first, second].map(|moment| share * moment)
    }

    /// Returns whether k records are practically impossible: P(X ≥ k) ≤ meanᵏ/k! is not
    /// representable next to P(X = 0) in 53 bits. That is so for most cells of a fine scheme.
    pub(crate) fn never_reaches(self, k: f64) -> bool {
        let mean = self.mean();
        mean < 1.0 && (k >= 20.0 || k * mean.ln() - ln_gamma(k + 1.0) < -42.0)
    }
}

/// The logarithm of the probability that a normal variable rounds to `x`.
pub(crate) fn ln_rounds_to(x: f64, mean: f64, variance: f64) -> f64 {
    if variance <= 0.0 {
        return if (x - mean).abs() <= 0.5 { 0.0 } else { f64::NEG_INFINITY };
    }
    let deviation = variance.sqrt();
    let nearest = (x - mean).abs();
    let standard = Normal::standard();
    let (a, b) = ((nearest - 0.5) / deviation, (nearest + 0.5) / deviation);
    let share = standard.sf(a) - standard.sf(b);
    if share > 1e-9 {
        return share.ln();
    }
    // So narrow or so far out that the density is constant within it.
    let z = nearest / deviation;
    -0.5 * z * z - (deviation * (2.0 * std::f64::consts::PI).sqrt()).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(binomial: Binomial, good: impl Fn(f64) -> bool) -> Within {
        let (mut zeroth, mut first, mut second) = (0.0, 0.0, 0.0);
        for x in 0..=binomial.trials as u32 {
            let x = f64::from(x);
            if good(x) {
                let mass = binomial.ln_mass(x).exp();
                zeroth += mass;
                first += x * mass;
                second += x * x * mass;
            }
        }
        let mean = first / zeroth;
        Within { ln: zeroth.ln(), mean, variance: second / zeroth - mean * mean }
    }

    fn close(a: Within, b: Within) {
        assert!((a.ln - b.ln).abs() < 1e-9 * b.ln.abs().max(1.0), "{a:?} {b:?}");
        assert!((a.mean - b.mean).abs() < 1e-7 * b.mean.max(1.0), "{a:?} {b:?}");
        assert!((a.variance - b.variance).abs() < 1e-6 * b.variance.max(1.0), "{a:?} {b:?}");
    }

    #[test]
    fn parts_agree_with_plain_sums() {
        for trials in [1.0, 2.0, 7.0, 40.0, 300.0] {
            for chance in [1e-6, 0.01, 0.2, 0.5, 0.93] {
                let binomial = Binomial { trials, chance };
                for k in [1.0, 2.0, 3.0, 10.0, 60.0] {
                    let good = |x: f64| x == 0.0 || x >= k;
                    close(binomial.none_or_from(k, Optimizations::NONE), plain(binomial, good));
                    let expected: f64 = (1..k as u32)
                        .map(|x| f64::from(x) * binomial.ln_mass(f64::from(x)).exp())
                        .sum();
                    let (chance, records) = binomial.too_few(k);
                    assert!((records - expected).abs() < 1e-9 * trials);
                    let few = 1.0 - plain(binomial, good).ln.exp();
                    assert!((chance - few).abs() < 1e-9);
                }
                for m in [0.0, 1.0, 5.0, 30.0] {
                    let most = plain(binomial, |x| x <= m);
                    if most.ln.is_finite() {
                        close(binomial.at_most(m, Optimizations::NONE), most);
                    }
                }
            }
        }
    }

    #[test]
    fn tails_keep_their_logarithms_where_probabilities_vanish() {
        let far = Binomial { trials: 1e6, chance: 0.005 };
        let part = far.none_or_from(20_000.0, Optimizations::NONE);
        assert!(part.ln < -4_000.0 && part.ln.is_finite(), "{part:?}");
        let most = far.at_most(100.0, Optimizations::NONE);
        assert!(most.ln < -4_000.0 && most.ln.is_finite() && (99.0..=100.0).contains(&most.mean));
    }

    #[test]
    fn approximations_are_near_where_they_are_used() {
        // The published pictures: B(1000, 0.25), and its part beyond three deviations.
        let binomial = Binomial { trials: 1000.0, chance: 0.25 };
        let normal = Optimizations { hybrid: true, ..Optimizations::NONE };
        let exact = binomial.none_or_from(240.0, Optimizations::NONE);
        let near = binomial.none_or_from(240.0, normal);
        assert!((exact.ln - near.ln).abs() < 0.01 && (exact.mean - near.mean).abs() < 0.2);
        let expo = Optimizations { expo: true, ..Optimizations::NONE };
        let exact = binomial.none_or_from(292.0, Optimizations::NONE);
        let near = binomial.none_or_from(292.0, expo);
        assert!((exact.mean - near.mean).abs() < 1.5, "{exact:?} {near:?}");
        assert!((exact.ln - near.ln).abs() < 0.25);
        let (exact, near) =
            (binomial.at_most(208.0, Optimizations::NONE), binomial.at_most(208.0, expo));
        assert!((exact.mean - near.mean).abs() < 1.5 && (exact.ln - near.ln).abs() < 0.25);
    }

    #[test]
    fn rounding_is_sound_far_out() {
        assert!((ln_rounds_to(10.0, 10.0, 4.0) - 0.197_413_f64.ln()).abs() < 1e-4);
        assert!(ln_rounds_to(1e6, 0.0, 1.0) < -1e11);
        assert!((ln_rounds_to(3.0, 3.0, 0.0) - 0.0).abs() < f64::EPSILON);
    }
}
