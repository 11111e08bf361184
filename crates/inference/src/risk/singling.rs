//! Which sets of columns single records out.
//!
//! A minimal sample unique (MSU) of a record is a set of columns in which its values are unique,
//! while they are not in any smaller set. Its score is Π (A − i) for i from its size to M, with A
//! columns and sets of at most M columns. Elliot, Manning and Ford, *A Computational Algorithm for
//! Handling the Special Uniques Problem* (2002); the sets are found by refining groups column by
//! column, not by SUDA's recursion.

use std::collections::BTreeMap;

use super::CodedRows;
use super::rows::RowGroups;

/// At most this many row visits; larger tables are examined with smaller sets.
const MOST_WORK: u64 = 400_000_000;

/// A set of columns, and how many records it is minimal for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeySet {
    /// The columns.
    pub columns: Vec<String>,
    /// How many records are unique over these columns, and over no smaller set of them.
    pub records: u64,
}

/// How much a column takes part in singling out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ColumnScore {
    /// The column.
    pub name: String,
    /// Minimal sample uniques with this column.
    pub keys: u64,
    /// The share of the total score that belongs to sets with this column.
    pub share: f64,
}

/// The sets of columns that single records out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SinglingOut {
    /// The largest sets examined.
    pub largest: usize,
    /// Records that are unique in at least one of the sets.
    pub records: u64,
    /// The sets, the smallest first and then those that single out most records.
    pub sets: Vec<KeySet>,
    /// The columns, the highest share first.
    pub columns: Vec<ColumnScore>,
}

/// Finds the minimal sets of at most `largest` columns that single records out.
///
/// ```
/// use haggle_inference::risk::{CodedRows, singling_out};
///
/// let mut rows = CodedRows::new(["age", "sex"]);
/// [[30, 0], [30, 1], [31, 0], [31, 0]].iter().for_each(|codes| rows.add(codes, 1));
/// let found = singling_out(&rows, 2);
/// assert_eq!(found.records, 2); // a woman is alone, and one man of 30
/// assert_eq!(found.sets[0].columns, ["sex"]);
/// ```
pub fn singling_out(rows: &CodedRows, largest: usize) -> SinglingOut {
    let columns = rows.names().len().min(64);
    let largest = affordable(rows.len(), columns, largest);
    let mut search = SetSearch { rows, largest, unique: BTreeMap::new(), minimal: BTreeMap::new() };
    let all: Vec<usize> = (0..rows.len()).collect();
    let start = RowGroups { of: vec![0; rows.len()], groups: 1 };
    search.unique.insert(0, Bits::none(rows.len()));
    search.extend(0, columns, &all, &start);
    search.report(columns)
}

/// The largest sets for which all sets can be visited.
fn affordable(rows: usize, columns: usize, largest: usize) -> usize {
    let (mut sets, mut visits) = (1_u64, 0_u64);
    for size in 1..=largest.min(columns) {
        sets = sets * (columns - size + 1) as u64 / size as u64;
        visits += sets * rows.max(1) as u64;
        if visits > MOST_WORK && size > 1 {
            return size - 1;
        }
    }
    largest.min(columns)
}

/// Visits sets so that every subset comes before its supersets: as numbers, in rising order.
struct SetSearch<'r> {
    rows: &'r CodedRows,
    largest: usize,
    /// The rows that are unique in each set.
    unique: BTreeMap<u64, Bits>,
    /// How many rows each set is minimal for.
    minimal: BTreeMap<u64, u64>,
}

impl SetSearch<'_> {
    /// Adds to a set each column below `end`, the lowest first, and then to those sets.
    fn extend(&mut self, set: u64, end: usize, rows: &[usize], by: &RowGroups) {
        for column in 0..end {
            let (larger, grouping) = (set | 1 << column, self.rows.refined(rows, by, column));
            let alone = self.alone(rows, &grouping);
            self.settle(larger, set, rows, &alone);
            if larger.count_ones() < self.largest as u32 {
                // A unique row stays unique, so larger sets are not minimal for it.
                let rest = |(i, _): &(usize, &usize)| !alone[*i];
                let of = rows.iter().enumerate().filter(rest).map(|(i, _)| grouping.of[i]);
                let of: Vec<u32> = of.collect();
                let remaining: Vec<usize> =
                    rows.iter().enumerate().filter(rest).map(|(_, &row)| row).collect();
                let by = RowGroups { of, groups: grouping.groups };
                self.extend(larger, column, &remaining, &by);
            }
        }
    }

    /// Whether each of the rows is one record alone in its group.
    fn alone(&self, rows: &[usize], grouping: &RowGroups) -> Vec<bool> {
        let mut sizes = vec![0; grouping.groups];
        for (&row, &group) in rows.iter().zip(&grouping.of) {
            sizes[group as usize] += self.rows.records()[row];
        }
        grouping.of.iter().map(|&group| sizes[group as usize] == 1).collect()
    }

    /// Notes which rows are unique in a set, and for how many it is minimal.
    fn settle(&mut self, set: u64, parent: u64, rows: &[usize], alone: &[bool]) {
        let mut unique = self.unique[&parent].clone();
        let mut minimal = 0;
        for (&row, _) in rows.iter().zip(alone).filter(|(_, alone)| **alone) {
            unique.set(row);
            let subsets = (0..64).filter(|column| set >> column & 1 == 1);
            let earlier = subsets.map(|column| set & !(1 << column));
            minimal += u64::from(!earlier.into_iter().any(|subset| self.unique[&subset].get(row)));
        }
        self.unique.insert(set, unique);
        if minimal > 0 {
            self.minimal.insert(set, minimal);
        }
    }

    fn report(&self, columns: usize) -> SinglingOut {
        let largest = self.largest;
        let score = |set: u64| -> f64 {
            (set.count_ones() as usize..=largest).map(|i| (columns - i).max(1) as f64).product()
        };
        let total: f64 = self.minimal.iter().map(|(&set, &rows)| score(set) * rows as f64).sum();
        let of_column = |column: usize| {
            let with = || self.minimal.iter().filter(move |(set, _)| **set >> column & 1 == 1);
            let sum: f64 = with().map(|(&set, &rows)| score(set) * rows as f64).sum();
            ColumnScore {
                name: self.rows.names()[column].clone(),
                keys: with().map(|(_, rows)| rows).sum(),
                share: if total > 0.0 { sum / total } else { 0.0 },
            }
        };
        let mut scores: Vec<ColumnScore> = (0..columns).map(of_column).collect();
        scores.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.name.cmp(&b.name)));
        let mut found = Bits::none(self.rows.len());
        self.unique.values().for_each(|bits| found.add(bits));
        SinglingOut { largest, records: found.count(), sets: self.sets(), columns: scores }
    }

    fn sets(&self) -> Vec<KeySet> {
        let names = |set: u64| {
            let names = self.rows.names().iter().enumerate();
            names.filter(|(i, _)| set >> i & 1 == 1).map(|(_, name)| name.clone()).collect()
        };
        let set = |(&set, &records): (&u64, &u64)| KeySet { columns: names(set), records };
        let mut sets: Vec<KeySet> = self.minimal.iter().map(set).collect();
        sets.sort_by_key(|set| (set.columns.len(), std::cmp::Reverse(set.records)));
        sets
    }
}

/// A set of rows.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    fn set(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    fn get(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}
