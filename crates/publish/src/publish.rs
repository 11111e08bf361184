//! Publishing: recode, suppress, write next to the place, read again, prove the promise, and only then rename.

use std::path::{Path, PathBuf};

use haggle_api::{
    Account, Amount, Ask, ColumnPlan, EarlierPublication, PublicationReport, PublishOutcome,
    PublishedAnatomy, Together, Treatment, WholeRecords,
};
use haggle_data::sinks::{Delimited, Formulas, Parquet, Shuffled, Sink, Spreadsheet};
use haggle_data::{
    PUBLISH_AGAIN, RecordRecoding, Streamed, Suppress, Table, publish as stream, spreadsheet,
};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_engine::update::counts_the_table;
use haggle_model::{Error, Level, Problem, Progress, Recoder, Silent};
use haggle_output::{Readers, Staged, Transaction};
use haggle_project::Project;
use haggle_project::files::{manifest_path, sensitive_path};

use crate::anatomy::SensitiveTable;
use crate::manifest;
use crate::manifest::OutputFile;
use crate::publications::{GroupCounts, PublicationRecord, Publications};

mod anatomy;
pub(crate) mod builder;
mod columns;
mod in_database;
mod manifests;
mod order;
mod place;
mod preview;
mod prove;
mod script;
mod settle;
mod single_valued;
mod stars;
mod together;
mod whole;

use anatomy::AnatomyPlan;
use columns::PlannedRecords;
use place::PublicationPlace;
use prove::ProvedFile;
use settle::{SettledRecoding, recoded, shown};
use stars::{Stars, stars};

pub use haggle_api::Choice;
pub use in_database::publish_table;
pub use order::RecordOrder;
pub use place::Replace;
pub use preview::{preview, preview_of};
pub use script::{SqlForm, SqlOptions, SqlReport, publish_sql};
pub(crate) use whole::whole_records;

/// Bytes of records that are shuffled in memory at once, whatever the limit on memory is.
const LEAST_SHUFFLED: usize = 1 << 20;

const MOST_SHUFFLED: usize = 64 << 20;

/// How to publish.
pub struct PublishOptions<'a> {
    /// The file to write.
    pub output: PathBuf,
    /// Which existing files may be replaced.
    pub replace: Replace,
    /// What is published.
    pub choice: Choice,
    /// The request; where a scheme is named, its thresholds, and its limit if it states one.
    pub ask: Ask,
    /// The columns that are published as recorded though they would be dropped; without a list,
    /// those that the project names.
    pub as_recorded: Option<Vec<String>>,
    /// The columns that are published, no others and no fewer, or nothing is; without a list, those
    /// that single nobody out.
    pub columns: Option<Vec<String>>,
    /// What happens to records whose group fails.
    pub suppress: Suppress,
    /// A column that says which records were suppressed.
    pub flag: Option<String>,
    /// In which order records are written.
    pub order: RecordOrder,
    /// What is done with text that spreadsheets take for formulas.
    pub formulas: Formulas,
    /// Who may read the published files.
    pub readers: Readers,
    /// A folder for the private manifest and the value mappings.
    pub private: Option<PathBuf>,
    /// Bytes for counting what was written.
    pub memory: usize,
    /// Receives progress and warnings, can cancel the work, and says when the search for a recoding
    /// stops with the best that was found by then.
    pub progress: &'a dyn Progress,
    /// Receives what becomes of every column, before anything is written.
    pub on_columns: &'a (dyn Fn(&ColumnPlan) + Sync),
    /// Receives what this and earlier publications reveal together, before anything is written.
    pub on_together: &'a (dyn Fn(&Together) + Sync),
}

impl PublishOptions<'_> {
    /// The exact answer to a request, into a file: suppressed records are dropped, the others are
    /// written in a random order, and progress is ignored.
    pub fn new(output: impl Into<PathBuf>, ask: Ask) -> Self {
        Self {
            output: output.into(),
            replace: Replace::default(),
            choice: Choice::default(),
            ask,
            as_recorded: None,
            columns: None,
            suppress: Suppress::Drop,
            flag: None,
            order: RecordOrder::random(),
            formulas: Formulas::Unchanged,
            readers: Readers::AsUsual,
            private: None,
            memory: usize::MAX,
            progress: &Silent,
            on_columns: &|_| (),
            on_together: &|_| (),
        }
    }
}

