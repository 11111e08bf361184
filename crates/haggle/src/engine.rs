//! The engine: a table's annotated lattice, and every question that it answers.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use haggle_cube::{Cube, FullLattice, Lattice, Limits};
use haggle_model::Scheme;
use haggle_privacy::Facts;
use serde::Serialize;

use crate::accounting::ColumnPlan;
use crate::ask::{Defaults, within_top};
use crate::facts::AllStated;
use crate::freshness::Fingerprint;
use crate::on_demand::{Flexible, Form, Way};
use crate::partial::PartialKnown;
use crate::results::Results;
use crate::tables::Tables;
use crate::update::Changes;
use crate::words::Frequencies;
use crate::{Account, Error, Project};

mod asking;
mod opening;
mod reordered;

pub use asking::{HeightStudy, SchemeHistogram, Study};
use reordered::Original;

/// Is told how far long work has come.
pub trait Progress: Sync {
    /// Some work of so many steps begins.
    fn start(&self, what: &str, steps: u64);
    /// So many steps more are done.
    fn advance(&self, steps: u64);
    /// The work is done.
    fn finish(&self);
    /// Whether the work is no longer wanted. It then stops soon, with [`Error::Cancelled`].
    fn cancelled(&self) -> bool {
        false
    }

    /// Shows what becomes of every column, before a publication is written.
    fn columns(&self, _: &ColumnPlan) {}

    /// So many steps more are done; whether to go on.
    fn step(&self, steps: usize) -> ControlFlow<()> {
        self.advance(steps as u64);
        if self.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Progress that nobody watches.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
}

/// Roll-ups that read more cells than this take longer than questions are worth waiting for: about a
/// second.
pub(crate) const FULL_TOUCHES: f64 = 1e8;

/// What may be chosen when an engine is opened.
pub struct Options<'a> {
    /// The quasi-identifiers, in order; the project's own choice if not given.
    pub qi: Option<Vec<String>>,
    /// Bytes for counts, cells and histograms.
    pub memory: usize,
    /// Who is told of progress.
    pub progress: &'a dyn Progress,
    /// Whether a stored lattice may be used.
    pub stored: bool,
    /// Whether every scheme is annotated beforehand.
    pub way: Way,
    /// With [`Way::Auto`]: every scheme is annotated beforehand only if roll-ups read at most about so
    /// many cells for that.
    pub full_touches: f64,
    /// Of a partial lattice: whether the scheme of a request's maximum levels is annotated when asked,
    /// so that what gives under them is exact.
    pub annotate_maximum: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            qi: None,
            memory: Limits::default().memory,
            progress: &Silent,
            stored: true,
            way: Way::Full,
            full_touches: FULL_TOUCHES,
            annotate_maximum: false,
        }
    }
}

/// What building a lattice took.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Built {
    /// The schemes annotated.
    pub schemes: usize,
    /// The records counted.
    pub records: u64,
    /// The groups of the base scheme.
    pub base_groups: usize,
    /// The cells that roll-ups read.
    pub touches: u64,
    /// Reading and counting the data.
    pub scan_millis: u64,
    /// Annotating every scheme.
    pub annotate_millis: u64,
    /// All of it.
    pub millis: u64,
    /// Which schemes were annotated, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialKnown>,
}

/// A table's annotated lattice, ready to answer.
#[derive(Debug)]
pub struct Engine {
    /// Without a table where not every scheme is annotated.
    lattice: FullLattice,
    form: Form,
    /// Where every scheme is annotated and a question may be answered otherwise: how many cells may be
    /// read for its tables, and the lattices of those that would need more.
    flexible: Option<Flexible>,
    annotate_maximum: bool,
    memory: usize,
    /// How many records of the table were dropped for a missing value.
    dropped: u64,
    /// What is counted beside the table, and what not.
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
    /// What making this engine took.
    pub fn built(&self) -> &Built {
        &self.built
    }

    /// Something the user should know of how the engine was made.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// What is counted beside the table, and what not.
    pub fn changed_since(&self) -> Changes {
        self.changes
    }

    /// The project that it was opened with, if it was.
    pub(crate) fn project(&self) -> Option<&Project> {
        self.project.as_deref()
    }

    /// The quasi-identifiers, in the order of a scheme's levels.
    pub fn attributes(&self) -> Vec<&str> {
        names(self.lattice.cube())
    }

    /// A digest of the data that was counted.
    pub(crate) fn data_digest(&self) -> u64 {
        self.fingerprint.data
    }

    /// The counted groups that everything is answered from.
    pub fn cube(&self) -> &Cube {
        self.lattice.cube()
    }

    /// How many records were counted.
    pub fn records(&self) -> u64 {
        self.lattice.records()
    }

    /// What became of the records of the table: read, dropped for a missing value, counted.
    pub fn account(&self) -> Account {
        Account::of(self.dropped, self.records())
    }

    /// What is asked unless told otherwise.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The most general scheme.
    pub fn top(&self) -> &Scheme {
        self.lattice.space().top()
    }

    /// How often the recorded values occur.
    pub(crate) fn frequencies(&self) -> &Frequencies {
        self.frequencies.get_or_init(|| Frequencies::of(self.cube()))
    }

    /// What strategies found when they were compared.
    pub(crate) fn results(&self) -> &Results {
        &self.results
    }

    /// What is known of the sensitive attributes.
    pub(crate) fn facts(&self) -> &[Facts] {
        &self.facts
    }

    /// What the project states of its sensitive attributes.
    pub(crate) fn stated(&self) -> &AllStated {
        &self.stated
    }

    /// Which schemes are annotated.
    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    /// How questions may be answered that need more than is annotated.
    pub(crate) fn flexible(&self) -> Option<&Flexible> {
        self.flexible.as_ref()
    }

    /// Whether the scheme of the maximum levels is annotated for a question.
    pub(crate) fn annotates_maximum(&self) -> bool {
        self.annotate_maximum
    }

    /// The counted groups, to be held longer.
    pub(crate) fn shared_cube(&self) -> &Arc<Cube> {
        self.lattice.cube()
    }

    /// Bytes that may be used.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// The scheme, if it is one of this lattice.
    pub(crate) fn scheme(&self, scheme: &Scheme) -> Result<Scheme, Error> {
        let names = self.attributes();
        if scheme.levels().len() != names.len() {
            let what = format!(
                "the scheme has {} levels for {} quasi-identifiers",
                scheme.levels().len(),
                names.len()
            );
            return Err(Error::new(what, format!("give one for each of: {}", names.join(", "))));
        }
        within_top(scheme, self.top(), &names)
    }
}

fn names(cube: &Cube) -> Vec<&str> {
    cube.attributes().iter().map(|attribute| attribute.name.as_str()).collect()
}
