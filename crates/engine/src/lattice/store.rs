//! The lattice of an engine: the counted groups, and those of its schemes that are annotated.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use haggle_cube::{AnnotationCost, Cube, FullLattice, Limits, OnDemand};
use haggle_model::{Error, Space};

use crate::lattice::cheaper::{CheaperWay, Lacking};
use crate::lattice::lattices::Lattices;
use crate::lattice::partial::Partial;
use crate::options::{Options, Way};

/// The counted groups of a table, and the schemes that are annotated of it.
#[derive(Debug)]
pub(crate) struct LatticeStore {
    cube: Arc<Cube>,
    space: Space,
    annotated: AnnotatedSchemes,
    /// Lattices whose schemes are annotated as questions touch them.
    pub(crate) on_demand: Lattices<OnDemand>,
    fallback: Option<OnDemandFallback>,
    /// What the user should know of how it was annotated.
    pub(crate) notice: Option<String>,
}

/// Which schemes of a lattice are annotated beforehand.
#[derive(Debug)]
pub(crate) enum AnnotatedSchemes {
    /// All of them; further tables of all of them are made as questions need them.
    Full(FullLattice),
    /// None.
    OnDemand,
    /// Those that were selected.
    Partial(Box<Partial>),
}

impl LatticeStore {
    pub(crate) fn full(lattice: FullLattice) -> Self {
        Self::new(lattice.cube().clone(), AnnotatedSchemes::Full(lattice))
    }

    pub(crate) fn partial(partial: Partial) -> Self {
        Self::new(partial.lattice.cube().clone(), AnnotatedSchemes::Partial(partial.into()))
    }

    pub(crate) fn on_demand(cube: Arc<Cube>) -> Self {
        Self::new(cube, AnnotatedSchemes::OnDemand)
    }

    fn new(cube: Arc<Cube>, annotated: AnnotatedSchemes) -> Self {
        let (space, on_demand) = (cube.space(), Lattices::default());
        Self { cube, space, annotated, on_demand, fallback: None, notice: None }
    }

    /// Lets questions that need more than is annotated be answered on demand, unless another way was
    /// stated.
    pub(crate) fn with_fallback(self, options: &Options<'_>) -> Self {
        let is_free = options.way == Way::Auto && self.tables().is_some();
        Self { fallback: is_free.then(|| OnDemandFallback::of(options)), ..self }
    }

    /// Shares what is known of another lattice, whose attributes stand in another order.
    pub(crate) fn with_fallback_of(self, other: &Self) -> Self {
        Self { fallback: other.fallback.as_ref().map(OnDemandFallback::copied), ..self }
    }

    pub(crate) fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    pub(crate) fn annotated(&self) -> &AnnotatedSchemes {
        &self.annotated
    }

    pub(crate) fn fallback(&self) -> Option<&OnDemandFallback> {
        self.fallback.as_ref()
    }

    /// Returns the tables of all schemes, if all are annotated.
    pub(crate) fn tables(&self) -> Option<&FullLattice> {
        match &self.annotated {
            AnnotatedSchemes::Full(lattice) => Some(lattice),
            _ => None,
        }
    }

    /// Returns the selected schemes, if some were selected.
    pub(crate) fn selected(&self) -> Option<&Partial> {
        match &self.annotated {
            AnnotatedSchemes::Partial(partial) => Some(partial),
            _ => None,
        }
    }

    /// Returns whether it can be used as it is where this way is wanted.
    pub(crate) fn serves(&self, way: Way) -> bool {
        match &self.annotated {
            AnnotatedSchemes::Full(_) => matches!(way, Way::Auto | Way::Full),
            AnnotatedSchemes::OnDemand => matches!(way, Way::OnDemand),
            AnnotatedSchemes::Partial(_) => matches!(way, Way::Auto),
        }
    }

    /// Returns how its schemes are annotated, as reports name it.
    pub(crate) fn way(&self) -> &'static str {
        match &self.annotated {
            AnnotatedSchemes::Full(_) => "full",
            AnnotatedSchemes::OnDemand => "on-demand",
            AnnotatedSchemes::Partial(_) => "partial",
        }
    }

    /// Returns the cost of annotating.
    pub(crate) fn work(&self) -> AnnotationCost {
        match &self.annotated {
            AnnotatedSchemes::Full(lattice) => lattice.work(),
            AnnotatedSchemes::OnDemand => {
                AnnotationCost { schemes: self.space.size().unwrap_or(0), touches: 0 }
            }
            AnnotatedSchemes::Partial(partial) => partial.lattice.work(),
        }
    }

    /// Returns the bytes of what is annotated beforehand.
    pub(crate) fn bytes(&self) -> usize {
        let tables = match &self.annotated {
            AnnotatedSchemes::Full(lattice) => lattice.tables(),
            AnnotatedSchemes::OnDemand => &[],
            AnnotatedSchemes::Partial(partial) => partial.lattice.tables(),
        };
        tables.iter().map(|table| table.bytes()).sum()
    }
}

/// Does work that takes tables of all schemes; if they do not fit into memory, which has this many
/// bytes, does it on demand. The limit in megabytes says which memory it was.
pub(crate) fn or_on_demand<T>(
    cube: &Cube,
    memory: usize,
    by_tables: impl FnOnce() -> Result<T, Error>,
    on_demand: impl FnOnce(usize) -> Result<T, Error>,
) -> Result<T, Error> {
    let done = by_tables();
    match done.as_ref().err().and_then(Error::exceeded_memory) {
        Some(exceeded) => {
            OnDemand::check_limits(cube, Limits { memory })?;
            on_demand(exceeded.limit)
        }
        None => done,
    }
}

/// What decides whether a question that needs more tables than there are is answered on demand.
#[derive(Debug)]
pub(crate) struct OnDemandFallback {
    cheaper: CheaperWay,
    /// How many cells roll-ups read to go through every scheme, once that was asked.
    touches: OnceLock<f64>,
    /// Whether tables of a question did not fit into memory.
    too_little_memory: AtomicBool,
}

impl OnDemandFallback {
    fn of(options: &Options<'_>) -> Self {
        let (touches, too_little_memory) = Default::default();
        Self { cheaper: CheaperWay::of(options), touches, too_little_memory }
    }

    fn copied(&self) -> Self {
        Self {
            cheaper: self.cheaper,
            touches: self.touches.clone(),
            too_little_memory: self.too_little_memory.load(Relaxed).into(),
        }
    }

    /// Remembers that tables of a question did not fit into memory.
    pub(crate) fn set_too_little_memory(&self) {
        self.too_little_memory.store(true, Relaxed);
    }

    /// Returns whether a question is answered on demand: its tables would take too long or too much
    /// memory.
    pub(crate) fn is_chosen(&self, lacking: Lacking, touches: impl FnOnce() -> f64) -> bool {
        if !lacking.is_something() || self.too_little_memory.load(Relaxed) {
            return lacking.is_something();
        }
        self.cheaper.is_on_demand(*self.touches.get_or_init(touches), lacking)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/store.rs"]
mod tests;
