//! Changing data: records added to a stored lattice and deleted from it, without reading the table again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use haggle_api::{Changes, Updated};
use haggle_cube::Cube;
use haggle_data::{Input, Scanned, Table, scan_changes};
use haggle_model::{Error, ErrorKind, Problem, Problems, Remedy, Role};
use haggle_project::Project;
use haggle_project::covering::{covering, from_file, uncovered};
use haggle_project::files::without_publications;
use haggle_project::survey::{noted, plan};

use crate::Engine;
use crate::criteria::start::needs_recorded;
use crate::lattice::lattice_file;
use crate::lattice::lattice_file::Note;
use crate::options::Options;

mod merge;

use merge::Merge;

fn report_of(engine: &Engine, Changes { added, deleted }: Changes, dropped: u64) -> Updated {
    let built = engine.built();
    Updated {
        added,
        deleted,
        dropped,
        changes: engine.changed_since(),
        records: built.records,
        base_groups: built.base_groups,
        schemes: built.schemes,
        annotate_millis: built.annotate_millis,
        millis: built.millis,
        revealed: Vec::new(),
    }
}

/// Files of changed records, as the project describes its data.
#[derive(Debug, Clone, Default)]
pub struct ChangeFiles {
    /// Records to add.
    pub add: Vec<PathBuf>,
    /// Records to delete; each must be there, or have been added at the same time.
    pub delete: Vec<PathBuf>,
}

/// The engine of a project's stored lattice with some records added and then some deleted, as if the
/// table had been so from the beginning. Nothing is written; see [`save`](Self::save).
pub(crate) fn updated(
    project: &Project,
    files: &ChangeFiles,
    options: &Options<'_>,
) -> Result<(Engine, Updated), Error> {
    let start = Instant::now();
    let (cube, note) = stored(project)?;
    needs_recorded(&cube, "an update")?;
    let qi: Vec<String> = cube.attributes().iter().map(|a| a.name.clone()).collect();
    let added = read(project, &files.add, &qi, options)?;
    let deleted = read(project, &files.delete, &qi, options)?;
    if let Some((table, scanned)) = &added {
        check_covered(project, table, &qi, scanned)?;
    }
    let (added, deleted) = (added.map(|(_, s)| s), deleted.map(|(_, s)| s));
    let now = Changes { added: kept(added.as_ref()), deleted: kept(deleted.as_ref()) };
    let incomplete = [&added, &deleted].map(|s| s.as_ref().map_or(0, Scanned::dropped));
    let dropped = dropped_now(note.dropped, incomplete)?;
    let merge = Merge { project, qi, cube, salt: note.fingerprint.data };
    let (cube, stated) = merge.merged(added, deleted)?;
    let changes = note.changes.and(now);
    let note = Note { stated, changes, dropped, ..note };
    let engine = Engine::of_changed(cube, note, options, start)?;
    let updated = report_of(&engine, now, incomplete.iter().sum());
    Ok((engine, updated))
}

/// An error if the lattice counts other records than the table has, naming what needs the table.
pub fn counts_the_table(engine: &Engine, what: &str) -> Result<(), Error> {
    if engine.changed_since().is_none() {
        return Ok(());
    }
    let what = format!(
        "{what} is made from the data, and the lattice counts other records: {}",
        engine.changed_since().words()
    );
    let fix = "make these changes in the data, too; the lattice is then built anew";
    Err(Error::of_kind(ErrorKind::DataChanged, what, fix))
}

/// How many records of the changed table are dropped for missing values. Only their number is known,
/// so no more can be deleted than there are.
fn dropped_now(before: u64, [added, deleted]: [u64; 2]) -> Result<u64, Error> {
    let there = before + added;
    there.checked_sub(deleted).ok_or_else(|| merge::absent(deleted - there))
}

/// The cube of a project's stored lattice, which must be fresh, and its note.
fn stored(project: &Project) -> Result<(Arc<Cube>, Note), Error> {
    let path = project.lattice_path().filter(|path| path.exists()).ok_or_else(|| {
        let what = "there is no stored lattice to update";
        Error::of_kind(ErrorKind::NotFound, what, Remedy::BuildAgain)
    })?;
    let (lattice, note) = lattice_file::load(&path)?;
    if let Some(why) = note.fingerprint.stale(project, &path)? {
        let what = format!("{} cannot be updated: {why}", path.display());
        return Err(Error::of_kind(ErrorKind::DataChanged, what, Remedy::BuildAgain));
    }
    Ok((lattice.cube().clone(), note))
}

/// How many records were counted.
fn kept(scanned: Option<&Scanned>) -> u64 {
    scanned.map_or(0, Scanned::kept)
}

/// The records of some files, counted as those of the table are; none if there is no file.
fn read(
    project: &Project,
    files: &[PathBuf],
    qi: &[String],
    options: &Options<'_>,
) -> Result<Option<(Table, Scanned)>, Error> {
    if files.is_empty() {
        return Ok(None);
    }
    let input = Input::files(Path::new(""), files)?;
    let input = without_publications(input, |file| files.iter().any(|name| name == file))?;
    let table = Table::open(input, &project.data.options)?;
    let plan = plan(project, &table, qi).map_err(|error| in_file(error, &files[0]))?;
    let scanned = scan_changes(&table, &plan, options.memory, options.progress)?;
    Ok(Some((table, scanned)))
}

/// Columns that are absent are absent in the file of changes, whatever the project file says.
fn in_file(error: Error, file: &Path) -> Error {
    error.map_problems(|problem| problem.file(file).line(1))
}

/// Every value that is added must be covered; what is not is placed in its own file.
fn check_covered(
    project: &Project,
    table: &Table,
    qi: &[String],
    scanned: &Scanned,
) -> Result<(), Error> {
    let mut problems: Vec<Problem> = Vec::new();
    let sensitive = project.named(Role::Sensitive);
    for (i, name) in qi.iter().chain(&sensitive).enumerate() {
        let found = project.attributes.iter().find(|a| a.name == *name);
        let Some(attribute) = found.filter(|a| i < qi.len() || a.hierarchy.is_some()) else {
            continue;
        };
        let values = scanned.values(i);
        let hierarchy = from_file(project, attribute)
            .and_then(|file| covering(project, table, attribute, file, values));
        let Some(hierarchy) = noted(hierarchy, &mut problems) else { continue };
        let all = values.dictionary.values().zip(values.first_line.iter().copied());
        let left_out: Vec<_> = all.filter(|(value, _)| hierarchy.code(value).is_none()).collect();
        problems.extend(uncovered(project, table, attribute, &left_out));
    }
    Ok(Problems::check(problems)?)
}
