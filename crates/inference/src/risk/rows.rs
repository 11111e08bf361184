//! Distinct combinations of values, with the number of records of each.

use rustc_hash::FxHashMap;

use super::Sizes;

/// Rows of coded values, each with its number of records.
///
/// ```
/// use haggle_inference::risk::CodedRows;
///
/// let mut rows = CodedRows::new(["age", "sex"]);
/// rows.add(&[30, 0], 2);
/// rows.add(&[30, 1], 1);
/// assert_eq!(rows.sizes(&[0]).smallest(), Some(3));
/// assert_eq!(rows.sizes(&[0, 1]).unique(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodedRows {
    names: Vec<String>,
    columns: Vec<Vec<u32>>,
    records: Vec<u64>,
}

impl CodedRows {
    /// Starts with no rows of these columns.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        Self { columns: vec![Vec::new(); names.len()], names, records: Vec::new() }
    }

    /// Adds a row: a code in each column.
    pub fn add(&mut self, codes: &[u32], records: u64) {
        debug_assert_eq!(codes.len(), self.columns.len());
        self.columns.iter_mut().zip(codes).for_each(|(column, &code)| column.push(code));
        self.records.push(records);
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the number of records of each row.
    pub fn records(&self) -> &[u64] {
        &self.records
    }

    /// Returns the sizes of the groups of rows that agree in these columns.
    pub fn sizes(&self, columns: &[usize]) -> Sizes {
        let start = RowGroups { of: vec![0; self.len()], groups: 1 };
        let all: Vec<usize> = (0..self.len()).collect();
        let grouping = columns.iter().fold(start, |by, &c| self.refined(&all, &by, c));
        let mut counts = vec![0; grouping.groups];
        for (&group, &records) in grouping.of.iter().zip(&self.records) {
            counts[group as usize] += records;
        }
        counts.into_iter().collect()
    }

    /// Splits groups of some rows by one more column. `by` has an entry for each of the rows.
    pub(super) fn refined(&self, rows: &[usize], by: &RowGroups, column: usize) -> RowGroups {
        let codes = &self.columns[column];
        let mut seen: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let group = |(&row, &parent): (&usize, &u32)| {
            let next = seen.len() as u32;
            *seen.entry((parent, codes[row])).or_insert(next)
        };
        let of = rows.iter().zip(&by.of).map(group).collect();
        RowGroups { of, groups: seen.len() }
    }
}

/// The group of each of some rows.
#[derive(Debug, Clone)]
pub(super) struct RowGroups {
    pub(super) of: Vec<u32>,
    pub(super) groups: usize,
}
