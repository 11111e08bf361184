//! How a program publishes: step by step, with a default for everything.

use std::path::{Path, PathBuf};

use haggle_api::{Ask, ColumnPlan, Preview, PublicationReport, PublishOutcome, Refusal};
use haggle_data::Suppress;
use haggle_data::sinks::Formulas;
use haggle_engine::Engine;
use haggle_model::{Error, ErrorKind, Progress, Remedy, Scheme};
use haggle_project::Project;

use super::{
    Choice, PublishOptions, PublishTarget, RecordOrder, Replace, SqlScript, preview_of, publish,
};
use crate::manifest::PrivateManifest;

/// Receives what becomes of every column.
type OnColumns<'a> = Box<dyn Fn(&ColumnPlan) + Sync + 'a>;

/// A publication that is about to be made.
///
/// ```
/// use haggle::{Engine, Project, Publication, Request};
///
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race"]).open()?;
/// let folder = std::env::temp_dir().join(format!("haggle-publication-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let report = Publication::of(&Request::k(10)).to(folder.join("out.csv")).publish(&engine)?;
/// assert_eq!(report.records + report.suppressed(), engine.records());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Publication<'a> {
    options: PublishOptions<'static>,
    progress: Option<Box<dyn Progress + 'a>>,
    on_columns: Option<OnColumns<'a>>,
}

impl<'a> Publication<'a> {
    /// Publishes the exact answer to a request, unless something else is chosen.
    pub fn of(request: &Ask) -> Self {
        Self { options: PublishOptions::new("", request.clone()), progress: None, on_columns: None }
    }

    /// Repeats an earlier publication on this data, with its thresholds, columns and options.
    pub fn repeat(manifest: &PrivateManifest) -> Self {
        let mut publication = Self::of(&manifest.thresholds()).choose(manifest.choice());
        publication.options.as_recorded = Some(manifest.as_recorded.clone());
        publication.options.columns = Some(manifest.columns());
        publication.options.flag.clone_from(&manifest.flag);
        publication.suppress(manifest.suppress()).formulas(manifest.formulas())
    }

    /// Names the file to write: CSV, or Parquet if its name ends in `.parquet`.
    pub fn to(mut self, output: impl Into<PathBuf>) -> Self {
        self.options.to = PublishTarget::File(output.into());
        self
    }

    /// Names a table that the project's database makes, or files that it writes, such as
    /// `parquet:/data/out`; and a file for their public manifest, which files must have.
    pub fn to_table(mut self, name: impl Into<String>, manifest: Option<&Path>) -> Self {
        self.options.to = PublishTarget::table(name, manifest);
        self
    }

    /// Writes SQL that publishes in a database once somebody runs it; [`Self::outcome`] then returns
    /// [`PublishOutcome::Written`].
    pub fn to_script(mut self, script: SqlScript) -> Self {
        self.options.to = PublishTarget::Script(script);
        self
    }

    /// Chooses what is published.
    pub fn choose(mut self, choice: Choice) -> Self {
        self.options.choice = choice;
        self
    }

    /// Publishes this scheme.
    pub fn scheme(self, scheme: Scheme) -> Self {
        self.choose(Choice::Scheme(scheme))
    }

    /// Publishes what a strategy finds.
    pub fn strategy(self, strategy: impl Into<String>) -> Self {
        self.choose(Choice::Strategy(strategy.into()))
    }

    /// Publishes these columns as recorded although they would be dropped.
    pub fn as_recorded<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.options.as_recorded = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Chooses what happens to records whose group fails.
    pub fn suppress(mut self, suppress: Suppress) -> Self {
        self.options.suppress = suppress;
        self
    }

    /// Adds a column of this name that says which records were suppressed.
    pub fn flag(mut self, name: impl Into<String>) -> Self {
        self.options.flag = Some(name.into());
        self
    }

    /// Chooses the order of the records; random unless something else is chosen.
    pub fn order(mut self, order: RecordOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Chooses what is done with text that spreadsheets take for formulas.
    pub fn formulas(mut self, formulas: Formulas) -> Self {
        self.options.formulas = formulas;
        self
    }

    /// Writes the private manifest and the value mappings into this folder.
    pub fn private(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.private = Some(folder.into());
        self
    }

    /// Chooses which existing files may be replaced.
    pub fn replace(mut self, replace: Replace) -> Self {
        self.options.replace = replace;
        self
    }

    /// Sends progress to this sink, which can also cancel. A reference or an `Arc` shares a sink.
    pub fn progress(mut self, progress: impl Progress + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Receives what becomes of every column, before anything is written.
    pub fn on_columns(mut self, receive: impl Fn(&ColumnPlan) + Sync + 'a) -> Self {
        self.on_columns = Some(Box::new(receive));
        self
    }

    /// Writes the file, proves the promise from what was written, and only then gives it its name.
    /// A refusal is an error; [`Self::outcome`] returns it as data.
    pub fn publish(self, engine: &Engine) -> Result<PublicationReport, Error> {
        let refused = |refusal: Refusal| {
            let what = format!("not published: {}", refusal.reason);
            let fix = if refusal.weaker.is_empty() {
                "ask for less, or accept a relaxation".into()
            } else {
                Remedy::StateOnly
            };
            Error::of_kind(ErrorKind::RefusedByPolicy, what, fix)
        };
        self.outcome(engine)?.into_report().map(|report| *report).map_err(refused)
    }

    /// Publishes like [`Self::publish`]; a refusal is an outcome.
    pub fn outcome(self, engine: &Engine) -> Result<PublishOutcome, Error> {
        let project = project_of(engine)?;
        self.with_options(|options| publish(engine, project, options))
    }

    /// Returns what the publication would look like, with its first rows. Nothing is written.
    pub fn preview(self, engine: &Engine, rows: usize) -> Result<Preview, Error> {
        let project = project_of(engine)?;
        self.with_options(|options| preview_of(engine, project, options, rows))
    }

    fn with_options<T>(self, run: impl FnOnce(&PublishOptions<'_>) -> T) -> T {
        let Self { options, progress, on_columns } = self;
        let mut options: PublishOptions<'_> = options;
        if let Some(progress) = &progress {
            options.progress = progress.as_ref();
        }
        if let Some(on_columns) = &on_columns {
            options.on_columns = on_columns.as_ref();
        }
        run(&options)
    }
}

fn project_of(engine: &Engine) -> Result<&Project, Error> {
    engine.project().ok_or_else(|| {
        let what = "the engine was opened from a lattice file alone, which has no records";
        Error::new(what, "open the engine with its project")
    })
}
