//! Many cells at once: independent variables conditioned on their sum.
//!
//! The sizes of cells are binomials that must add up to the number of records. As in Levin's
//! representation of multinomial cumulatives, P(all good | sum = N) is P(sum of the good parts = N)
//! / P(sum = N) · Π P(good), and the two sums are assumed to be normal. (The published listing has
//! the ratio inverted; its text has it as here.)

use crate::binomial::{Binomial, Within, ln_rounds_to};

/// Variables that are added one by one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JointSizes {
    /// The logarithm of the product of the good parts' probabilities.
    ln: f64,
    whole: (f64, f64),
    good: (f64, f64),
}

impl JointSizes {
    /// Adds a variable and its good part.
    pub(crate) fn add(&mut self, variable: Binomial, good: Within) {
        self.ln += good.ln;
        self.whole.0 += variable.mean();
        self.whole.1 += variable.variance();
        self.good.0 += good.mean;
        self.good.1 += good.variance;
    }

    /// Adds a variable that is always good.
    pub(crate) fn add_free(&mut self, variable: Binomial) {
        let (mean, variance) = (variable.mean(), variable.variance());
        self.add(variable, Within { ln: 0.0, mean, variance });
    }

    /// Returns the sum of both.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.combined(other, 1.0)
    }

    /// Returns the rest without some that were added before.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.combined(other, -1.0)
    }

    fn combined(&self, other: &Self, sign: f64) -> Self {
        let sum = |a: (f64, f64), b: (f64, f64)| (a.0 + sign * b.0, a.1 + sign * b.1);
        Self {
            ln: self.ln + sign * other.ln,
            whole: sum(self.whole, other.whole),
            good: sum(self.good, other.good),
        }
    }

    /// The logarithm of the probability that all are good, given that they add up to `sum`.
    pub(crate) fn ln_probability(&self, sum: f64) -> f64 {
        if self.ln == f64::NEG_INFINITY {
            return f64::NEG_INFINITY;
        }
        let good = ln_rounds_to(sum, self.good.0, self.good.1);
        let whole = ln_rounds_to(sum, self.whole.0, self.whole.1);
        (self.ln + good - whole).min(0.0)
    }
}
