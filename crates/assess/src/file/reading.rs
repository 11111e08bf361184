//! How a file is read that may be a publication: by the dialect that it was written in.

use std::path::Path;

use haggle_data::{CsvOptions, Input, Table};
use haggle_model::Error;
use haggle_project::Project;

use crate::manifest::Manifest;

/// Opens a file in which these columns are looked for. What has a manifest was written by this
/// program, in one dialect. Anything else is read as the project states, if its columns are found
/// that way, else as this program writes, and only then by a guess.
pub(crate) fn open(
    file: &Path,
    manifest: Option<&Manifest>,
    project: Option<&Project>,
    columns: &[String],
) -> Result<Table, Error> {
    let stated = project.map(|project| &project.data.options);
    let named =
        stated.map(|options| CsvOptions { header: Some(true), columns: None, ..options.clone() });
    let unnamed = stated.filter(|options| options.columns.is_some()).cloned();
    let written = CsvOptions::as_written();
    let ways = match manifest {
        Some(_) => vec![Some(written), named, unnamed],
        None => vec![named, project.map(|_| written), unnamed],
    };
    let has_all = |table: &Table| columns.iter().all(|name| table.column(name).is_some());
    let is_marked = manifest.is_some_and(|manifest| manifest.spreadsheet_safe);
    let open = |way: &CsvOptions| {
        let table = Table::open(Input::file(file), way)?;
        Ok(if is_marked { table.spreadsheet_safe() } else { table })
    };
    let opened = ways.into_iter().flatten().map(|way| open(&way));
    let found = opened.filter_map(Result::ok).find(has_all);
    found.map_or_else(|| open(&CsvOptions::default()), Ok)
}
