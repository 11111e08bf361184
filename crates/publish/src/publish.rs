//! Publishing: recode, suppress, write next to the place, read again, prove the promise, and only then rename.

use std::path::{Path, PathBuf};

use haggle_api::{
    Account, Amount, Ask, ColumnPlan, EarlierPublication, PublicationReport, PublishOutcome,
    PublishRequest, SuppressedRecords, Together, Treatment,
};
use haggle_data::sinks::Formulas;
use haggle_data::{Streamed, Suppress};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_engine::update::counts_the_table;
use haggle_model::{Error, Level, Progress, Silent};
use haggle_output::Readers;
use haggle_project::Project;

use crate::publications::{GroupCounts, PublicationRecord, Publications};

mod anatomy;
pub(crate) mod builder;
mod columns;
mod destination;
mod manifests;
mod order;
mod place;
mod preview;
mod prove;
mod settle;
mod stars;
mod together;
mod whole;

use anatomy::AnatomyPlan;
use destination::{MeasuredRecords, ProvedRecords, WrittenRecords};
use settle::{SettledRecoding, recoded, shown};
use stars::{Stars, stars};

pub use destination::{PublishTarget, SqlForm, SqlScript};
pub use haggle_api::Choice;
pub use order::RecordOrder;
pub use place::Replace;
pub use preview::preview_of;
pub(crate) use whole::whole_records;

/// How to publish.
pub struct PublishOptions<'a> {
    /// Where it goes.
    pub to: PublishTarget,
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
            to: PublishTarget::File(output.into()),
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

    /// Publishes what a request describes, into a file that is still to be named. Its time limit is
    /// left to `progress`.
    pub fn of_request(request: PublishRequest, ask: Ask) -> Result<Self, Error> {
        let choice = request.recoding().resolve()?;
        let order = match (request.keep_order, request.seed) {
            (true, Some(_)) => {
                let what = "the order of the table is kept, and a seed of a random order is given";
                return Err(Error::new(what, "give one of them"));
            }
            (true, None) => RecordOrder::Kept,
            (false, Some(seed)) => RecordOrder::Random { seed },
            (false, None) => RecordOrder::random(),
        };
        let suppress = match request.suppress {
            SuppressedRecords::Drop => Suppress::Drop,
            SuppressedRecords::Star => Suppress::Star,
        };
        let escaped = request.spreadsheet_safe;
        Ok(Self {
            choice,
            as_recorded: request.as_recorded,
            suppress,
            flag: request.flag,
            order,
            formulas: if escaped { Formulas::Escaped } else { Formulas::Unchanged },
            ..Self::new("", ask)
        })
    }
}

/// Publishes the project's table once its promise is proved from what was written; otherwise returns the refusal.
pub fn publish(
    engine: &Engine,
    project: &Project,
    options: &PublishOptions<'_>,
) -> Result<PublishOutcome, Error> {
    destination::publish_by(engine, project, options, destination::destination_of)
}

/// One publication under way: what is published is settled.
struct PublishWork<'a> {
    engine: &'a Engine,
    project: &'a Project,
    publications: Publications,
    /// The newest of the earlier publications.
    earlier: Vec<EarlierPublication>,
    /// How many earlier publications are recorded.
    recorded: u64,
    options: &'a PublishOptions<'a>,
    ask: Ask,
    criteria: Vec<Criterion>,
    /// At which level each sensitive attribute is published, if not as recorded.
    shown: Vec<Option<Level>>,
    recoded: Recoded<'a>,
    /// Whether the search for the recoding was stopped before it was done.
    search_stopped: bool,
    /// The groups that are suppressed.
    failing: Failing,
    /// What becomes of suppressed records.
    stars: Stars,
    /// The groups, where the publication is two tables.
    anatomy: Option<AnatomyPlan>,
}

impl<'a> PublishWork<'a> {
    /// Settles which recoding is meant, without anatomy; or says why there is none.
    fn of_choice(
        engine: &'a Engine,
        project: &'a Project,
        options: &'a PublishOptions<'a>,
    ) -> Result<Result<Self, PublishOutcome>, Error> {
        let ask = options.ask.or(engine.defaults());
        let criteria = engine.criteria(&ask)?;
        let shown = shown(engine, &criteria)?;
        let settled = recoded(engine, options, &ask, &criteria)?;
        let SettledRecoding { recoded, stopped } = match settled {
            Ok(settled) => settled,
            Err(no) => return Ok(Err(no)),
        };
        recoded.check_memory(options.memory.saturating_sub(engine.annotated_bytes()))?;
        // Where the groups are those of a table of sensitive values, all of them pass.
        let is_anatomy = options.choice == Choice::Anatomy;
        let failing = if is_anatomy { Failing::default() } else { recoded.failing(&criteria) };
        let stars = stars(&recoded, options.suppress, options.flag.as_deref(), &failing, &criteria);
        Ok(Ok(Self {
            engine,
            project,
            publications: Publications::of(project),
            earlier: Vec::new(),
            recorded: 0,
            options,
            ask,
            criteria,
            shown,
            recoded,
            search_stopped: stopped,
            failing,
            stars,
            anatomy: None,
        }))
    }

