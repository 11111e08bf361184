//! How often the most frequent class of a group is expected to occur in it.
//!
//! Given the size x of a group, its counts are multinomial. For small x the distribution of the
//! largest count is exact: x! times the coefficient of zˣ in the product of the classes' truncated
//! exponential series. For large x it comes from the same normal approximation that l-diversity is
//! predicted by, at sizes that grow by a quarter; in between the mean is interpolated.

use std::collections::BTreeMap;

use crate::diversity::{all_at_most, overwhelming};
use crate::optimizations::Optimizations;

/// Up to this size the distribution is exact.
const EXACT: usize = 24;
/// The next size for which the mean is computed.
const GROWTH: f64 = 1.25;
/// A probability this close to 1 ends a sum.
const NEARLY: f64 = 1.0 - 1e-7;

/// The largest count of a class in groups of any size.
#[derive(Debug)]
pub(crate) struct MostFrequent {
    /// The share of each class that occurs, among all records.
    shares: Vec<f64>,
    /// The share of records that have any class.
    known: f64,
    /// By count and size, the probability that no class occurs more often.
    exact: Vec<[f64; EXACT + 1]>,
    /// The mean of the largest count at sizes beyond those, by their place in the grid.
    nodes: BTreeMap<i32, f64>,
}

impl MostFrequent {
    /// Builds it for groups with these shares of classes; what is missing to 1 has no class.
    pub(crate) fn new(shares: &[f64]) -> Self {
        let shares: Vec<f64> = shares.iter().copied().filter(|&share| share > 0.0).collect();
        let known = shares.iter().sum::<f64>().min(1.0);
        Self { shares, known, exact: Vec::new(), nodes: BTreeMap::new() }
    }

    /// The expected count in a group of `x` records.
    pub(crate) fn mean(&mut self, x: f64) -> f64 {
        if x as usize <= EXACT {
            return (0..x as usize).map(|m| 1.0 - self.at_most(m, x as usize)).sum();
        }
        let place = ((x / EXACT as f64).ln() / GROWTH.ln()).floor() as i32;
        let (below, above) = (at(place), at(place + 1));
        let (y0, y1) = (self.node(place), self.node(place + 1));
        y0 + (y1 - y0) * (x - below) / (above - below)
    }

    /// The mean at a size of the grid.
    fn node(&mut self, place: i32) -> f64 {
        if let Some(&mean) = self.nodes.get(&place) {
            return mean;
        }
        let mean = if place <= 0 { self.mean(EXACT as f64) } else { self.large(at(place)) };
        self.nodes.insert(place, mean);
        mean
    }

    /// The expected records of other classes, over groups of `x` records in which no class has a
    /// share above one in `l`; `passes` is the probability of that.
    pub(crate) fn others_if_diverse(&mut self, x: f64, l: f64, passes: f64) -> f64 {
        if x as usize <= EXACT {
            let most = (x / l + 1e-9).floor() as usize;
            let below = |m: usize| self.at_most(most, x as usize) - self.at_most(m, x as usize);
            let largest: f64 = (0..most).map(below).sum();
            return x * self.at_most(most, x as usize) - largest;
        }
        passes * (x - self.mean(x).min(x / l))
    }

    fn at_most(&mut self, most: usize, x: usize) -> f64 {
        if most >= x {
            return 1.0;
        }
        while self.exact.len() <= most {
            let next = self.exact.len();
            let row = self.series(next);
            self.exact.push(row);
        }
        self.exact[most][x]
    }

    /// By size, the probability that no class occurs more than `most` times.
    fn series(&self, most: usize) -> [f64; EXACT + 1] {
        let mut product = [0.0; EXACT + 1];
        product[0] = 1.0;
        let classes = self.shares.iter().map(|&share| (share, most));
        for (share, most) in classes.chain([(1.0 - self.known, EXACT)]) {
            product = times(&product, share, most);
        }
        let mut factorial = 1.0;
        for (x, coefficient) in product.iter_mut().enumerate() {
            factorial *= x.max(1) as f64;
            *coefficient *= factorial;
        }
        product
    }

    /// The mean for a large size.
    fn large(&self, x: f64) -> f64 {
        let (x, how) = (x * self.known, Optimizations::ALL);
        let shares: Vec<f64> = self.shares.iter().map(|share| share / self.known).collect();
        if let Some(first) = overwhelming(x, &shares) {
            return x * first;
        }
        let first = shares.iter().copied().fold(0.0, f64::max);
        let deviation = (x * first * (1.0 - first)).sqrt();
        let mut most = (x * first - 6.0 * deviation - 2.0).floor().max(0.0);
        let (mut mean, step) = (most, (deviation / 4.0).floor().max(1.0));
        let mut here = all_at_most(most, x, &shares, how);
        while most < x && here <= NEARLY {
            let next = all_at_most(most + step, x, &shares, how);
            // In between the probability is nearly linear.
            let sum = f64::midpoint(here * (step + 1.0), next * (step - 1.0));
            mean += step - sum;
            (most, here) = (most + step, next);
        }
        mean
    }
}

/// A size of the grid.
fn at(place: i32) -> f64 {
    EXACT as f64 * GROWTH.powi(place)
}

/// Multiplies a series by Σ (share·z)ʲ/j! up to j = `most`.
fn times(series: &[f64; EXACT + 1], share: f64, most: usize) -> [f64; EXACT + 1] {
    let mut product = [0.0; EXACT + 1];
    let mut term = 1.0;
    for j in 0..=most.min(EXACT) {
        for x in j..=EXACT {
            product[x] += series[x - j] * term;
        }
        term *= share / (j + 1) as f64;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    /// The mean largest count in many drawn groups.
    fn drawn(shares: &[f64], x: usize, random: &mut StdRng) -> f64 {
        const GROUPS: usize = 20_000;
        let mut sum = 0.0;
        for _ in 0..GROUPS {
            let mut counts = vec![0_u32; shares.len()];
            for _ in 0..x {
                let mut rest = random.random::<f64>();
                let found = shares.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                if let Some(class) = found {
                    counts[class] += 1;
                }
            }
            sum += f64::from(counts.iter().max().copied().unwrap_or(0));
        }
        sum / GROUPS as f64
    }

    #[test]
    fn the_largest_count_is_that_of_drawn_groups() {
        let mut random = StdRng::seed_from_u64(5);
        for shares in [&[0.5, 0.5][..], &[0.7, 0.2, 0.1], &[0.3, 0.3, 0.2], &[0.25; 4]] {
            let mut most = MostFrequent::new(shares);
            for x in [1, 2, 3, 10, 24, 30, 60, 150] {
                let (expected, drawn) = (most.mean(x as f64), drawn(shares, x, &mut random));
                // Exact sizes deviate as the drawn ones do; the approximation by up to 3 % of the
                // size, where classes are equally frequent.
                let share = if x <= EXACT { 0.006 } else { 0.03 };
                let allowed = 0.03 + share * x as f64;
                assert!((expected - drawn).abs() < allowed, "{shares:?} {x}: {expected} {drawn}");
            }
        }
        assert!((MostFrequent::new(&[0.5, 0.5]).mean(2.0) - 1.5).abs() < 1e-12);
        assert!((MostFrequent::new(&[0.5, 0.5]).mean(3.0) - 2.25).abs() < 1e-12);
    }
}