/// Publishes the project's table, proved from what was written; or says why not.
pub fn publish(
    engine: &Engine,
    project: &Project,
    options: &PublishOptions<'_>,
) -> Result<PublishOutcome, Error> {
    // A place that cannot be written to is reported before long work.
    drop(Transaction::begin(&options.output)?);
    place(engine, options).check(project)?;
    #[allow(clippy::redundant_closure_for_method_calls)] // a method serves one lifetime only
    let done = publish_by(engine, project, options, |work, failing| work.run(failing))?;
    Ok(reported(done))
}

/// What was settled before the work, and what the work gave.
struct SettledWork<T> {
    result: T,
    earlier: Vec<EarlierPublication>,
    search_stopped: bool,
}

/// A report of published records, with what was settled before.
fn reported(done: Result<SettledWork<PublicationReport>, PublishOutcome>) -> PublishOutcome {
    match done {
        Err(no) => no,
        Ok(SettledWork { result, earlier, search_stopped }) => {
            let report = PublicationReport { earlier, search_stopped, ..result };
            PublishOutcome::Published(report.into())
        }
    }
}

/// Where the files of a publication go.
fn place<'p>(engine: &Engine, options: &'p PublishOptions<'_>) -> PublicationPlace<'p> {
    let private = |folder: &'p PathBuf| {
        (folder.as_path(), manifests::private_files(folder, &engine.attributes()))
    };
    PublicationPlace {
        output: &options.output,
        sensitive: (options.choice == Choice::Anatomy).then(|| sensitive_path(&options.output)),
        private: options.private.as_ref().map(private),
        replace: options.replace,
    }
}

/// Settles what is published, and has it done.
fn publish_by<T>(
    engine: &Engine,
    project: &Project,
    options: &PublishOptions<'_>,
    run: impl FnOnce(&PublishWork<'_>, &Failing) -> Result<T, Error>,
) -> Result<Result<SettledWork<T>, PublishOutcome>, Error> {
    counts_the_table(engine, "a publication")?;
    Ask::refuse(&[("top", options.ask.top.is_some())])?;
    let publications = Publications::of(project);
    publications.settle(project, options.progress)?;
    let (earlier, recorded) = publications.earlier()?;
    let ask = options.ask.or(engine.defaults());
    let criteria = engine.criteria(&ask)?;
    let weaker = if ask.only { Vec::new() } else { engine.weakened(&ask)? };
    if !weaker.is_empty() {
        return Ok(Err(PublishOutcome::Weaker(weaker)));
    }
    let shown = shown(engine, &criteria)?;
    let SettledRecoding { recoded, stopped } = match recoded(engine, options, &ask, &criteria)? {
        Ok(settled) => settled,
        Err(no) => return Ok(Err(no)),
    };
    recoded.check_memory(options.memory.saturating_sub(engine.annotated_bytes()))?;
    let anatomy = match options.choice {
        Choice::Anatomy => match anatomy::plan(engine, options, &criteria)? {
            Ok(plan) => Some(plan),
            Err(no) => return Ok(Err(no)),
        },
        _ => None,
    };
    // Where the groups are those of a table of sensitive values, all of them pass.
    let failing = if anatomy.is_some() { Failing::default() } else { recoded.failing(&criteria) };
    let is_exact = options.choice == Choice::Answer;
    let enforced = match (options.choice.is_named(), ask.max_suppressed) {
        (true, _) => options.ask.max_suppressed,
        // An exact answer to a request without a limit suppresses no record.
        (false, None) if is_exact && failing.records == 0 => Some(Amount::ZERO),
        (false, stated) => stated,
    };
    let limit = enforced.map_or(u64::MAX, |limit| limit.of(engine.records()));
    if failing.records > limit {
        return Ok(Err(PublishOutcome::TooMany { suppressed: failing.records, limit }));
    }
    if failing.records == engine.records() {
        return Ok(Err(PublishOutcome::Nothing { suppressed: failing.records }));
    }
    let stars = stars(&recoded, options.suppress, options.flag.as_deref(), &failing, &criteria);
    // The private manifest says what was enforced, so that repeating it enforces the same.
    let ask = Ask { max_suppressed: enforced, ..ask };
    let work = PublishWork {
        engine,
        project,
        publications,
        earlier: recorded,
        options,
        ask,
        criteria,
        shown,
        recoded,
        stars,
        anatomy,
    };
    let result = run(&work, &failing)?;
    Ok(Ok(SettledWork { result, earlier, search_stopped: stopped }))
}

/// What was written where.
struct WrittenFiles {
    output: PathBuf,
    manifest: Option<PathBuf>,
    private: Option<PathBuf>,
}

/// One publication under way.
struct PublishWork<'a> {
    engine: &'a Engine,
    project: &'a Project,
    publications: Publications,
    /// How many earlier publications are recorded.
    earlier: u64,
    options: &'a PublishOptions<'a>,
    ask: Ask,
    criteria: Vec<Criterion>,
    /// At which level each sensitive attribute is published, if not as recorded.
    shown: Vec<Option<Level>>,
    recoded: Recoded<'a>,
    /// What becomes of suppressed records.
    stars: Stars,
    /// The groups, where the publication is two tables.
    anatomy: Option<AnatomyPlan>,
}

