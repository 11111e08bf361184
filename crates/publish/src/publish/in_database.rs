//! Publishing into a table of the same database: written, counted, proved, and only then
//! committed.

use std::path::{Path, PathBuf};

use haggle_data::output::{Readers, Transaction};
use haggle_data::sinks::Formulas;
use haggle_data::{Draft, InDatabase, Streamed, Suppress};
use haggle_engine::Engine;
use haggle_model::{Error, Problem};
use haggle_project::Project;

use super::columns::Planned;
use super::{
    Failing, Files, Place, PublicationReport, PublishOptions, PublishOutcome, Work, publish_by,
};
use crate::manifest;
use crate::manifest::OutputFile;

/// Publishes the project's table into another one of its database. Nobody sees the new table
/// before its promise is proved, and nothing is left of it if it is not. Its public manifest is
/// written into a file, if one is named.
pub fn publish_table(
    engine: &Engine,
    project: &Project,
    table: &str,
    manifest: Option<&Path>,
    options: &PublishOptions<'_>,
) -> Result<PublishOutcome, Error> {
    if project.data.remote.is_none() {
        let what = "the project's data is in no database";
        return Err(Error::new(what, "publish into a file with -o"));
    }
    if options.formulas == Formulas::Escaped {
        let what = "formulas are marked as text in files, and this is a table of a database";
        return Err(Error::new(what, "publish into a file, or leave formulas as they are"));
    }
    publish_by(engine, project, options, |work, failing| {
        work.run_in_database(failing, table, manifest)
    })
}

impl Work<'_> {
    fn run_in_database(
        &self,
        failing: &Failing,
        target: &str,
        manifest: Option<&Path>,
    ) -> Result<PublicationReport, Error> {
        // What cannot be written is reported before the table is made.
        let paper = manifest.map(|path| self.begin_manifest(path)).transpose()?;
        let table = self.project.table()?;
        let Planned { publication, names, plan, profiled } =
            self.planned_columns(&table, failing)?;
        (self.options.on_columns)(&plan);
        let shuffled = self.options.order.seed().is_some();
        let what = InDatabase { publication: &publication, names: &names, target, shuffled };
        let draft = Draft::write(&table, &what)?;
        let expected = match self.stars.suppress() {
            Suppress::Drop => self.engine.records() - failing.records,
            Suppress::Star => self.engine.records(),
        };
        let changed = || {
            let problem = Problem::new("the data changed since it was counted");
            problem.file(table.input().name()).fix("publish again; nothing was written")
        };
        if draft.written() != expected {
            return Err(changed().into());
        }
        let (suppressed, dropped) = (failing.records, profiled.dropped);
        let streamed = Streamed { written: expected, suppressed, dropped, digest: 0 };
        let measured =
            self.measure_by(draft.table(), |plan| draft.scan(plan, self.options.memory))?;
        if measured.groups() != self.planned(failing).groups {
            return Err(changed().into());
        }
        let proof = self.prove(measured, streamed, failing)?;
        let written =
            OutputFile { file: target.into(), sha256: String::new(), records: streamed.written };
        let unique = draft.unique(&self.not_sensitive(draft.table()))?;
        let told = manifest::bytes(&self.manifest(written, &proof, &plan));
        let paper = paper.zip(manifest).map(|(mut paper, path)| {
            paper.write(path, &told, Readers::AsUsual).map(|()| (paper, path))
        });
        let paper = paper.transpose()?;
        draft.commit()?;
        if let Some((paper, path)) = paper {
            paper.commit_if(|| self.check_manifest(path))?;
        }
        let (output, manifest) = (PathBuf::from(target), manifest.map(Path::to_path_buf));
        let files = Files { output, manifest, private: None };
        Ok(self.report(files, streamed, proof, plan, unique))
    }

    /// The transaction of the public manifest alone.
    fn begin_manifest(&self, path: &Path) -> Result<Transaction, Error> {
        let transaction = Transaction::begin(path)?;
        self.check_manifest(path)?;
        Ok(transaction)
    }

    fn check_manifest(&self, path: &Path) -> Result<(), Error> {
        let place = Place { output: path, private: None, replace: self.options.replace };
        place.check_manifest(self.project)
    }
}
