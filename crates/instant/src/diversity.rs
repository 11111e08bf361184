//! Frequency l-diversity, cell by cell: algorithms 5 and 6.
//!
//! With these corrections: x = 0 is a size like any other (an empty cell is not a group), and the
//! conditional probability is not monotone for small x, so LIMIT stops only after it stayed on the
//! predicted side for two periods of x/l.
//!
//! Conditional probabilities depend only on the size and on the shares of the values, which many
//! cells have in common: all of them where a summary takes the sensitive attribute as independent.
//! They are therefore kept by shares.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::binomial::{Binomial, Within};
use crate::joint::JointSizes;
use crate::optimizations::Optimizations;
use crate::sizes::Collected;

/// If tails are cut, sizes up to this many deviations from the mean are evaluated.
const REACH: f64 = 4.0;
/// And this many sizes more: a rare cell's deviation says little about its tail.
const BEYOND: f64 = 8.0;
/// How close to its limit LIMIT considers the conditional probability as settled.
const SETTLED: f64 = 0.01;

/// The probability that a group of `x` records is l-diverse, given how likely each of its records
/// has each sensitive value.
pub(crate) fn conditional(x: f64, shares: &[f64], l: f64, how: Optimizations) -> f64 {
    all_at_most((x / l + 1e-9).floor(), x, shares, how)
}

/// The probability that no value of a group of `x` records occurs more than `most` times.
pub(crate) fn all_at_most(most: f64, x: f64, shares: &[f64], how: Optimizations) -> f64 {
    let occurring = shares.iter().filter(|&&share| share > 0.0).count() as f64;
    if x == 0.0 {
        return 1.0;
    }
    if most * occurring < x {
        return 0.0;
    }
    let value = |share: f64| Binomial { trials: x, chance: share };
    if how.max
        && let Some(first) = overwhelming(x, shares)
    {
        return value(first).at_most(most, how).ln.exp();
    }
    let mut joint = JointSizes::default();
    for &share in shares.iter().filter(|&&share| share > 0.0) {
        let count = value(share);
        if count.mean() + REACH * 2.0 * count.deviation() + BEYOND < most {
            joint.add_free(count);
        } else {
            joint.add(count, count.at_most(most, how));
        }
    }
    joint.ln_probability(x).exp()
}

/// The largest share, if its value is the most frequent one in nearly every group of this size.
pub(crate) fn overwhelming(x: f64, shares: &[f64]) -> Option<f64> {
    let (at, &first) = shares.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let count = |share: f64| Binomial { trials: x, chance: share };
    let low = count(first).mean() - REACH * count(first).deviation();
    let stays_below = |(i, &share): (usize, &f64)| {
        i == at || count(share).mean() + REACH * count(share).deviation() < low
    };
    shares.iter().enumerate().all(stays_below).then_some(first)
}

/// Shares are rounded to multiples of this, so that those of different cells are equal.
const SAME_SHARE: f64 = 1.0 / (1_u64 << 40) as f64;
/// At most this many numbers are kept by a thread: conditional probabilities, and shares.
const MOST_KNOWN: usize = 1 << 17;

/// What conditional probabilities depend on besides the size: shares and l, as bits, and shortcuts.
type ConditionalKey = (Vec<u64>, u64, Optimizations);

/// Conditional probabilities by what they depend on, then by size.
#[derive(Default)]
struct KnownConditionals {
    tables: HashMap<ConditionalKey, HashMap<u64, f64>>,
    /// How many numbers the tables and their keys have.
    numbers: usize,
}

impl KnownConditionals {
    /// Lends a table, which is empty if nothing is known.
    fn take(&mut self, key: &ConditionalKey) -> HashMap<u64, f64> {
        let Some(table) = self.tables.remove(key) else { return HashMap::new() };
        self.numbers -= numbers(key, &table);
        table
    }

    /// Takes a table back; all are forgotten where they are too large.
    fn put(&mut self, key: ConditionalKey, table: HashMap<u64, f64>) {
        self.numbers += numbers(&key, &table);
        self.tables.insert(key, table);
        if self.numbers > MOST_KNOWN {
            *self = Self::default();
        }
    }
}

/// How many numbers a table takes with its key.
fn numbers((shares, ..): &ConditionalKey, table: &HashMap<u64, f64>) -> usize {
    shares.len() + table.len() + 2
}