impl PublishWork<'_> {
    fn run(&self, failing: &Failing) -> Result<PublicationReport, Error> {
        let output = &self.options.output;
        let table = self.project.table(self.options.progress)?.within(self.options.memory);
        let PlannedRecords { publication, names, plan, .. } =
            self.planned_columns(&table, failing)?;
        let (together, groups) = self.together(failing, &plan)?;
        (self.options.on_columns)(&plan);
        let mut transaction = Transaction::begin(output)?;
        let file = transaction.stage(output, self.options.readers)?;
        let (streamed, formulas) = self.stream(&table, &publication, &file, &names)?;
        // What became of each recorded combination takes memory that the proof needs.
        drop(publication);
        if streamed.digest != self.engine.data_digest() || streamed.suppressed != failing.records {
            return Err(Problem::new("the data changed since it was counted")
                .file(table.input().name())
                .fix(PUBLISH_AGAIN)
                .into());
        }
        let sensitive = self.write_sensitive(&mut transaction)?;
        let proof = match (&self.anatomy, &sensitive) {
            (Some(plan), Some(counts)) => self.prove_anatomy(plan, &file, counts, streamed)?,
            _ => self.prove(self.measure(&file)?, streamed, failing)?,
        };
        let whole = self.unique_in(&file, streamed.written)?;
        let written = OutputFile {
            file: output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: manifest::sha256(file.path())?,
            records: streamed.written,
        };
        let mut manifest = self.manifest(written, &proof, failing, &plan);
        if let Some(counts) = &sensitive {
            manifest.anatomy = self.sensitive_table(counts)?;
        }
        let private = self.options.private.as_ref().map(|folder| {
            self.private(&mut transaction, folder, &table, &manifest, streamed, &proof, &plan)
        });
        let private = private.transpose()?;
        if self.options.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let reported = manifest::bytes(&manifest);
        transaction.seal(file, manifest.output.sha256.clone())?;
        if let (Some(counts), Some(about)) = (sensitive, &manifest.anatomy) {
            transaction.seal(counts, about.sha256.clone())?;
        }
        self.remove_earlier_sensitive(&mut transaction)?;
        transaction.write(&manifest_path(output), &reported, self.options.readers)?;
        let sha256 = Some(manifest.output.sha256.clone());
        let record = self.record(output, sha256, streamed, &plan, groups);
        let recorded = self.publications.add(&mut transaction, &record);
        let place = place(self.engine, self.options);
        transaction.commit_if(|| place.check(self.project))?;
        let files =
            WrittenFiles { output: output.clone(), manifest: Some(manifest_path(output)), private };
        let report = self.report(files, streamed, proof, plan, &whole).recorded(recorded);
        let report = self.with_anatomy(report, manifest.anatomy.as_ref());
        let sha256 = Some(manifest.output.sha256);
        Ok(PublicationReport { sha256, formulas, together, ..report })
    }

    fn report(
        &self,
        files: WrittenFiles,
        streamed: Streamed,
        proof: ProvedFile,
        mut plan: ColumnPlan,
        whole: &WholeRecords,
    ) -> PublicationReport {
        plan.notes.extend(whole.warning());
        PublicationReport {
            output: files.output,
            manifest: files.manifest,
            private: files.private,
            account: Account::of(streamed.dropped, self.engine.records())
                .suppressing(streamed.suppressed),
            search_stopped: false,
            recoding: self.recoded.recoding().kind(),
            tight: self.recoded.recoding().is_tight(),
            strategy: self.options.choice.strategy().map(str::to_owned),
            result: self.recoded.name(),
            scheme: self.recoded.levels().cloned(),
            groups: proof.groups,
            records: streamed.written,
            order: self.options.order.name(),
            starred: self.stars.records(),
            stars_failed: self.stars.failed(),
            promised: self.criteria.iter().map(|c| (c.label.clone(), c.asked())).collect(),
            attained: proof.attained,
            single_valued: proof.single_valued,
            sha256: None,
            promise_over: self.engine.attributes().into_iter().map(String::from).collect(),
            unchanged: plan.named(Treatment::Unchanged),
            formulas: 0,
            spreadsheet_safe: self.options.formulas == Formulas::Escaped,
            earlier: Vec::new(),
            together: None,
            record: None,
            unrecorded: None,
            as_recorded: plan.as_recorded(),
            unique_over_all_columns: whole.unique,
            unique_estimated: whole.estimated,
            columns: plan,
            anatomy: None,
        }
    }

    /// Adds what a report says of a publication in two tables.
    fn with_anatomy(
        &self,
        report: PublicationReport,
        table: Option<&SensitiveTable>,
    ) -> PublicationReport {
        let Some(table) = table else { return report };
        PublicationReport {
            recoding: "anatomy",
            scheme: None,
            promise_over: vec![table.group.clone()],
            anatomy: Some(PublishedAnatomy {
                sensitive: sensitive_path(&self.options.output),
                attribute: table.attribute.clone(),
                group: table.group.clone(),
                exact: table.exact.clone(),
            }),
            ..report
        }
    }

    fn recoder(&self) -> Recoder<'_> {
        self.recoded.recoder()
    }

    /// How many bytes of records are shuffled at once.
    fn shuffled_bytes(&self) -> usize {
        (self.options.memory / 8).clamp(LEAST_SHUFFLED, MOST_SHUFFLED)
    }

    /// Writes the records; how many fields and names look like formulas is returned as well.
    fn stream(
        &self,
        table: &Table,
        publication: &RecordRecoding<'_>,
        file: &Staged,
        names: &[String],
    ) -> Result<(Streamed, u64), Error> {
        let mut sink = Spreadsheet::new(self.sink(file, names)?, self.options.formulas);
        self.options.progress.start("publishing", table.input().bytes().unwrap_or(0));
        let streamed = stream(table, publication, &mut sink, self.options.progress);
        self.options.progress.finish();
        let streamed = streamed?;
        sink.finish()?;
        let names = names.iter().filter(|name| spreadsheet::is_formula(name)).count();
        Ok((streamed, sink.found() + names as u64))
    }

    /// Where records go: into the file, in the order that was asked for.
    fn sink(&self, file: &Staged, names: &[String]) -> Result<Box<dyn Sink>, Error> {
        let output = &self.options.output;
        let writer =
            std::io::BufWriter::with_capacity(1 << 18, file.writer().map_err(Error::io(output))?);
        let names: Vec<String> = names.iter().map(|name| self.written_name(name)).collect();
        let is_parquet = output.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet"));
        let plain: Box<dyn Sink> = if is_parquet {
            Box::new(Parquet::new(writer, output, &names)?)
        } else {
            Box::new(Delimited::new(writer, output, &names)?)
        };
        Ok(match self.options.order {
            RecordOrder::Random { seed } => {
                Box::new(Shuffled::new(plain, seed, self.shuffled_bytes()))
            }
            RecordOrder::Kept => plain,
        })
    }

    /// The name of a column as it is written.
    fn written_name(&self, name: &str) -> String {
        let escaped = match self.options.formulas {
            Formulas::Unchanged => None,
            Formulas::Escaped => spreadsheet::escaped(name),
        };
        escaped.unwrap_or_else(|| name.to_owned())
    }

    /// What is recorded of this publication.
    fn record(
        &self,
        output: &Path,
        sha256: Option<String>,
        streamed: Streamed,
        plan: &ColumnPlan,
        groups: Option<GroupCounts>,
    ) -> PublicationRecord {
        PublicationRecord {
            output: output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256,
            records: streamed.written,
            suppressed: streamed.suppressed,
            quasi_identifiers: self.engine.attributes().into_iter().map(String::from).collect(),
            unchanged: plan.named(Treatment::Unchanged),
            promises: self.criteria.iter().map(Criterion::words).collect(),
            anatomy: self.anatomy.is_some(),
            data_digest: Some(self.engine.data_digest()),
            groups,
            ..self.publications.record(self.recoded.recoding().clone())
        }
    }
}
