//! Columns beyond the quasi-identifiers of a table as it stands: what they single out.

use haggle_api::{OtherColumn, OtherColumns};
use haggle_data::{Missing, PublishedColumns, RecordRecoding, Suppress, Table, publish as stream};
use haggle_model::{Error, Progress, Recoder, Scheme};
use haggle_project::Project;
use rustc_hash::FxHashSet;

use super::layout::ProfileLayout;
use super::profiler::Profiler;
use super::tally::ColumnTally;
use crate::measure::in_no_field;

/// Which columns of a table mean what.
pub struct Meanings<'a> {
    /// The quasi-identifiers.
    pub qi: &'a [String],
    /// The sensitive attributes.
    pub sensitive: &'a [String],
}

/// Counts what the columns of a table single out, as they stand.
pub fn count_others(
    table: &Table,
    meanings: &Meanings<'_>,
    k: Option<u64>,
    memory: usize,
    progress: &dyn Progress,
) -> Result<OtherColumns, Error> {
    let k = k.unwrap_or(super::DEFAULT_K);
    let columns = table.readable();
    let name = |field: usize| &table.columns()[columns[field]];
    let is_sensitive = |field: usize| meanings.sensitive.contains(name(field));
    let whole = (0..columns.len()).filter(|&field| !is_sensitive(field)).collect();
    let scan = ColumnScan { columns: &columns, whole, checked: Vec::new(), missing: in_no_field() };
    let tally = scan.run(table, memory, progress)?;
    let allowed = Project::MAX_BELOW_K.of(tally.records);
    let column = |field: usize| {
        let below_k = tally.columns[field].below(k);
        OtherColumn {
            name: name(field).clone(),
            sensitive: is_sensitive(field),
            unique: tally.columns[field].below(2),
            below_k,
            nearly_unique: below_k > allowed,
        }
    };
    let others = (0..columns.len()).filter(|&field| !meanings.qi.contains(name(field)));
    Ok(OtherColumns {
        k,
        unique_over_all_columns: tally.whole.below(2),
        estimated: tally.whole.is_estimate(),
        other_columns: others.map(column).collect(),
    })
}

/// A scan of columns as they stand.
pub struct ColumnScan<'a> {
    /// The columns that are counted.
    pub columns: &'a [usize],
    /// Positions among the columns over which whole records are compared.
    pub whole: Vec<usize>,
    /// The columns in which a missing value may drop a record.
    pub checked: Vec<usize>,
    /// What counts as missing.
    pub missing: Missing,
}

impl ColumnScan<'_> {
    /// Counts the records of a table.
    pub fn run(
        self,
        table: &Table,
        memory: usize,
        progress: &dyn Progress,
    ) -> Result<ColumnTally, Error> {
        let publication = RecordRecoding {
            columns: self.columns.iter().map(|&column| PublishedColumns::Copied(column)).collect(),
            recoder: Recoder::levels(&Scheme::new([]), &[]),
            distinguished_by: None,
            groups: None,
            failing: &FxHashSet::default(),
            suppress: Suppress::Drop,
            checked: self.checked,
            missing: self.missing,
        };
        let layout = ProfileLayout::of_columns(self.columns.len(), self.whole, memory);
        let mut profiler = Profiler::new(layout);
        stream(table, &publication, &mut profiler, progress)?;
        Ok(profiler.into_tally())
    }
}
