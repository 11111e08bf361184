//! Where a publication goes: the steps that a destination takes, and the one order of these steps.
//!
//! Nobody sees anything of a publication before it is committed. An error or a cancellation undoes
//! whatever was written until then.

use std::path::{Path, PathBuf};

use haggle_api::{ColumnPlan, PublishOutcome, Together, WholeRecords};
use haggle_data::{Streamed, Table};
use haggle_engine::Engine;
use haggle_model::Error;
use haggle_project::Project;

use super::columns::PlannedRecords;
use super::prove::ProvedFile;
use super::{PublishOptions, PublishWork};
use crate::anatomy::SensitiveTable;
use crate::manifest::{Manifest, OutputFile};
use crate::publications::PublicationRecord;

mod engine_table;
mod file;
mod script;
mod two_tables;

use engine_table::EngineTable;
use file::FileDestination;
use script::ScriptFiles;
use two_tables::TwoTableFiles;

pub use script::{SqlForm, SqlScript};

/// Where a publication goes.
#[derive(Debug, Clone)]
pub enum PublishTarget {
    /// A file: CSV, or Parquet if its name ends in `.parquet`.
    File(PathBuf),
    /// A table that the project's database makes, or files that it writes, such as
    /// `parquet:/data/out`.
    Table {
        /// The table's name, or the path of the files.
        name: String,
        /// A file for the public manifest; files that a database writes must have one.
        manifest: Option<PathBuf>,
    },
    /// SQL that publishes in a database once somebody runs it.
    Script(SqlScript),
}

impl PublishTarget {
    /// Names a table of the project's database, and a file for its public manifest.
    pub fn table(name: impl Into<String>, manifest: Option<&Path>) -> Self {
        Self::Table { name: name.into(), manifest: manifest.map(Path::to_owned) }
    }

    /// Refuses what cannot be published there, before long work.
    fn check(
        &self,
        engine: &Engine,
        project: &Project,
        options: &PublishOptions<'_>,
    ) -> Result<(), Error> {
        match self {
            Self::File(output) => file::check(output, engine, project, options),
            Self::Table { name, manifest } => {
                engine_table::check(name, manifest.is_some(), project, options)
            }
            Self::Script(script) => script::check(script, options),
        }
    }
}

/// What takes a publication, step by step.
pub(super) trait Destination {
    /// Makes a place that nobody else sees, or refuses the recoding, before records are read.
    fn stage(&mut self) -> Result<(), Error>;

    /// Writes the records there, and drops what the proof needs memory for. Fails if they are not
    /// those that were counted.
    fn write(&mut self, table: &Table, records: PlannedRecords<'_>) -> Result<Streamed, Error>;

    /// Reads what was written and proves the promise from it; none where only the database that
    /// runs the statements can do this.
    fn measure(&self, _: &WrittenRecords) -> Result<Option<MeasuredRecords>, Error> {
        Ok(None)
    }

    /// Puts everything in its place and records it: all or nothing.
    fn commit(&mut self, written: WrittenRecords) -> Result<PublishOutcome, Error>;

    /// Removes what is not committed.
    fn undo(&mut self);
}

/// What was written, and what was decided before.
pub(super) struct WrittenRecords {
    /// The table that is published.
    pub(super) table: Table,
    pub(super) streamed: Streamed,
    pub(super) plan: ColumnPlan,
    pub(super) together: Option<Together>,
    /// What was proved of them, once they are measured.
    pub(super) proved: Option<ProvedRecords>,
}

/// What was found in what was written.
pub(super) struct MeasuredRecords {
    pub(super) proof: ProvedFile,
    pub(super) whole: WholeRecords,
    pub(super) output: OutputFile,
    /// The table of sensitive values, if the publication is two tables.
    pub(super) anatomy: Option<SensitiveTable>,
}

/// Written records that keep their promise, and what is said of them.
pub(super) struct ProvedRecords {
    pub(super) proof: ProvedFile,
    pub(super) whole: WholeRecords,
    pub(super) manifest: Manifest,
    pub(super) record: PublicationRecord,
}

/// Settles what is published, and takes the steps of a destination.
pub(super) fn publish_by(
    engine: &Engine,
    project: &Project,
    options: &PublishOptions<'_>,
    destination: impl for<'w> FnOnce(&'w PublishWork<'w>) -> Box<dyn Destination + 'w>,
) -> Result<PublishOutcome, Error> {
    options.to.check(engine, project, options)?;
    let work = match PublishWork::settle(engine, project, options)? {
        Ok(work) => work,
        Err(no) => return Ok(no),
    };
    let mut destination = destination(&work);
    let done = work.take_steps(&mut *destination);
    if done.is_err() {
        destination.undo();
    }
    done
}

/// Returns what takes a publication.
pub(super) fn destination_of<'w>(work: &'w PublishWork<'w>) -> Box<dyn Destination + 'w> {
    match (&work.options.to, &work.anatomy) {
        (PublishTarget::File(output), Some(plan)) => {
            Box::new(TwoTableFiles::new(work, output, plan))
        }
        (PublishTarget::File(output), None) => Box::new(FileDestination::new(work, output)),
        (PublishTarget::Table { name, manifest }, _) => {
            Box::new(EngineTable::new(work, name, manifest.as_deref()))
        }
        (PublishTarget::Script(script), _) => Box::new(ScriptFiles::new(work, script)),
    }
}

impl PublishWork<'_> {
    fn take_steps(&self, to: &mut dyn Destination) -> Result<PublishOutcome, Error> {
        let table = self.project.table(self.options.progress)?.within(self.options.memory);
        to.stage()?;
        let (records, plan) = self.planned_columns(&table)?;
        let (together, groups) = self.together(&plan)?;
        (self.options.on_columns)(&plan);
        let streamed = to.write(&table, records)?;
        let mut written = WrittenRecords { table, streamed, plan, together, proved: None };
        let measured = to.measure(&written)?;
        written.proved = measured.map(|measured| self.proved(measured, &written, groups));
        self.check_cancelled()?;
        to.commit(written)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/destination.rs"]
mod tests;
