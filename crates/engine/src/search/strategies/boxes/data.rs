//! Where boxes are counted: in the table itself, or in the groups of its lattice if that is all there is.

use haggle_cube::{Base, BoxSource, CountedBox, GroupBoxes, Proposed};
use haggle_data::{Plan, TableBoxes};
use haggle_model::{Error, ErrorKind, Progress, Remedy};
use haggle_project::Project;
use haggle_project::survey::plan as columns;

use crate::Engine;

/// The data that boxes are counted in.
pub(in crate::search::strategies) enum Data<'a> {
    Table(Box<TableBoxes<'a>>),
    Counted(GroupBoxes<'a>),
}

impl BoxSource for Data<'_> {
    type Error = Error;

    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, Error> {
        match self {
            Self::Table(table) => Ok(table.count(boxes)?),
            Self::Counted(groups) => Ok(groups.count(boxes)?),
        }
    }

    fn scans(&self) -> u64 {
        match self {
            Self::Table(table) => table.scans(),
            Self::Counted(groups) => groups.scans(),
        }
    }
}

/// The table, with the counts of these watched attributes; or the counted groups, and why.
pub(in crate::search::strategies) fn data<'a>(
    engine: &'a Engine,
    base: &'a Base,
    watched: &[usize],
    watch: &'a dyn Progress,
) -> Result<(Data<'a>, Option<String>), Error> {
    let why = match engine.project() {
        Some(project) if engine.changed_since().is_none() => {
            return Ok((Data::Table(table(engine, project, watched, watch)?.into()), None));
        }
        Some(_) => {
            format!("the lattice is the data with {}", engine.changed_since().words())
        }
        None => "only the lattice file is at hand, not the data".into(),
    };
    let note = format!("{why}: boxes were counted in its groups, and nothing was scanned");
    Ok((Data::Counted(GroupBoxes::new(base, watched.to_vec())), Some(note)))
}

fn table<'a>(
    engine: &'a Engine,
    project: &Project,
    watched: &[usize],
    watch: &'a dyn Progress,
) -> Result<TableBoxes<'a>, Error> {
    let table = project.table(watch)?;
    let names: Vec<String> = engine.attributes().into_iter().map(String::from).collect();
    let all = columns(project, &table, &names)?;
    let watched = watched.iter().map(|&position| all.watched[position]).collect();
    let plan = Plan { watched, ..all };
    Ok(TableBoxes::new(table, plan, engine.cube().attributes(), engine.memory(), watch))
}

/// What was counted in boxes is what was counted before.
pub(in crate::search::strategies) fn check_unchanged(
    engine: &Engine,
    data: &Data<'_>,
    records: u64,
) -> Result<(), Error> {
    let same = match data {
        Data::Table(table) => table.digest() == engine.data_digest(),
        Data::Counted(_) => true,
    };
    if same && records == engine.records() {
        return Ok(());
    }
    let what = "the data changed since it was counted";
    Err(Error::of_kind(ErrorKind::DataChanged, what, Remedy::StartAgain))
}
