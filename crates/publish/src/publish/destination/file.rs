//! A file: records stream into a temporary file next to it, which takes its name once it is proved.

use std::path::{Path, PathBuf};

use haggle_api::{PublicationReport, PublishOutcome};
use haggle_data::sinks::{Delimited, Formulas, Parquet, Shuffled, Sink, Spreadsheet};
use haggle_data::{Streamed, Table, publish as stream, spreadsheet};
use haggle_engine::Engine;
use haggle_model::{Error, ErrorKind, Problem, Remedy};
use haggle_output::{Staged, Transaction};
use haggle_project::Project;
use haggle_project::files::{manifest_path, sensitive_path};

use super::{Destination, MeasuredRecords, WrittenRecords};
use crate::manifest;
use crate::manifest::{Manifest, OutputFile};
use crate::publish::columns::PlannedRecords;
use crate::publish::manifests::private_files;
use crate::publish::place::PublicationPlace;
use crate::publish::prove::{ProvedFile, broken};
use crate::publish::{Choice, PublishOptions, PublishWork, RecordOrder};

/// Bytes of records that are shuffled in memory at once, whatever the limit on memory is.
const LEAST_SHUFFLED: usize = 1 << 20;

const MOST_SHUFFLED: usize = 64 << 20;

/// Refuses a file that cannot be written or must not be replaced.
pub(super) fn check(
    output: &Path,
    engine: &Engine,
    project: &Project,
    options: &PublishOptions<'_>,
) -> Result<(), Error> {
    // A place that cannot be written to is reported before long work.
    drop(Transaction::begin(output)?);
    place(output, engine, options).check(project)
}

/// Where the files of a publication go.
fn place<'p>(
    output: &'p Path,
    engine: &Engine,
    options: &'p PublishOptions<'_>,
) -> PublicationPlace<'p> {
    let private =
        |folder: &'p PathBuf| (folder.as_path(), private_files(folder, &engine.attributes()));
    PublicationPlace {
        output,
        sensitive: (options.choice == Choice::Anatomy).then(|| sensitive_path(output)),
        private: options.private.as_ref().map(private),
        replace: options.replace,
    }
}

/// A file, with its manifests.
pub(super) struct FileDestination<'a> {
    work: &'a PublishWork<'a>,
    output: &'a Path,
    staged: Option<StagedFile>,
    /// How many fields and names look like formulas.
    formulas: u64,
}

/// A temporary file and the transaction that gives it its name.
struct StagedFile {
    transaction: Transaction,
    file: Staged,
}

impl<'a> FileDestination<'a> {
    pub(super) fn new(work: &'a PublishWork<'a>, output: &'a Path) -> Self {
        Self { work, output, staged: None, formulas: 0 }
    }

    pub(super) fn file(&self) -> Result<&Staged, Error> {
        self.staged.as_ref().map(|staged| &staged.file).ok_or_else(broken)
    }

    /// Makes another file that is put in its place together with this one.
    pub(super) fn stage_also(&mut self, path: &Path) -> Result<Staged, Error> {
        let StagedFile { transaction, .. } = self.staged.as_mut().ok_or_else(broken)?;
        transaction.stage(path, self.work.options.readers)
    }

