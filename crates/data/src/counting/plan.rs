//! What a scan counts, by column.

use rustc_hash::FxHashSet;

use crate::coding::{Gap, Missing, OnMissing};

/// What to count, by column.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The quasi-identifiers to count by.
    pub counted: Vec<usize>,
    /// The attributes whose values are counted within each group.
    pub watched: Vec<usize>,
    /// Every column in which a missing value matters. A watched column that is not among these
    /// names persons: all records without a name count as one person, so that they do not look like
    /// a group.
    pub checked: Vec<usize>,
    /// What counts as missing, and what then.
    pub missing: Missing,
}

impl Plan {
    pub(crate) fn coded(&self) -> impl Iterator<Item = usize> {
        self.counted.iter().chain(&self.watched).copied()
    }

    /// What missing values are counted as, by coded column.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        let unmatched = self.missing.policy == OnMissing::Unmatched;
        let checked: FxHashSet<usize> = self.checked.iter().copied().collect();
        let gap = |(position, column): (usize, usize)| {
            let counted = position < self.counted.len();
            match (checked.contains(&column), unmatched) {
                (true, true) if counted => Gap::Unique,
                (true, true) => Gap::Unknown,
                (false, _) if counted => Gap::Recorded,
                _ => Gap::Labelled,
            }
        };
        self.coded().enumerate().map(gap).collect()
    }

    /// Whether a watched column names persons.
    pub(super) fn names_persons(&self) -> bool {
        let checked: FxHashSet<usize> = self.checked.iter().copied().collect();
        self.watched.iter().any(|column| !checked.contains(column))
    }
}
