//! What is known of the table behind a publication: its counts, or nothing but its hierarchies.

use std::ops::Range;

use haggle_cube::query::ValueSet;
use haggle_model::{Level, QuasiIdentifier};

use crate::JointCounts;

/// Which recorded values a published value may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Domain {
    /// Those that occur in the table.
    #[default]
    Occurring,
    /// All that the hierarchy has.
    Leaves,
}

/// Where the probabilities of recorded values come from.
#[derive(Debug, Clone, Copy)]
pub enum Knowledge<'a> {
    /// From a table: the joint distribution of its quasi-identifiers, and the distribution of each.
    Table(&'a JointCounts),
    /// From nothing: every recorded value below a published one is equally likely.
    Uniform,
}

/// A distribution of each attribute's recorded values, as sums up to each code: the weight of a
/// range is the difference of two of them.
#[derive(Debug, Clone)]
pub(super) struct CumulativeMarginals {
    sums: Vec<Vec<u64>>,
}

impl CumulativeMarginals {
    /// The records of each recorded value.
    pub(super) fn of(table: &JointCounts) -> Self {
        let mut counts: Vec<Vec<u64>> =
            sizes(table.attributes()).map(|size| vec![0; size]).collect();
        for row in 0..table.len() {
            let records = table.count(row);
            for (counts, &code) in counts.iter_mut().zip(table.codes(row)) {
                counts[code as usize] += records;
            }
        }
        Self { sums: counts.iter().map(|counts| sums(counts)).collect() }
    }

    /// One for each recorded value.
    pub(super) fn uniform(attributes: &[QuasiIdentifier]) -> Self {
        Self { sums: sizes(attributes).map(|size| sums(&vec![1; size])).collect() }
    }

    /// The weight of neighbouring codes: two cumulative looks.
    pub(super) fn of_range(&self, attribute: usize, codes: &Range<u32>) -> u64 {
        let sums = &self.sums[attribute];
        sums[codes.end as usize] - sums[codes.start as usize]
    }

    /// The weight of a set of codes.
    pub(super) fn of_set(&self, attribute: usize, set: &ValueSet) -> u64 {
        set.ranges().map(|range| self.of_range(attribute, &range)).sum()
    }

    /// The weight of the codes that two sets have in common.
    pub(super) fn of_both(&self, attribute: usize, one: &ValueSet, other: &ValueSet) -> u64 {
        one.overlaps(other).map(|range| self.of_range(attribute, &range)).sum()
    }

    /// The codes that have a weight.
    pub(super) fn occurring(&self, attribute: usize) -> ValueSet {
        let sums = self.sums[attribute].windows(2).zip(0..);
        ValueSet::codes(sums.filter(|(pair, _)| pair[0] < pair[1]).map(|(_, code)| code))
    }
}

fn sizes(attributes: &[QuasiIdentifier]) -> impl Iterator<Item = usize> + '_ {
    attributes.iter().map(|attribute| attribute.hierarchy.len(Level::RECORDED))
}

/// The sums before each position, and the sum of all.
fn sums(counts: &[u64]) -> Vec<u64> {
    let mut sum = 0;
    let following = counts.iter().map(|count| {
        sum += count;
        sum
    });
    [0].into_iter().chain(following).collect()
}
