//! A table of the project's database, or files that it writes: written, counted, proved, and
//! only then committed.

use std::path::{Path, PathBuf};

use haggle_api::{PublishOutcome, Treatment, WholeRecords};
use haggle_data::sinks::Formulas;
use haggle_data::{EngineFiles, InDatabase, Streamed, Table, TableDraft};
use haggle_model::{Error, ErrorKind, Problem, Remedy};
use haggle_output::{Readers, Staged, Transaction};
use haggle_project::Project;

use super::{Destination, MeasuredRecords, ProvedRecords, WrittenRecords};
use crate::manifest;
use crate::manifest::OutputFile;
use crate::publish::columns::PlannedRecords;
use crate::publish::place::PublicationPlace;
use crate::publish::prove::broken;
use crate::publish::{Choice, PublishOptions, PublishWork};

/// Refuses what cannot be published into a database.
pub(super) fn check(
    target: &str,
    has_manifest: bool,
    project: &Project,
    options: &PublishOptions<'_>,
) -> Result<(), Error> {
    if project.data.remote.is_none() {
        let what = "the project's data is not in a database";
        return Err(Error::new(what, "publish into a file"));
    }
    if EngineFiles::parse(target).is_some() && !has_manifest {
        let what = "files of a database are a publication only once their manifest is written";
        return Err(Error::new(what, "name the file of the manifest"));
    }
    if options.choice == Choice::Anatomy {
        let what = "two tables that are joined by group can only be written into files";
        return Err(Error::unsupported(what, "publish into files"));
    }
    if options.formulas == Formulas::Escaped {
        let what = "formulas are marked as text in files, and this is a table of a database";
        return Err(Error::new(what, "publish into a file, or leave formulas as they are"));
    }
    Ok(())
}

/// A table that nobody sees before its promise is proved.
pub(super) struct EngineTable<'a> {
    work: &'a PublishWork<'a>,
    target: &'a str,
    manifest: Option<&'a Path>,
    /// None where neither a record nor a manifest can be written.
    documents: Option<StagedDocuments<'a>>,
    draft: Option<TableDraft<'a>>,
}

/// What goes with a table: its record, and its public manifest if one was asked for.
struct StagedDocuments<'a> {
    transaction: Transaction,
    manifest: Option<(&'a Path, Staged)>,
}

impl<'a> EngineTable<'a> {
    pub(super) fn new(
        work: &'a PublishWork<'a>,
        target: &'a str,
        manifest: Option<&'a Path>,
    ) -> Self {
        Self { work, target, manifest, documents: None, draft: None }
    }

    /// The transaction of the public manifest and the record. Its journal is next to the record,
    /// where every later publication of the project finds it.
    fn begin_documents(&self) -> Result<Option<StagedDocuments<'a>>, Error> {
        self.manifest.map_or(Ok(()), |path| self.check_manifest(path))?;
        let transaction = match self.work.publications.path().map(Transaction::begin) {
            Some(Ok(transaction)) => Some(transaction),
            // A folder that cannot be written keeps no record.
            _ => self.manifest.map(Transaction::begin).transpose()?,
        };
        let Some(mut transaction) = transaction else { return Ok(None) };
        let manifest = match self.manifest {
            Some(path) => Some((path, transaction.stage(path, Readers::AsUsual)?)),
            None => None,
        };
        Ok(Some(StagedDocuments { transaction, manifest }))
    }

    /// Commits the table, its manifest and its record: all of them or none. If this process dies
    /// after the table was committed, the journal tells the next publication to ask for it.
    fn commit_all(&mut self, proved: &ProvedRecords) -> Result<Result<PathBuf, String>, Error> {
        let draft = self.draft.take().ok_or_else(broken)?;
        let Some(StagedDocuments { mut transaction, manifest }) = self.documents.take() else {
            draft.commit()?;
            return Ok(Err("the project's folder cannot be written".into()));
        };
        if let Some((path, staged)) = manifest {
            transaction.fill(staged, &manifest::bytes(&proved.manifest))?;
            self.check_manifest(path)?;
        }
        let recorded = self.work.publications.add(&mut transaction, &proved.record);
        transaction.prepare(&draft.event()?)?;
        draft.commit()?;
        transaction.commit()?;
        Ok(recorded)
    }

    fn check_manifest(&self, path: &Path) -> Result<(), Error> {
        let place = PublicationPlace::of_one(path, self.work.options.replace);
        place.check_manifest(self.work.project)
    }
}

impl Destination for EngineTable<'_> {
    fn stage(&mut self) -> Result<(), Error> {
        self.work.refuse_split_records("a table of a database")?;
        self.documents = self.begin_documents()?;
        Ok(())
    }

    fn write(&mut self, table: &Table, records: PlannedRecords<'_>) -> Result<Streamed, Error> {
        let PlannedRecords { publication, names, profiled } = &records;
        let shuffled = self.work.options.order.seed().is_some();
        let what = InDatabase { publication, names, target: self.target, shuffled };
        let draft = self.draft.insert(TableDraft::write(table, &what, self.work.options.progress)?);
        let expected = self.work.expected(*profiled);
        let is_same = draft.written() == expected.written;
        is_same.then_some(expected).ok_or_else(|| changed(table))
    }

    fn measure(&self, written: &WrittenRecords) -> Result<Option<MeasuredRecords>, Error> {
        let (work, records) = (self.work, written.streamed.written);
        let draft = self.draft.as_ref().ok_or_else(broken)?;
        let memory = work.options.memory;
        let measured = work.measure_by(draft.table(), |plan| draft.scan(plan, memory))?;
        if measured.groups() != work.planned().groups {
            return Err(changed(&written.table));
        }
        let proof = work.prove(measured, written.streamed)?;
        let unchanged = written.plan.named(Treatment::Unchanged);
        let unique = draft.unique(&work.not_sensitive(draft.table()))?;
        let whole = WholeRecords { unchanged, unique, records, estimated: false };
        let output = OutputFile { file: self.target.to_owned(), sha256: String::new(), records };
        Ok(Some(MeasuredRecords { proof, whole, output, anatomy: None }))
    }

    fn commit(&mut self, mut written: WrittenRecords) -> Result<PublishOutcome, Error> {
        let proved = written.proved.take().ok_or_else(broken)?;
        let recorded = self.commit_all(&proved)?;
        let (output, manifest) = (Path::new(self.target), self.manifest.map(Path::to_owned));
        let report = self.work.report(output, manifest, written, proved).recorded(recorded);
        Ok(PublishOutcome::Published(report.into()))
    }

    fn undo(&mut self) {
        // A draft and a transaction that are dropped leave nothing.
        (self.draft, self.documents) = (None, None);
    }
}

fn changed(table: &Table) -> Error {
    let problem = Problem::new("the data changed since it was counted");
    let problem = problem.of_kind(ErrorKind::DataChanged).file(table.input().name());
    problem.fix(Remedy::PublishAgain).into()
}
