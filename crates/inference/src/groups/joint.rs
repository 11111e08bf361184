//! Counted records with the joint values of columns that are published as recorded.

use haggle_cube::{Base, Cube, Group};
use haggle_model::{Dictionary, Level, QuasiIdentifier, Watched};
use rustc_hash::FxHashMap;

use super::{Extent, PublishedGroup, RecordedCount};

/// The recorded combinations of the quasi-identifiers, each with its records by the columns that are
/// published as recorded. The combinations are in the order of [`haggle_cube::Base`].
#[derive(Debug, Clone)]
pub struct JointCounts {
    attributes: Vec<QuasiIdentifier>,
    columns: Vec<Watched>,
    /// The recorded codes of each combination, concatenated.
    codes: Vec<u32>,
    /// Where the values of each combination end.
    ends: Vec<usize>,
    values: Vec<RecordedCount>,
    records: u64,
}

impl JointCounts {
    /// Builds the counts of a cube, with the values of one watched attribute or of none.
    pub fn from_cube(cube: &Cube, watched: Option<usize>) -> Self {
        let columns: Vec<Watched> =
            watched.map(|w| cube.watched()[w].clone()).into_iter().collect();
        let mut joint = Self::new(cube.attributes().to_vec(), columns);
        cube.for_each_group(&cube.space().bottom(), watched.unwrap_or(0), |codes, group| {
            joint.codes.extend_from_slice(codes);
            joint.push_values(group);
            joint.ends.push(joint.values.len());
        });
        joint
    }

    /// Builds the counts of a table from two cubes of it: one of its quasi-identifiers, and one that
    /// has further columns after these. A cube's own order need not be that of its first attributes,
    /// so combinations are found by their codes. None if the second cube has others, because the
    /// table changed.
    pub fn of_columns(cube: &Cube, with_columns: &Cube) -> Option<Self> {
        let base = Base::of(cube);
        let (_, others) = with_columns.attributes().split_at(base.attributes());
        let columns: Vec<Watched> = others.iter().map(column).collect();
        let rows: FxHashMap<&[u32], usize> = (0..base.len()).map(|r| (base.codes(r), r)).collect();
        let mut by_row: Vec<Vec<RecordedCount>> = vec![Vec::new(); base.len()];
        let mut same = true;
        with_columns.for_each_group(&with_columns.space().bottom(), 0, |codes, group| {
            let (codes, values) = codes.split_at(base.attributes());
            match rows.get(codes) {
                Some(&row) => {
                    by_row[row].push(RecordedCount { codes: values.into(), count: group.records });
                }
                None => same = false,
            }
        });
        let mut joint = Self::new(cube.attributes().to_vec(), columns);
        for (row, values) in by_row.into_iter().enumerate() {
            joint.codes.extend_from_slice(base.codes(row));
            for value in values {
                joint.push(value.codes, value.count);
            }
            joint.ends.push(joint.values.len());
        }
        same.then_some(joint)
    }

    fn new(attributes: Vec<QuasiIdentifier>, columns: Vec<Watched>) -> Self {
        let (codes, ends, values) = (Vec::new(), Vec::new(), Vec::new());
        Self { attributes, columns, codes, ends, values, records: 0 }
    }

    /// Adds the values of one combination; records without a value get the code after the last.
    fn push_values(&mut self, group: &Group<'_>) {
        let Some(column) = self.columns.first() else {
            return self.push(Box::new([]), group.records);
        };
        let (unknown, missing) = (column.values.len() as u32, group.records - group.known());
        for value in group.values {
            self.push(Box::new([value.code]), value.count);
        }
        if missing > 0 {
            self.push(Box::new([unknown]), missing);
        }
    }

    fn push(&mut self, codes: Box<[u32]>, count: u64) {
        self.records += count;
        self.values.push(RecordedCount { codes, count });
    }

    /// Divides the records in two by how many of each count go to the second part. Both parts have
    /// the same combinations; some may be without records.
    pub fn divided(&self, mut second: impl FnMut(usize, &RecordedCount) -> u64) -> (Self, Self) {
        let empty = || Self {
            codes: self.codes.clone(),
            ..Self::new(self.attributes.clone(), self.columns.clone())
        };
        let mut parts = (empty(), empty());
        for row in 0..self.len() {
            for value in self.values(row) {
                let moved = second(row, value).min(value.count);
                parts.0.push(value.codes.clone(), value.count - moved);
                parts.1.push(value.codes.clone(), moved);
            }
            parts.0.ends.push(parts.0.values.len());
            parts.1.ends.push(parts.1.values.len());
        }
        parts
    }

    /// Returns the recorded value of a combination in every attribute, and of some of its records in
    /// every column.
    pub fn labels<'s>(
        &'s self,
        row: usize,
        value: &'s RecordedCount,
    ) -> impl Iterator<Item = &'s str> {
        let attributes = self.attributes.iter().zip(self.codes(row));
        let columns = self.columns.iter().zip(&value.codes);
        let known = |(column, &code): (&'s Watched, &u32)| {
            if (code as usize) < column.values.len() { column.values.value(code) } else { "" }
        };
        attributes
            .map(|(attribute, &code)| attribute.hierarchy.label(code, Level::RECORDED))
            .chain(columns.map(known))
    }

    /// The quasi-identifiers.
    pub fn attributes(&self) -> &[QuasiIdentifier] {
        &self.attributes
    }

    /// The columns that are published as recorded.
    pub fn columns(&self) -> &[Watched] {
        &self.columns
    }

    /// How many combinations there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The recorded codes of a combination.
    pub fn codes(&self, row: usize) -> &[u32] {
        let width = self.attributes.len();
        &self.codes[row * width..][..width]
    }

    /// The records of a combination by the columns that are published as recorded.
    pub fn values(&self, row: usize) -> &[RecordedCount] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.values[start..self.ends[row]]
    }

    /// How many records have a combination.
    pub fn count(&self, row: usize) -> u64 {
        self.values(row).iter().map(|value| value.count).sum()
    }

    /// Merges combinations into a group.
    pub(super) fn group(&self, extent: Extent, rows: &[u32]) -> PublishedGroup {
        let mut values: Vec<RecordedCount> =
            rows.iter().flat_map(|&row| self.values(row as usize)).cloned().collect();
        values.sort_unstable_by(|a, b| a.codes.cmp(&b.codes));
        values.dedup_by(|next, kept| {
            let same = next.codes == kept.codes;
            kept.count += if same { next.count } else { 0 };
            same
        });
        let records = values.iter().map(|value| value.count).sum();
        PublishedGroup { extent, records, values }
    }
}

/// A counted attribute as a column: its recorded values by code.
fn column(attribute: &QuasiIdentifier) -> Watched {
    let hierarchy = &attribute.hierarchy;
    let codes = 0..hierarchy.len(Level::RECORDED) as u32;
    let labels = codes.map(|code| hierarchy.label(code, Level::RECORDED).into());
    let values: Dictionary = labels.collect::<Vec<Box<str>>>().into();
    Watched { name: attribute.name.clone(), values }
}
