//! How a program opens an engine: step by step, with a default for everything.

use super::{Engine, EngineSource};
use crate::options::{Options, QuestionCount, Way};
use haggle_api::Levels;
use haggle_model::{Error, Progress};

/// The bytes of a gigabyte.
const GIGABYTE: f64 = (1_u64 << 30) as f64;

/// Options of an engine that is about to be opened; see [`Engine::builder`].
#[must_use]
pub struct EngineBuilder<'a> {
    source: EngineSource<'a>,
    options: Options<'a>,
    progress: Option<Box<dyn Progress + 'a>>,
}

impl<'a> EngineBuilder<'a> {
    pub(super) fn new(source: EngineSource<'a>) -> Self {
        Self { source, options: Options::default(), progress: None }
    }

    /// Chooses the quasi-identifiers and their order, instead of the project's.
    pub fn qi<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.options.qi = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Counts groups from these levels on, such as `age=1,zip=2`: for tables whose recorded
    /// combinations take too much memory. Schemes below are not offered.
    pub fn from_level(mut self, levels: Levels) -> Self {
        self.options.from_level = Some(levels);
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

    /// Says how many questions the engine is opened for.
    pub fn questions(mut self, questions: QuestionCount) -> Self {
        self.options.questions = questions;
        self
    }

    /// Counts the data again, even if a fresh lattice is stored.
    pub fn ignore_stored(mut self) -> Self {
        self.options.stored = false;
        self
    }

    /// Opens the engine: from the stored lattice if that is fresh, else from the data.
    pub fn open(self) -> Result<Engine, Error> {
        let Self { source, options, progress } = self;
        match &progress {
            Some(progress) => {
                Engine::open(source, &Options { progress: progress.as_ref(), ..options })
            }
            None => Engine::open(source, &options),
        }
    }
}