    /// Where records go: into the file, in the order that was asked for.
    pub(super) fn sink(
        &self,
        file: &Staged,
        names: &[String],
    ) -> Result<Spreadsheet<'static>, Error> {
        let PublishOptions { formulas, order, memory, .. } = *self.work.options;
        let writer = file.writer().map_err(Error::io(self.output))?;
        let writer = std::io::BufWriter::with_capacity(1 << 18, writer);
        let written_name = |name: &String| match formulas {
            Formulas::Unchanged => name.clone(),
            Formulas::Escaped => spreadsheet::escaped(name).unwrap_or_else(|| name.clone()),
        };
        let names: Vec<String> = names.iter().map(written_name).collect();
        let is_parquet = self.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet"));
        let plain: Box<dyn Sink> = if is_parquet {
            Box::new(Parquet::new(writer, self.output, &names)?)
        } else {
            Box::new(Delimited::new(writer, self.output, &names)?)
        };
        let bytes = (memory / 8).clamp(LEAST_SHUFFLED, MOST_SHUFFLED);
        let ordered: Box<dyn Sink> = match order {
            RecordOrder::Random { seed } => Box::new(Shuffled::new(plain, seed, bytes)),
            RecordOrder::Kept => plain,
        };
        Ok(Spreadsheet::new(ordered, formulas))
    }

    /// What is known of the file once its promise is proved.
    pub(super) fn measured(
        &self,
        proof: ProvedFile,
        records: u64,
    ) -> Result<MeasuredRecords, Error> {
        let file = self.file()?;
        let whole = self.work.unique_in(file, records)?;
        let output = OutputFile {
            file: self.output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: manifest::sha256(file.path())?,
            records,
        };
        Ok(MeasuredRecords { proof, whole, output, anatomy: None })
    }

    /// Gives the file its name, with its manifests, its record, and what else `add` adds.
    pub(super) fn commit_with(
        &mut self,
        mut written: WrittenRecords,
        add: impl FnOnce(&mut Transaction) -> Result<(), Error>,
    ) -> Result<PublicationReport, Error> {
        let proved = written.proved.take().ok_or_else(broken)?;
        let StagedFile { mut transaction, file } = self.staged.take().ok_or_else(broken)?;
        let PublishWork { engine, project, options, publications, .. } = self.work;
        let private = options.private.as_ref();
        let private =
            private.map(|folder| self.work.private(&mut transaction, folder, &written, &proved));
        let private = private.transpose()?;
        // Hashing the input for the private manifest takes time.
        self.work.check_cancelled()?;
        let (reported, path) = (manifest::bytes(&proved.manifest), manifest_path(self.output));
        transaction.seal(file, proved.manifest.output.sha256.clone())?;
        add(&mut transaction)?;
        transaction.write(&path, &reported, options.readers)?;
        let recorded = publications.add(&mut transaction, &proved.record);
        transaction.commit_if(|| place(self.output, engine, options).check(project))?;
        let report = self.work.report(self.output, Some(path), written, proved).recorded(recorded);
        Ok(PublicationReport { private, formulas: self.formulas, ..report })
    }

    /// The table of sensitive values of an earlier publication of the same file, which this one does
    /// not replace.
    fn earlier_sensitive(&self) -> Option<PathBuf> {
        let earlier = Manifest::next_to(self.output).ok().flatten()?.anatomy?;
        Some(self.output.with_file_name(earlier.file)).filter(|file| file.is_file())
    }
}

impl Destination for FileDestination<'_> {
    fn stage(&mut self) -> Result<(), Error> {
        let mut transaction = Transaction::begin(self.output)?;
        let file = transaction.stage(self.output, self.work.options.readers)?;
        self.staged = Some(StagedFile { transaction, file });
        Ok(())
    }

    fn write(&mut self, table: &Table, records: PlannedRecords<'_>) -> Result<Streamed, Error> {
        let PlannedRecords { publication, names, .. } = records;
        let (mut sink, progress) = (self.sink(self.file()?, &names)?, self.work.options.progress);
        progress.start("publishing", table.input().bytes().unwrap_or(0));
        let streamed = stream(table, &publication, &mut sink, progress);
        progress.finish();
        let streamed = streamed?;
        sink.finish()?;
        let names = names.iter().filter(|name| spreadsheet::is_formula(name)).count();
        self.formulas = sink.found() + names as u64;
        let is_same = streamed.digest == self.work.engine.data_digest()
            && streamed.suppressed == self.work.failing.records;
        is_same.then_some(streamed).ok_or_else(|| {
            let problem = Problem::new("the data changed since it was counted");
            let problem = problem.of_kind(ErrorKind::DataChanged).file(table.input().name());
            problem.fix(Remedy::PublishAgain).into()
        })
    }

    fn measure(&self, written: &WrittenRecords) -> Result<Option<MeasuredRecords>, Error> {
        let measured = self.work.measure(self.file()?)?;
        let proof = self.work.prove(measured, written.streamed)?;
        self.measured(proof, written.streamed.written).map(Some)
    }

    fn commit(&mut self, written: WrittenRecords) -> Result<PublishOutcome, Error> {
        let earlier = self.earlier_sensitive();
        let report = self.commit_with(written, |transaction| {
            earlier.map_or(Ok(()), |file| transaction.remove(&file))
        })?;
        Ok(PublishOutcome::Published(report.into()))
    }

    fn undo(&mut self) {
        // A transaction that is dropped leaves nothing.
        self.staged = None;
    }
}
