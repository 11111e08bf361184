//! How a program opens an engine: step by step, with a default for everything.

use haggle_model::{Error, Progress};
use haggle_project::Project;

use super::{Engine, Options};
use crate::on_demand::Way;

/// The bytes of a gigabyte.
const GIGABYTE: f64 = (1_u64 << 30) as f64;

/// Options of an engine that is about to be opened; see [`Engine::builder`].
#[must_use]
pub struct EngineBuilder<'a> {
    project: &'a Project,
    options: Options<'a>,
    progress: Option<Box<dyn Progress + 'a>>,
}

impl Engine {
    /// Starts opening the engine of a project. Whether every scheme is annotated beforehand or schemes
    /// are counted as questions touch them is decided by the expected cost.
    ///
    /// ```
    /// use haggle::{Engine, Project, Request};
    ///
    /// let project = Project::demo();
    /// let engine = Engine::builder(&project).qi(["age", "race"]).memory_gb(2).open()?;
    /// assert_eq!(engine.attributes(), ["age", "race"]);
    /// assert!(engine.ask(&Request::k(10))?.exact().is_ok());
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn builder(project: &Project) -> EngineBuilder<'_> {
        let options = Options { way: Way::Auto, ..Options::default() };
        EngineBuilder { project, options, progress: None }
    }
}

impl<'a> EngineBuilder<'a> {
    /// Chooses the quasi-identifiers and their order, instead of the project's.
    pub fn qi<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.options.qi = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Limits the memory for counts, cells and histograms, in gigabytes.
    pub fn memory_gb(self, gigabytes: impl Into<f64>) -> Self {
        self.memory((gigabytes.into() * GIGABYTE) as usize)
    }

    /// Limits the memory for counts, cells and histograms, in bytes.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.options.memory = bytes;
        self
    }

    /// Sends progress to this sink, which can also cancel. A reference or an `Arc` shares a sink.
    pub fn progress(mut self, progress: impl Progress + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Chooses which schemes are annotated beforehand.
    pub fn mode(mut self, mode: Way) -> Self {
        self.options.way = mode;
        self
    }

    /// Counts the data again, even if a fresh lattice is stored.
    pub fn ignore_stored(mut self) -> Self {
        self.options.stored = false;
        self
    }

    /// Opens the engine: from the stored lattice if that is fresh, else from the data.
    pub fn open(self) -> Result<Engine, Error> {
        let Self { project, options, progress } = self;
        match &progress {
            Some(progress) => {
                Engine::open(project, &Options { progress: progress.as_ref(), ..options })
            }
            None => Engine::open(project, &options),
        }
    }
}
