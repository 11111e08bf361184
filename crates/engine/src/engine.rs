//! The engine: a table's annotated lattice, and every question that it answers.

use crate::criteria::start::{needs_recorded, not_below_start};
use crate::engine::words::Frequencies;
use crate::lattice::freshness::Fingerprint;
use crate::lattice::store::LatticeStore;
use crate::lattice::tables::Tables;
use crate::recoding::results::Results;
use haggle_api::ask::within_top;
use haggle_api::{Account, Built, Changes, Defaults};
use haggle_cube::Cube;
use haggle_model::numerals::counted;
use haggle_model::{Error, Progress, Scheme, Silent};
use haggle_privacy::Facts;
use haggle_project::Project;
use haggle_project::facts::AllStated;
use std::sync::{Arc, OnceLock};
mod builder;
mod judged;
mod opening;
mod reordered;
mod source;
mod words;
pub use builder::EngineBuilder;
use reordered::Original;
pub use source::EngineSource;

/// A table's annotated lattice, ready to answer.
#[derive(Debug)]
pub struct Engine {
    store: LatticeStore,
    annotate_maximum: bool,
    memory: usize,
    /// How many records of the table were dropped for a missing value.
    dropped: u64,
    /// Records added and removed since the table was read.
    changes: Changes,
    /// What is known of the sensitive attributes.
    facts: Vec<Facts>,
    stated: AllStated,
    /// The tables of models that no lattice carries beforehand.
    tables: Arc<Tables>,
    /// The engine whose annotations it shares, if its attributes only stand in another order.
    original: Option<Original>,
    defaults: Defaults,
    built: Built,
    fingerprint: Fingerprint,
    notice: Option<String>,
    /// What it was opened with, if not with a lattice file alone: its data can be read again.
    project: Option<Box<Project>>,
    /// Counted when first asked for.
    frequencies: OnceLock<Frequencies>,
    /// What strategies found when they were compared.
    results: Results,
}

impl Engine {
    /// Starts opening the engine of a project or a lattice file. Whether every scheme is annotated
    /// beforehand or schemes are counted as questions touch them is decided by the expected cost.
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
    pub fn builder<'a>(source: impl Into<EngineSource<'a>>) -> EngineBuilder<'a> {
        EngineBuilder::new(source.into())
    }

    /// What making this engine took, and which schemes are annotated if some were selected.
    ///
    /// ```
    /// # use haggle::{Engine, Project, Way};
    /// # use haggle::catalog::find_estimator;
    /// # use haggle::search::Selection;
    /// let selection = Selection::new(find_estimator("lambda").unwrap(), 5.0)?;
    /// let way = Way::Partial(selection);
    /// let engine = Engine::builder(&Project::demo()).mode(way).ignore_stored().open()?;
    /// let partial = engine.built().partial.as_ref().expect("some schemes only");
    /// assert!(partial.schemes < partial.of / 10);
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn built(&self) -> &Built {
        &self.built
    }

    /// Something the user should know of how the engine was made.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Records added and removed since the table was read.
    pub fn changed_since(&self) -> Changes {
        self.changes
    }

    /// Returns the project that it was opened with; none if it was opened from a lattice file alone.
    pub fn project(&self) -> Option<&Project> {
        self.project.as_deref()
    }

    /// The quasi-identifiers, in the order of a scheme's levels.
    pub fn attributes(&self) -> Vec<&str> {
        names(self.cube())
    }

    /// A digest of the data that was counted.
    pub fn data_digest(&self) -> u64 {
        self.fingerprint.data
    }

    /// The counted groups that everything is answered from.
    pub fn cube(&self) -> &Cube {
        self.store.cube()
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.cube().records()
    }

    /// What became of the records of the table: read, dropped for a missing value, counted.
    pub fn account(&self) -> Account {
        Account::from_counts(self.dropped, self.records())
    }

    /// What is asked by default.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The most general scheme.
    pub fn top(&self) -> &Scheme {
        self.store.space().top()
    }

    /// How often the recorded values occur.
    pub(crate) fn frequencies(&self) -> &Frequencies {
        self.frequencies.get_or_init(|| Frequencies::of(self.cube()))
    }

    /// What strategies found when they were compared.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// What is known of the sensitive attributes.
    pub fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// What the project states of its sensitive attributes.
    pub fn stated(&self) -> &AllStated {
        &self.stated
    }

    /// The counted groups and the schemes that are annotated.
    pub(crate) fn store(&self) -> &LatticeStore {
        &self.store
    }

    /// Whether the scheme of the maximum levels is annotated for a question.
    pub(crate) fn annotates_maximum(&self) -> bool {
        self.annotate_maximum
    }

    /// The counted groups, to be held longer.
    pub(crate) fn shared_cube(&self) -> &Arc<Cube> {
        self.store.cube()
    }

    /// Bytes that may be used.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// The scheme, if it is one of this lattice.
    pub fn scheme(&self, scheme: &Scheme) -> Result<Scheme, Error> {
        let names = self.attributes();
        if scheme.levels().len() != names.len() {
            let what = format!(
                "the scheme has {} for {}",
                counted(scheme.levels().len() as u64, "level"),
                counted(names.len() as u64, "quasi-identifier")
            );
            return Err(Error::new(what, format!("give one for each of: {}", names.join(", "))));
        }
        not_below_start(self.cube(), scheme)?;
        within_top(scheme, self.top(), &names)
    }

    /// An error if groups were not counted as recorded, which this needs.
    pub fn needs_recorded(&self, what: &str) -> Result<(), Error> {
        needs_recorded(self.cube(), what)
    }
}

fn names(cube: &Cube) -> Vec<&str> {
    cube.attributes().iter().map(|attribute| attribute.name.as_str()).collect()
}