    /// Settles what is published; or says why nothing is.
    fn settle(
        engine: &'a Engine,
        project: &'a Project,
        options: &'a PublishOptions<'a>,
    ) -> Result<Result<Self, PublishOutcome>, Error> {
        counts_the_table(engine, "a publication")?;
        Ask::refuse(&[("top", options.ask.top.is_some())])?;
        let publications = Publications::of(project);
        publications.settle(project, options.progress)?;
        let (earlier, recorded) = publications.earlier()?;
        let ask = options.ask.or(engine.defaults());
        let weaker = if ask.only { Vec::new() } else { engine.weakened(&ask)? };
        if !weaker.is_empty() {
            return Ok(Err(PublishOutcome::Weaker(weaker)));
        }
        let work = match Self::of_choice(engine, project, options)? {
            Ok(work) => work,
            Err(no) => return Ok(Err(no)),
        };
        let anatomy = match anatomy::plan(engine, options, &work.criteria)? {
            Ok(plan) => plan,
            Err(no) => return Ok(Err(no)),
        };
        let max_suppressed = enforced_limit(options, &ask, &work.failing);
        if let Some(no) = refused(engine, max_suppressed, work.failing.records) {
            return Ok(Err(no));
        }
        // The private manifest says what was enforced, so that repeating it enforces the same.
        let ask = Ask { max_suppressed, ..ask };
        Ok(Ok(Self { earlier, recorded, ask, anatomy, ..work }))
    }
}

/// Returns how many records may be suppressed, if that is limited.
fn enforced_limit(options: &PublishOptions<'_>, ask: &Ask, failing: &Failing) -> Option<Amount> {
    match (options.choice.is_named(), ask.max_suppressed) {
        (true, _) => options.ask.max_suppressed,
        // An exact answer to a request without a limit suppresses no record.
        (false, None) if options.choice == Choice::Answer && failing.records == 0 => {
            Some(Amount::ZERO)
        }
        (false, stated) => stated,
    }
}

/// Returns a refusal if too many records would be suppressed, or all of them.
fn refused(engine: &Engine, limit: Option<Amount>, suppressed: u64) -> Option<PublishOutcome> {
    let limit = limit.map_or(u64::MAX, |limit| limit.of(engine.records()));
    if suppressed > limit {
        return Some(PublishOutcome::TooMany { suppressed, limit });
    }
    (suppressed == engine.records()).then_some(PublishOutcome::Nothing { suppressed })
}

impl PublishWork<'_> {
    /// How many records the publication will have.
    fn published_records(&self) -> u64 {
        match self.stars.suppress() {
            Suppress::Drop => self.engine.records() - self.failing.records,
            Suppress::Star => self.engine.records(),
        }
    }

    /// What is written by statements, if the data is still what was counted.
    fn expected(&self, profiled: Streamed) -> Streamed {
        let (written, suppressed) = (self.published_records(), self.failing.records);
        Streamed { written, suppressed, dropped: profiled.dropped, digest: 0 }
    }

    /// Fails if records with the same recorded values are published differently.
    fn refuse_split_records(&self, destination: &str) -> Result<(), Error> {
        if !self.recoded.splits_records() {
            return Ok(());
        }
        let what = format!(
            "records with the same recorded values are published differently here, which {destination} cannot do"
        );
        Err(Error::unsupported(what, "publish into a file, or choose another strategy"))
    }

    fn check_cancelled(&self) -> Result<(), Error> {
        if self.options.progress.cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// What everybody may know of measured records, and what is recorded of them.
    fn proved(
        &self,
        measured: MeasuredRecords,
        written: &WrittenRecords,
        groups: Option<GroupCounts>,
    ) -> ProvedRecords {
        let MeasuredRecords { proof, whole, output, anatomy } = measured;
        let (streamed, unchanged) = (written.streamed, written.plan.named(Treatment::Unchanged));
        let name = Path::new(&output.file).file_name().unwrap_or_default();
        let record = PublicationRecord {
            output: name.to_string_lossy().into_owned(),
            sha256: Some(output.sha256.clone()).filter(|sha256| !sha256.is_empty()),
            records: streamed.written,
            suppressed: streamed.suppressed,
            quasi_identifiers: self.engine.attributes().into_iter().map(String::from).collect(),
            unchanged,
            promises: self.criteria.iter().map(Criterion::words).collect(),
            anatomy: self.anatomy.is_some(),
            data_digest: Some(self.engine.data_digest()),
            groups,
            ..self.publications.record(self.recoded.recoding().clone())
        };
        let mut manifest = self.manifest(output, &proof, &written.plan);
        manifest.anatomy = anatomy;
        ProvedRecords { proof, whole, manifest, record }
    }

    /// The report of a publication, without what only its destination knows.
    fn report(
        &self,
        output: &Path,
        manifest: Option<PathBuf>,
        written: WrittenRecords,
        proved: ProvedRecords,
    ) -> PublicationReport {
        let WrittenRecords { streamed, mut plan, together, .. } = written;
        let ProvedRecords { proof, whole, record, .. } = proved;
        plan.notes.extend(whole.warning());
        PublicationReport {
            output: output.to_owned(),
            manifest,
            private: None,
            account: Account::from_counts(streamed.dropped, self.engine.records())
                .suppressing(streamed.suppressed),
            search_stopped: self.search_stopped,
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
            sha256: record.sha256,
            promise_over: record.quasi_identifiers,
            unchanged: record.unchanged,
            formulas: 0,
            spreadsheet_safe: self.options.formulas == Formulas::Escaped,
            earlier: self.earlier.clone(),
            together,
            record: None,
            unrecorded: None,
            as_recorded: plan.as_recorded(),
            unique_over_all_columns: whole.unique,
            unique_estimated: whole.estimated,
            columns: plan,
            anatomy: None,
        }
    }
}
