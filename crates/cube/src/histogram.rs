//! How many groups and records of a scheme have which value of a statistic.

use serde::{Deserialize, Serialize};

use crate::Comparison;

/// Whole statistics below this are tallied by position; most groups are small.
const DENSE: usize = 256;

/// One value of the statistic and what has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The value.
    pub value: f64,
    /// The groups that have it.
    pub groups: u64,
    /// The records in those groups.
    pub records: u64,
    /// The records in groups of weaker values: what a threshold of just this value suppresses.
    pub weaker: u64,
}

/// The values of a statistic over a scheme's groups, weakest first, with prefix sums.
///
/// Every question is a prefix sum: the groups that fail a threshold are those before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    comparison: Comparison,
    values: Box<[f64]>,
    /// Records in groups weaker than each value; one more entry for all records.
    weaker: Box<[u64]>,
    /// Groups that have each value.
    groups: Box<[u32]>,
}

impl Histogram {
    /// How many records the threshold suppresses.
    pub fn suppressed(&self, threshold: f64) -> u64 {
        self.weaker[self.failing(threshold)]
    }

    /// The weakest statistic among the groups that pass the threshold, if any group passes.
    pub fn attained(&self, threshold: f64) -> Option<f64> {
        self.values.get(self.failing(threshold)).copied()
    }

    /// The strongest threshold that suppresses at most `limit` records and keeps at least one.
    pub fn strongest(&self, limit: u64) -> Option<f64> {
        let affordable = self.weaker.partition_point(|&weaker| weaker <= limit);
        self.values[..affordable.min(self.values.len())].last().copied()
    }

    /// All records of the scheme, kept or not.
    pub fn records(&self) -> u64 {
        self.weaker[self.values.len()]
    }

    /// All groups of the scheme, kept or not.
    pub fn groups(&self) -> u64 {
        self.groups.iter().map(|&groups| u64::from(groups)).sum()
    }

    /// The values with their groups and records, weakest first.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = Bin> {
        self.values.iter().enumerate().map(|(i, &value)| Bin {
            value,
            groups: u64::from(self.groups[i]),
            records: self.weaker[i + 1] - self.weaker[i],
            weaker: self.weaker[i],
        })
    }

    fn failing(&self, threshold: f64) -> usize {
        self.values.partition_point(|&value| !self.comparison.passes(value, threshold))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.values.len() * (8 + 8 + 4) + 8
    }

    /// Whether a histogram read from a file is one.
    pub(crate) fn is_sound(&self) -> bool {
        let n = self.values.len();
        self.weaker.len() == n + 1
            && self.groups.len() == n
            && self.weaker[0] == 0
            && self.weaker.is_sorted()
            && self.values.is_sorted_by(|&a, &b| self.comparison.by_strength(a, b).is_lt())
    }
}

/// Collects the statistics of a scheme's groups into a histogram.
pub(crate) struct Tally {
    comparison: Comparison,
    dense: Vec<(u32, u64)>,
    sparse: Vec<(f64, u64)>,
}

impl Tally {
    pub(crate) fn new(comparison: Comparison) -> Self {
        Self { comparison, dense: vec![(0, 0); DENSE], sparse: Vec::new() }
    }

    #[inline]
    pub(crate) fn add(&mut self, value: f64, records: u64) {
        let whole = value as usize;
        if whole < DENSE && (whole as f64).to_bits() == value.to_bits() {
            self.dense[whole].0 += 1;
            self.dense[whole].1 += records;
        } else {
            self.sparse.push((value, records));
        }
    }

    /// The histogram of what was added; the tally is empty again.
    pub(crate) fn take(&mut self) -> Histogram {
        let comparison = self.comparison;
        let mut bins: Vec<(f64, u32, u64)> = Vec::with_capacity(DENSE + self.sparse.len());
        for (value, (groups, records)) in self.dense.iter_mut().enumerate() {
            if *groups > 0 {
                bins.push((value as f64, *groups, *records));
                (*groups, *records) = (0, 0);
            }
        }
        bins.extend(self.sparse.drain(..).map(|(value, records)| (value, 1, records)));
        bins.sort_by(|a, b| comparison.by_strength(a.0, b.0));
        bins.dedup_by(|next, kept| {
            let same = next.0.to_bits() == kept.0.to_bits();
            if same {
                kept.1 += next.1;
                kept.2 += next.2;
            }
            same
        });
        let sums = bins.iter().scan(0, |sum, bin| {
            *sum += bin.2;
            Some(*sum)
        });
        Histogram {
            comparison,
            weaker: [0].into_iter().chain(sums).collect(),
            values: bins.iter().map(|bin| bin.0).collect(),
            groups: bins.iter().map(|bin| bin.1).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(comparison: Comparison, groups: &[(f64, u64)]) -> Histogram {
        let mut tally = Tally::new(comparison);
        for &(value, records) in groups {
            tally.add(value, records);
        }
        tally.take()
    }

    #[test]
    fn thresholds_between_values_suppress_all_weaker_groups() {
        let sizes = tally(Comparison::AtLeast, &[(3.0, 3), (1.0, 1), (3.0, 3), (900.0, 900)]);
        assert_eq!(sizes.suppressed(1.0), 0);
        assert_eq!(sizes.suppressed(3.0), 1);
        assert_eq!(sizes.suppressed(4.0), 7);
        assert_eq!(sizes.suppressed(901.0), 907);
        assert_eq!(sizes.attained(2.0), Some(3.0));
        assert_eq!(sizes.attained(901.0), None);
        assert_eq!(sizes.strongest(0), Some(1.0));
        assert_eq!(sizes.strongest(6), Some(3.0));
        assert_eq!(sizes.strongest(7), Some(900.0));
        assert_eq!(sizes.strongest(10_000), Some(900.0), "nobody is protected by an empty table");
    }

    #[test]
    fn smaller_is_stronger_where_the_model_says_at_most() {
        let closeness = tally(Comparison::AtMost, &[(0.1, 10), (0.3, 5), (0.2, 7), (0.2, 1)]);
        assert_eq!(closeness.suppressed(0.2), 5);
        assert_eq!(closeness.suppressed(0.15), 13);
        assert_eq!(closeness.attained(0.25), Some(0.2));
        assert_eq!(closeness.strongest(5), Some(0.2));
        assert_eq!(closeness.bins().map(|bin| bin.groups).collect::<Vec<_>>(), [1, 2, 1]);
    }

    #[test]
    fn a_tally_is_empty_after_it_was_taken() {
        let mut tally = Tally::new(Comparison::AtLeast);
        tally.add(2.0, 2);
        tally.add(500.0, 500);
        assert_eq!(tally.take().records(), 502);
        assert_eq!(tally.take().records(), 0);
    }
}
