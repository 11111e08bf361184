//! An attacker who knows at most L of the quasi-identifiers.
//!
//! Mohammed, Fung, Hung and Lee, *Anonymizing Healthcare Data* (2009): a table is LKC-private if
//! for every set of at most L attributes each group has at least K records and no sensitive value
//! has a higher share than C. Larger sets give smaller groups and higher shares, so sets of exactly
//! L attributes decide.

use haggle_cube::ValueCount;

use super::CodedRows;
use super::rows::RowGroups;

/// The worst that an attacker with limited knowledge finds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KnownAttributes {
    /// How many attributes the attacker knows.
    pub attributes: usize,
    /// The smallest group that any such set of attributes leaves.
    pub smallest: u64,
    /// The attributes that leave it.
    pub by: Vec<String>,
    /// The highest share of a value of any sensitive attribute in such a group; `None` without one.
    pub confidence: Option<f64>,
}

/// Returns the worst that knowing at most `most` columns reveals. `sensitive` has, for each sensitive
/// attribute, the counts of its values in each row.
///
/// ```
/// use haggle_inference::risk::{CodedRows, knowing_at_most};
///
/// let mut rows = CodedRows::new(["age", "sex"]);
/// [[30, 0], [30, 1], [31, 0], [31, 1]].iter().for_each(|codes| rows.add(codes, 2));
/// assert_eq!(knowing_at_most(&rows, &[], 1).smallest, 4);
/// assert_eq!(knowing_at_most(&rows, &[], 2).smallest, 2);
/// ```
pub fn knowing_at_most(
    rows: &CodedRows,
    sensitive: &[Vec<Vec<ValueCount>>],
    most: usize,
) -> KnownAttributes {
    let most = most.min(rows.names().len());
    let start = RowGroups { of: vec![0; rows.len()], groups: 1 };
    let confidence = (!sensitive.is_empty()).then_some(0.0);
    let worst =
        KnownAttributes { attributes: most, smallest: u64::MAX, by: Vec::new(), confidence };
    let all: Vec<usize> = (0..rows.len()).collect();
    let mut visit = KnownSet { rows, all, sensitive, worst };
    visit.extend(&mut Vec::new(), &start);
    if rows.is_empty() { KnownAttributes { smallest: 0, ..visit.worst } } else { visit.worst }
}

struct KnownSet<'r> {
    rows: &'r CodedRows,
    all: Vec<usize>,
    sensitive: &'r [Vec<Vec<ValueCount>>],
    worst: KnownAttributes,
}

impl KnownSet<'_> {
    fn extend(&mut self, set: &mut Vec<usize>, by: &RowGroups) {
        if set.len() == self.worst.attributes {
            return self.judge(set, by);
        }
        let missing = self.worst.attributes - set.len();
        let first = set.last().map_or(0, |last| last + 1);
        for column in first..=self.rows.names().len() - missing {
            let grouping = self.rows.refined(&self.all, by, column);
            set.push(column);
            self.extend(set, &grouping);
            set.pop();
        }
    }

    fn judge(&mut self, set: &[usize], by: &RowGroups) {
        let mut sizes = vec![0_u64; by.groups];
        for (&group, &records) in by.of.iter().zip(self.rows.records()) {
            sizes[group as usize] += records;
        }
        let smallest = sizes.iter().copied().filter(|size| *size > 0).min();
        if let Some(smallest) = smallest.filter(|size| *size < self.worst.smallest) {
            self.worst.smallest = smallest;
            self.worst.by = set.iter().map(|&c| self.rows.names()[c].clone()).collect();
        }
        if let Some(confidence) = &mut self.worst.confidence {
            let shares = self.sensitive.iter().map(|values| highest_share(by, &sizes, values));
            *confidence = shares.fold(*confidence, f64::max);
        }
    }
}

/// The highest share of a value of one sensitive attribute in a group.
fn highest_share(by: &RowGroups, sizes: &[u64], values: &[Vec<ValueCount>]) -> f64 {
    let mut counts = rustc_hash::FxHashMap::<(u32, u32), u64>::default();
    for (&group, values) in by.of.iter().zip(values) {
        for value in values {
            *counts.entry((group, value.code)).or_default() += value.count;
        }
    }
    let share = |((group, _), count): (&(u32, u32), &u64)| {
        *count as f64 / sizes[*group as usize].max(1) as f64
    };
    counts.iter().map(share).fold(0.0, f64::max)
}
