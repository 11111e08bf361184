//! Publishing into a table of the same database: written, counted, proved, and only then
//! committed.

use std::path::{Path, PathBuf};

use haggle_api::{Treatment, WholeRecords};
use haggle_data::sinks::Formulas;
use haggle_data::{EngineFiles, InDatabase, Streamed, Suppress, TableDraft};
use haggle_engine::Engine;
use haggle_model::{Error, Problem};
use haggle_output::{Readers, Staged, Transaction};
use haggle_project::Project;

use super::columns::PlannedRecords;
use super::{
    Choice, Failing, PublicationPlace, PublicationReport, PublishOptions, PublishOutcome,
    PublishWork, WrittenFiles, publish_by, reported,
};
use crate::manifest;
use crate::manifest::OutputFile;
use crate::publications::PublicationRecord;

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
        let what = "the project's data is not in a database";
        return Err(Error::new(what, "publish into a file"));
    }
    if EngineFiles::parse(table).is_some() && manifest.is_none() {
        let what = "files of an engine are a publication only once their manifest is written";
        return Err(Error::new(what, "name the file of the manifest"));
    }
    if options.choice == Choice::Anatomy {
        let what = "two tables that are joined by group can only be written into files";
        return Err(Error::new(what, "publish into files"));
    }
    if options.formulas == Formulas::Escaped {
        let what = "formulas are marked as text in files, and this is a table of a database";
        return Err(Error::new(what, "publish into a file, or leave formulas as they are"));
    }
    let done = publish_by(engine, project, options, |work, failing| {
        work.run_in_database(failing, table, manifest)
    })?;
    Ok(reported(done))
}

/// What goes with a table: its record, and its public manifest if one was asked for.
struct ManifestWrite<'a> {
    transaction: Transaction,
    manifest: Option<(&'a Path, Staged)>,
}

impl PublishWork<'_> {
    fn run_in_database(
        &self,
        failing: &Failing,
        target: &str,
        manifest: Option<&Path>,
    ) -> Result<PublicationReport, Error> {
        if self.recoded.splits_records() {
            let what = "records with the same recorded values are published differently here, which a table of a database cannot do";
            return Err(Error::new(what, "publish into a file, or choose another strategy"));
        }
        // What cannot be written is reported before the table is made.
        let writing = self.begin_manifest(manifest)?;
        let table = self.project.table(self.options.progress)?;
        let PlannedRecords { publication, names, plan, profiled } =
            self.planned_columns(&table, failing)?;
        let (together, groups) = self.together(failing, &plan)?;
        (self.options.on_columns)(&plan);
        let shuffled = self.options.order.seed().is_some();
        let what = InDatabase { publication: &publication, names: &names, target, shuffled };
        let draft = TableDraft::write(&table, &what, self.options.progress)?;
        drop(publication);
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
        let whole = WholeRecords {
            unchanged: plan.named(Treatment::Unchanged),
            unique: draft.unique(&self.not_sensitive(draft.table()))?,
            records: streamed.written,
            estimated: false,
        };
        let reported = manifest::bytes(&self.manifest(written, &proof, failing, &plan));
        let record = self.record(Path::new(target), None, streamed, &plan, groups);
        let recorded = self.commit(draft, writing, &reported, &record)?;
        let (output, manifest) = (PathBuf::from(target), manifest.map(Path::to_path_buf));
        let files = WrittenFiles { output, manifest, private: None };
        let report = self.report(files, streamed, proof, plan, &whole).recorded(recorded);
        Ok(PublicationReport { together, ..report })
    }

    /// The transaction of the public manifest and the record. Its journal is next to the record,
    /// where every later publication of the project finds it.
    fn begin_manifest<'p>(
        &self,
        manifest: Option<&'p Path>,
    ) -> Result<Option<ManifestWrite<'p>>, Error> {
        manifest.map_or(Ok(()), |path| self.check_manifest(path))?;
        let transaction = match self.publications.path().map(Transaction::begin) {
            Some(Ok(transaction)) => Some(transaction),
            // A folder that cannot be written keeps no record.
            _ => manifest.map(Transaction::begin).transpose()?,
        };
        let Some(mut transaction) = transaction else { return Ok(None) };
        let manifest = match manifest {
            Some(path) => Some((path, transaction.stage(path, Readers::AsUsual)?)),
            None => None,
        };
        Ok(Some(ManifestWrite { transaction, manifest }))
    }

    /// Commits the table, its manifest and its record: all of them or none. If this process dies
    /// after the table was committed, the journal tells the next publication to ask for it.
    fn commit(
        &self,
        draft: TableDraft<'_>,
        writing: Option<ManifestWrite<'_>>,
        reported: &[u8],
        record: &PublicationRecord,
    ) -> Result<Result<PathBuf, String>, Error> {
        let Some(ManifestWrite { mut transaction, manifest }) = writing else {
            draft.commit()?;
            return Ok(Err("the project's folder cannot be written".into()));
        };
        if let Some((path, staged)) = manifest {
            transaction.fill(staged, reported)?;
            self.check_manifest(path)?;
        }
        let recorded = self.publications.add(&mut transaction, record);
        transaction.prepare(&draft.event()?)?;
        draft.commit()?;
        transaction.commit()?;
        Ok(recorded)
    }

    fn check_manifest(&self, path: &Path) -> Result<(), Error> {
        let place = PublicationPlace {
            output: path,
            sensitive: None,
            private: None,
            replace: self.options.replace,
        };
        place.check_manifest(self.project)
    }
}
