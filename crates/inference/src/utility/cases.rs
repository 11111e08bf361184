//! Records as codes: what is known of each, and its class.

use std::collections::BTreeMap;

use crate::JointCounts;

/// Records that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The value of each attribute.
    pub values: Box<[u32]>,
    /// The class.
    pub class: u32,
    /// How many records are alike.
    pub records: u64,
}

/// Records by the values of attributes and a class, each combination once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cases {
    /// How many values each attribute can have.
    pub values: Vec<usize>,
    /// How many classes there are.
    pub classes: usize,
    /// The records, in ascending order.
    pub cases: Vec<Case>,
}

impl Cases {
    /// Merges records that are alike.
    pub fn new(
        values: Vec<usize>,
        classes: usize,
        records: impl IntoIterator<Item = (Box<[u32]>, u32, u64)>,
    ) -> Self {
        let mut merged: BTreeMap<(Box<[u32]>, u32), u64> = BTreeMap::new();
        for (codes, class, count) in records.into_iter().filter(|&(.., count)| count > 0) {
            *merged.entry((codes, class)).or_default() += count;
        }
        let case = |((values, class), records)| Case { values, class, records };
        Self { values, classes, cases: merged.into_iter().map(case).collect() }
    }

    /// Returns counted records by their published values: `published` returns those of a
    /// combination, or none if it is suppressed; `values` is how many each attribute can have.
    /// `class` returns the class of a value of one of the columns.
    pub fn of<'p>(
        joint: &JointCounts,
        values: Vec<usize>,
        published: impl Fn(usize) -> Option<&'p [u32]>,
        column: usize,
        class: impl Fn(u32) -> u32,
        classes: usize,
    ) -> Self {
        let rows = (0..joint.len()).filter_map(|row| Some((row, published(row)?)));
        let class = &class;
        let records = rows.flat_map(|(row, codes)| {
            let values = joint.values(row).iter();
            values.map(move |value| (codes.into(), class(value.codes[column]), value.count))
        });
        Self::new(values, classes, records)
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.cases.iter().map(|case| case.records).sum()
    }

    /// Returns these records, or says that there are none to learn from.
    pub(super) fn to_learn_from(&self) -> Result<&Self, String> {
        if self.cases.is_empty() { Err("no training record is left".into()) } else { Ok(self) }
    }

    /// Returns the records of each class.
    pub fn by_class(&self) -> Vec<u64> {
        let mut counts = vec![0; self.classes];
        self.cases.iter().for_each(|case| counts[case.class as usize] += case.records);
        counts
    }
}
