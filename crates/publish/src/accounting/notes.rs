//! What the curator should know of columns before anything is published.

use haggle_assess::column_counts::{ColumnScan, ColumnTally, DEFAULT_K};
use haggle_data::Table;
use haggle_model::{Error, Progress, Role};
use haggle_project::Project;

use super::subject::{Standing, Statements, TableColumn};

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
    let scan = ColumnScan { columns: &columns, whole: Vec::new(), checked, missing };
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
    let (name, k) = (&subject.name, project.k().unwrap_or(DEFAULT_K));
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