thread_local! {
    static KNOWN: RefCell<KnownConditionals> = RefCell::default();
}

/// The conditional probability for increasing sizes.
struct Conditional {
    shares: Vec<f64>,
    key: ConditionalKey,
    /// What is known, by size; returned to `KNOWN` in the end.
    known: HashMap<u64, f64>,
    l: f64,
    how: Optimizations,
    /// The limit that it tends to.
    limit: f64,
    /// How many sizes in a row were near the limit.
    near: u32,
}

impl Conditional {
    fn new(shares: &[f64], l: f64, how: Optimizations) -> Self {
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let limit = if largest <= 1.0 / l { 1.0 } else { 0.0 };
        let rounded = |share: &f64| (share / SAME_SHARE).round() * SAME_SHARE;
        let shares: Vec<f64> = shares.iter().map(rounded).collect();
        let key = (shares.iter().map(|share| share.to_bits()).collect(), l.to_bits(), how);
        let known = KNOWN.with_borrow_mut(|known| known.take(&key));
        Self { shares, key, known, l, how, limit, near: 0 }
    }

    fn at(&mut self, x: f64) -> f64 {
        if self.how.limit && f64::from(self.near) > 2.0 * self.l.ceil() {
            return self.limit;
        }
        let compute = || conditional(x, &self.shares, self.l, self.how);
        let probability = *self.known.entry(x as u64).or_insert_with(compute);
        let near = (probability - self.limit).abs() <= SETTLED && x >= self.l;
        self.near = if near { self.near + 1 } else { 0 };
        probability
    }
}

impl Drop for Conditional {
    fn drop(&mut self) {
        let (key, table) = (std::mem::take(&mut self.key), std::mem::take(&mut self.known));
        KNOWN.with_borrow_mut(|known| known.put(key, table));
    }
}

impl Collected {
    /// Adds a cell of this likelihood whose records have sensitive values in these shares.
    pub(crate) fn add_diversity(
        &mut self,
        records: f64,
        likelihood: f64,
        shares: &[f64],
        l: f64,
        how: Optimizations,
    ) {
        let size = Binomial { trials: records, chance: likelihood.min(1.0) };
        if size.chance <= 0.0 {
            return;
        }
        let (mut all, mut good, mut first, mut second) = (0.0, 0.0, 0.0, 0.0);
        let mut lost = 0.0;
        for_each_size(size, shares, l, how, |x, mass, passes| {
            let distance = x - size.mean();
            all += mass;
            good += mass * passes;
            first += mass * passes * distance;
            second += mass * passes * distance * distance;
            lost += mass * (1.0 - passes) * x;
        });
        // What was cut off is assumed to be like the rest: a product over millions of cells would
        // otherwise fall to 0 because of the cuts.
        self.outliers += lost / all;
        self.fails((1.0 - good / all).max(0.0));
        if good <= 0.0 {
            let within = Within { ln: f64::NEG_INFINITY, mean: size.mean(), variance: 0.0 };
            self.joint.add(size, within);
            return;
        }
        let shift = first / good;
        let variance = (second / good - shift * shift).max(0.0);
        self.joint
            .add(size, Within { ln: (good / all).ln(), mean: size.mean() + shift, variance });
    }
}

/// Calls `visit` with every size that is evaluated, its probability, and the probability that a
/// group of this size is diverse.
pub(crate) fn for_each_size(
    size: Binomial,
    shares: &[f64],
    l: f64,
    how: Optimizations,
    mut visit: impl FnMut(f64, f64, f64),
) {
    let (low, high) = range(size, how);
    let mut conditional = Conditional::new(shares, l, how);
    let (mut x, mut mass) = (low, size.ln_mass(low).exp());
    loop {
        visit(x, mass, conditional.at(x));
        if x >= high {
            return;
        }
        // Recomputed from time to time: a mass that was too small to represent must not stay zero.
        mass = if mass < 1e-290 { size.ln_mass(x + 1.0).exp() } else { mass * size.ratio(x) };
        x += 1.0;
    }
}

/// Returns the sizes that are evaluated.
pub(crate) fn range(size: Binomial, how: Optimizations) -> (f64, f64) {
    if !how.sd_cut {
        return (0.0, size.trials);
    }
    let reach = REACH * size.deviation();
    let low = (size.mean() - reach - BEYOND).floor().max(0.0);
    (low, (size.mean() + reach + BEYOND).ceil().min(size.trials))
}
