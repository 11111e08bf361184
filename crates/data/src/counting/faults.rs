//! What is wrong with records, counted by kind.

use haggle_model::Problem;
use haggle_model::numerals::counted;

use crate::Table;

/// How many problems of one kind are listed; further ones are only counted.
const LISTED: usize = 5;

/// What is wrong with records, each kind with its first lines and how often it occurs.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Records with a wrong number of fields: line, fields.
    pub(super) fields: Vec<(u64, usize)>,
    /// Missing values where they are an error: line, column.
    pub(super) missing: Vec<(u64, usize)>,
    pub(super) more_fields: u64,
    pub(super) more_missing: u64,
}

impl Faults {
    pub(super) fn keep<T>(list: &mut Vec<T>, more: &mut u64, fault: T) {
        if list.len() < LISTED { list.push(fault) } else { *more += 1 }
    }

    pub(super) fn union(faults: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for fault in faults {
            all.fields.extend(fault.fields);
            all.missing.extend(fault.missing);
            all.more_fields += fault.more_fields;
            all.more_missing += fault.more_missing;
        }
        all.fields.sort_unstable();
        all.missing.sort_unstable();
        all.more_fields += all.fields.len().saturating_sub(LISTED) as u64;
        all.more_missing += all.missing.len().saturating_sub(LISTED) as u64;
        all.fields.truncate(LISTED);
        all.missing.truncate(LISTED);
        all
    }

    pub(super) fn into_problems(self, table: &Table) -> Vec<Problem> {
        let columns = counted(table.columns().len() as u64, "column");
        let fields = self.fields.iter().map(|(line, fields)| {
            let fields = counted(*fields as u64, "field");
            Problem::new(format!("{fields}, but the table has {columns}"))
                .line(*line)
                .fix("quote fields that contain the separator; see also separator and quote in the project")
        });
        let missing = self.missing.iter().map(|(line, column)| {
            Problem::new(format!("'{}' is missing", table.columns()[*column]))
                .line(*line)
                .column(*column as u64 + 1)
                .fix("state what missing values mean: on_missing = \"drop\", \"value\" or \"unmatched\"")
        });
        let more = |n: u64, what: String| (n > 0).then(|| Problem::new(format!("and {what}")));
        let fields_of = counted(self.more_fields, "more record") + " with a wrong number of fields";
        fields
            .chain(more(self.more_fields, fields_of))
            .chain(missing)
            .chain(more(self.more_missing, counted(self.more_missing, "more missing value")))
            .map(|problem| table.place(problem))
            .collect()
    }
}
