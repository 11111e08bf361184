//! Several groups merged into one.

use crate::{Group, ValueCount};

/// The union of groups that share no record, with the counts of one watched attribute's values.
///
/// ```
/// use haggle_cube::{Group, Merged, ValueCount};
///
/// let one = [ValueCount { code: 2, count: 3 }];
/// let other = [ValueCount { code: 0, count: 1 }, ValueCount { code: 2, count: 1 }];
/// let mut merged = Merged::default();
/// merged.add(&Group { records: 3, values: &one });
/// merged.add(&Group { records: 2, values: &other });
/// let group = merged.group();
/// assert_eq!((group.records, group.values.len(), group.values[1].count), (5, 2, 4));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Merged {
    records: u64,
    values: Vec<ValueCount>,
}

impl Merged {
    /// Adds a group.
    pub fn add(&mut self, group: &Group<'_>) {
        self.records += group.records;
        self.values.extend_from_slice(group.values);
    }

    /// The groups that were added, as one.
    pub fn group(&mut self) -> Group<'_> {
        self.values.sort_by_key(|value| value.code);
        self.values.dedup_by(|next, kept| {
            let same = next.code == kept.code;
            if same {
                kept.count = kept.count.saturating_add(next.count);
            }
            same
        });
        Group { records: self.records, values: &self.values }
    }
}
