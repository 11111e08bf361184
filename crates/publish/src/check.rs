//! Reads a project with its data and reports what the curator should know before publishing.

use haggle_api::{AttributeReport, Report};
use haggle_cube::Limits;
use haggle_data::{RecordCount, Scanned, Table, profile};
use haggle_engine::criterion::Criterion;
use haggle_model::numerals::counted;
use haggle_model::{Error, Problem, Problems, Progress, Role, Silent};
use haggle_privacy::{Stated, Target};
use haggle_project::facts::AllStated;
use haggle_project::project::Attribute;
use haggle_project::survey::{Survey, survey_values};
use haggle_project::{Project, facts};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::accounting::notes_on_columns;

/// Reads everything and reports every problem at once, or what the project is.
pub fn check(project: &Project, progress: &dyn Progress) -> Result<Report, Error> {
    check_within(project, Limits::default().memory, progress)
}

/// Reads everything and reports every problem at once, with at most this many bytes for the values
/// that occur.
pub fn check_within(
    project: &Project,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    let qi = project.named(Role::QuasiIdentifier);
    let Survey { attributes, scanned, table, stated } =
        survey_values(project, &qi, memory, progress)?;
    let table = table.within(memory);
    let sources: FxHashMap<&str, &Attribute> =
        project.attributes.iter().map(|a| (a.name.as_str(), a)).collect();
    let sensitive = project.named(Role::Sensitive);
    let quasi =
        attributes.iter().map(|a| (&a.name, Role::QuasiIdentifier, u8::from(a.hierarchy.top())));
    let levels = |name: &String| {
        let rows = stated.get(name).and_then(|stated| stated.hierarchy.as_ref());
        rows.and_then(|rows| rows.first()).map_or(0, |row| row.len() as u8 - 1)
    };
    let watched = sensitive.iter().map(|name| (name, Role::Sensitive, levels(name)));
    let report = |(i, (name, role, levels)): (usize, (&String, Role, u8))| AttributeReport {
        name: name.clone(),
        role,
        values: scanned.values(i).dictionary.len(),
        levels,
        hierarchy: (role == Role::QuasiIdentifier || levels > 0)
            .then(|| sources.get(name.as_str()).map(|a| a.source()).unwrap_or_default()),
    };
    let missing = (0..).zip(&attributes).map(|(i, a)| (&a.name, scanned.values(i).missing.len()));
    let notes = missing.filter(|(_, n)| *n > 0).map(|(name, n)| matched_by_nobody(name, n));
    check_published(project, &table)?;
    let columns = notes_on_columns(project, &table, memory, progress)?;
    let notes = notes.chain(likely_units(project, &table)?).chain(columns);
    let notes: Vec<String> = notes.collect();
    check_request(project, &scanned, qi.len(), &stated)?;
    Ok(Report {
        records: scanned.read(),
        dropped: scanned.dropped(),
        files: table.input().parts().len(),
        separator: table.is_delimited().then(|| table.format().separator.into()),
        header: table.has_header(),
        attributes: quasi.chain(watched).enumerate().map(report).collect(),
        notes,
    })
}

/// Every column that is named to be published as recorded, or to be kept, is one of the table.
fn check_published(project: &Project, table: &Table) -> Result<(), Error> {
    let unknown = project.publish.as_recorded.iter().filter(|name| table.column(name).is_none());
    let problem = |name: &String| {
        let what = format!("as_recorded names '{name}', which is not a column of the data");
        Problem::new(what).file(&project.file).fix("correct the name, or leave it out")
    };
    let keep = project.publish.unknown_in_keep(table, &project.file);
    Ok(Problems::check(unknown.map(problem).chain(keep).collect())?)
}

/// Whether what is asked by default can be asked of this data.
fn check_request(
    project: &Project,
    scanned: &Scanned<RecordCount>,
    counted: usize,
    stated: &AllStated,
) -> Result<(), Error> {
    if project.defaults.privacy.is_empty() {
        return Ok(());
    }
    let sensitive = project.named(Role::Sensitive);
    let facts = sensitive.iter().enumerate().map(|(position, name)| {
        let values = scanned.values(counted + position).dictionary.sorted();
        let counts = vec![1; values.len()];
        let target = Target { position, name: name.clone() };
        facts::resolve(target, values, counts, stated.get(name).unwrap_or(&Stated::default()))
    });
    let facts = facts.collect::<Result<Vec<_>, _>>()?;
    let unit = project.data.unit.as_ref();
    let unit = unit.map(|name| Target { position: sensitive.len(), name: name.clone() });
    let criteria = Criterion::all(&project.defaults.privacy, &facts, unit.as_ref());
    criteria
        .and_then(|c| c.iter().try_for_each(Criterion::within_reach))
        .map_err(|error| error.map_problems(|problem| problem.file(&project.file)))
}

/// Columns that seem to name persons and repeat, if the project does not say what to count.
fn likely_units(project: &Project, table: &Table) -> Result<Vec<String>, Error> {
    let identifiers: FxHashSet<String> = project.named(Role::Identifier).into_iter().collect();
    let likely = |name: &String| identifiers.contains(name) || names_persons(name);
    if project.data.unit.is_some() || !table.columns().iter().any(likely) {
        return Ok(Vec::new());
    }
    let profile = profile(table, &project.data.missing.marks, &Silent)?;
    let repeats = |column: &&haggle_data::ColumnProfile| {
        likely(&column.name) && column.sample.values().iter().any(|(_, records)| *records > 1)
    };
    let note = |column: &haggle_data::ColumnProfile| {
        let (name, about) = (&column.name, if column.sample.is_complete() { "" } else { "about " });
        format!(
            "'{name}' repeats: {}, {about}{}. If it names persons, say unit = \"{name}\" under \
             [data], because k records of one person do not hide that person.",
            counted(column.known, "record"),
            counted(column.sample.distinct(), "different value")
        )
    };
    Ok(profile.columns.iter().filter(repeats).map(note).collect())
}

fn matched_by_nobody(name: &str, records: usize) -> String {
    let records = if records == 1 { "1 record".into() } else { format!("{records} records") };
    format!(
        "'{name}' is missing in {records}. A missing value matches nothing, so each is a group of \
         its own unless '{name}' is at its top level."
    )
}

/// Whether a column's name sounds like the number of a person.
fn names_persons(name: &str) -> bool {
    let name = name.to_lowercase();
    name == "id" || ["_id", "-id", " id", ".id"].iter().any(|ending| name.ends_with(ending))
}
