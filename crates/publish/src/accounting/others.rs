//! Columns beyond the quasi-identifiers of a table as it stands: what they single out.

use haggle_data::{Missing, PublishedColumns, RecordRecoding, Suppress, Table, publish as stream};
use haggle_model::{Error, Progress, Recoder, Role, Scheme};
use haggle_project::Project;
use rustc_hash::FxHashSet;

use super::profiler::{ProfileLayout, Profiler};
use super::subject::{Standing, Statements, TableColumn};
use super::tally::ColumnTally;
use crate::measure::in_no_field;

pub use haggle_api::OtherColumn;
pub use haggle_api::OtherColumns;

/// Which columns of a table mean what.
pub(crate) struct Meanings<'a> {
    pub(crate) qi: &'a [String],
    pub(crate) sensitive: &'a [String],
}

/// Counts what the columns of a table single out, as they stand.
pub(crate) fn count_others(
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
    let scan = Scan { columns: &columns, whole, checked: Vec::new(), missing: in_no_field() };
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

/// What the curator should know of columns that the project calls insensitive, or does not list.
pub(crate) fn notes_on_columns(
    project: &Project,
    table: &Table,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Vec<String>, Error> {
    let qi = project.named(Role::QuasiIdentifier);
    let qi: Vec<&str> = qi.iter().map(String::as_str).collect();
    let as_recorded = &project.publish.as_recorded;
    let statements = Statements::new(project, table, &qi, as_recorded, &project.defaults);
    let subject = |&column: &usize| statements.subject(&table.columns()[column]);
    let watched = |subject: &TableColumn| {
        matches!(subject.standing, Standing::Other | Standing::Person) && !subject.as_recorded
    };
    let readable = table.readable();
    let (columns, subjects): (Vec<usize>, Vec<TableColumn>) = readable
        .iter()
        .map(|column| (*column, subject(column)))
        .filter(|(_, s)| watched(s))
        .unzip();
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let (checked, missing) = (project.checked(table), project.data.missing.clone());
    let scan = Scan { columns: &columns, whole: Vec::new(), checked, missing };
    let tally = scan.run(table, memory, progress)?;
    let notes = subjects.iter().enumerate().filter_map(|(i, s)| note(project, s, &tally, i));
    Ok(notes.collect())
}

fn note(
    project: &Project,
    subject: &TableColumn,
    tally: &ColumnTally,
    field: usize,
) -> Option<String> {
    let (name, k) = (&subject.name, project.k().unwrap_or(super::DEFAULT_K));
    let unless = format!("It is not published unless as_recorded under [publish] names '{name}'.");
    if subject.standing == Standing::Person {
        return (!subject.listed).then(|| format!("'{name}' names the persons. {unless}"));
    }
    if let Some(what) = subject.suggested_identifier() {
        return Some(format!("'{name}' is not listed, and its name suggests {what}. {unless}"));
    }
    let below = tally.columns[field].below(k);
    if below > project.publish.max_below_k.of(tally.records) {
        return Some(format!(
            "'{name}' is nearly unique: {below} of {} records have a value that fewer than {k} \
             share. {unless}",
            tally.records
        ));
    }
    let suspicion = subject.suspicion(&tally.shapes[field])?;
    Some(format!(
        "'{name}' is not listed, and {suspicion}. Give it a role, or it may be published unchanged."
    ))
}

/// A scan of columns as they stand.
struct Scan<'a> {
    columns: &'a [usize],
    /// Positions among the columns over which whole records are compared.
    whole: Vec<usize>,
    checked: Vec<usize>,
    missing: Missing,
}

impl Scan<'_> {
    fn run(
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
