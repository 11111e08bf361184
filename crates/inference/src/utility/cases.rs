//! Records as codes: what is known of each, and its class.

use crate::JointCounts;

/// Records that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case<'a> {
    /// The value of each attribute.
    pub values: &'a [u32],
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
    /// The values and the class of each case, concatenated, in ascending order.
    codes: Vec<u32>,
    /// The records of each case.
    records: Vec<u64>,
}

impl Cases {
    /// Merges records that are alike: their values, their class and how many they are.
    pub fn new<V: AsRef<[u32]>>(
        values: Vec<usize>,
        classes: usize,
        records: impl IntoIterator<Item = (V, u32, u64)>,
    ) -> Self {
        let width = values.len() + 1;
        let (mut codes, mut counts) = (Vec::new(), Vec::new());
        for (values, class, count) in records.into_iter().filter(|&(.., count)| count > 0) {
            codes.extend_from_slice(values.as_ref());
            codes.push(class);
            counts.push(count);
        }
        let of = |place: u32| &codes[place as usize * width..][..width];
        let mut order: Vec<u32> = (0..counts.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| of(a).cmp(of(b)));
        let mut merged = Self { values, classes, codes: Vec::new(), records: Vec::new() };
        for alike in order.chunk_by(|&a, &b| of(a) == of(b)) {
            merged.codes.extend_from_slice(of(alike[0]));
            merged.records.push(alike.iter().map(|&place| counts[place as usize]).sum());
        }
        merged
    }

    /// Returns counted records by their published values: `published` returns those of a
    /// combination, or none if it is suppressed; `values` is how many each attribute can have.
    /// `class` returns the class of a value of one of the columns.
    pub fn from_joint<'p>(
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
            values.map(move |value| (codes, class(value.codes[column]), value.count))
        });
        Self::new(values, classes, records)
    }

    /// Returns every case, in ascending order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Case<'_>> {
        let codes = self.codes.chunks_exact(self.values.len() + 1).zip(&self.records);
        codes.map(|(codes, &records)| {
            let (&class, values) = codes.split_last().expect("the class comes last");
            Case { values, class, records }
        })
    }

    /// Returns how many cases there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.records.iter().sum()
    }

    /// Returns these records, or says that there are none to learn from.
    pub(super) fn to_learn_from(&self) -> Result<&Self, String> {
        if self.is_empty() { Err("no training record is left".into()) } else { Ok(self) }
    }

    /// Returns the records of each class.
    pub fn by_class(&self) -> Vec<u64> {
        let mut counts = vec![0; self.classes];
        self.iter().for_each(|case| counts[case.class as usize] += case.records);
        counts
    }
}
