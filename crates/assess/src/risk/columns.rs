//! Which columns of a table single people out, before anything is generalized.

use haggle_api::risk::{ColumnRank, ColumnRisk, KeySet};
use haggle_cube::Cube;
use haggle_data::{Missing, Table};
use haggle_inference::risk::{CodedRows, singling_out};
use haggle_model::{Error, Progress, Role, Silent};
use haggle_project::Project;

use crate::measure::{Measured, in_no_field};

/// How many sets of columns are reported.
const SETS: usize = 20;

/// Ranks all columns of a project's table that are not identifiers.
pub(super) fn of_project(
    project: &Project,
    qi: &[String],
    largest: usize,
    memory: usize,
    progress: &dyn Progress,
) -> Result<ColumnRisk, Error> {
    let table = project.table(progress)?;
    let left_out = project.named(Role::Identifier);
    let unit = project.data.unit.clone();
    let names = table.columns().iter().filter(|name| !left_out.contains(name));
    let names: Vec<String> = names.filter(|name| unit.as_ref() != Some(name)).cloned().collect();
    of_table(&table, &names, &project.data.missing, qi, largest, memory)
}

/// Ranks these columns of a table.
pub(super) fn of_table(
    table: &Table,
    names: &[String],
    missing: &Missing,
    qi: &[String],
    largest: usize,
    memory: usize,
) -> Result<ColumnRisk, Error> {
    let readable = |name: &&String| table.column(name).is_some_and(|c| table.is_readable(c));
    let names: Vec<String> = names.iter().filter(readable).cloned().collect();
    let missing = if missing.marks.is_empty() { in_no_field() } else { missing.clone() };
    let measured = Measured::count(table, &names, &[], None, &missing, memory, &Silent)?;
    Ok(of_rows(&rows(measured.cube()), qi, largest))
}

/// The recorded combinations of a cube.
fn rows(cube: &Cube) -> CodedRows {
    let mut rows =
        CodedRows::new(cube.attributes().iter().map(|attribute| attribute.name.as_str()));
    cube.for_each_group(&cube.space().bottom(), 0, |codes, group| rows.add(codes, group.records));
    rows
}

fn of_rows(rows: &CodedRows, qi: &[String], largest: usize) -> ColumnRisk {
    let found = singling_out(rows, largest);
    let rank = |column: haggle_inference::risk::ColumnScore| ColumnRank {
        quasi_identifier: qi.contains(&column.name),
        column: column.name,
        keys: column.keys,
        share: column.share,
    };
    let set =
        |set: haggle_inference::risk::KeySet| KeySet { columns: set.columns, records: set.records };
    ColumnRisk {
        largest: found.largest,
        records: found.records,
        ranking: found.columns.into_iter().map(rank).collect(),
        sets: found.sets.into_iter().take(SETS).map(set).collect(),
    }
}
