//! Which schemes of a lattice are annotated: all, those that questions touch, or a selection.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use haggle_cube::OnDemand;

use crate::lattices::Lattices;
use crate::options::{Options, Way};
use crate::partial::Partial;

/// A question may read this many times the cells that annotating all schemes beforehand may.
const BY_QUESTION: f64 = 4.0;

/// How questions may be answered that need more than a lattice carries.
#[derive(Debug)]
pub(crate) struct Flexible {
    /// As many cells may be read for a question's tables.
    pub(crate) touches: f64,
    /// How many are read for all schemes, once that was asked.
    pub(crate) all: OnceLock<f64>,
    /// Whether tables of a question did not fit into memory.
    pub(crate) too_little_memory: AtomicBool,
    /// The lattices on demand of the others.
    pub(crate) lattices: Lattices<OnDemand>,
}

impl Flexible {
    /// The same limits for the same lattice in another order of attributes.
    pub(crate) fn reordered(&self) -> Self {
        Self {
            touches: self.touches,
            all: self.all.clone(),
            too_little_memory: AtomicBool::new(self.too_little_memory.load(Relaxed)),
            lattices: Lattices::default(),
        }
    }

    /// As an engine was opened; nothing is flexible where the way was stated.
    pub(crate) fn of(options: &Options<'_>) -> Option<Self> {
        (options.way == Way::Auto).then(|| Self {
            touches: BY_QUESTION * options.full_touches,
            all: OnceLock::new(),
            too_little_memory: AtomicBool::new(false),
            lattices: Lattices::default(),
        })
    }
}

/// Which schemes of an engine's lattice are annotated.
#[derive(Debug)]
pub(crate) enum Form {
    /// All of them.
    Full,
    /// Those that questions touch.
    OnDemand(Lattices<OnDemand>),
    /// Those that were selected.
    Partial(Box<Partial>),
}

/// How one question is answered.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'e> {
    /// From tables of all schemes.
    Full,
    /// From schemes that are annotated as the search visits them.
    OnDemand(&'e Lattices<OnDemand>),
    /// From the selected schemes.
    Partial(&'e Partial),
}
