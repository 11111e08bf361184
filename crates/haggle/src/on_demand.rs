//! Lattices that are too large to annotate beforehand: how that is decided, and answers from them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use haggle_cube::{Limits, OnDemand, Statistic};
use haggle_search::strategies::Selection;
use haggle_search::{Closing, Watch, negotiate_while};
use serde::Serialize;

use crate::answer::{Answer, Wording};
use crate::ask::Ask;
use crate::criterion::Criterion;
use crate::partial::{Partial, PartialKnown};
use crate::tables::positions;
use crate::{Engine, Error};

/// More schemes than this are annotated on demand unless told otherwise.
const MOST_BEFOREHAND: usize = 200_000;
/// So many lattices are kept, one for each privacy asked for.
const KEPT: usize = 4;

/// How a lattice is had.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Way {
    /// In full, unless there are too many schemes or too little memory.
    Auto,
    /// Every scheme beforehand; some questions need that.
    #[default]
    Full,
    /// Schemes as questions touch them.
    OnDemand,
    /// Some schemes of every height beforehand, the others not at all.
    Partial(Selection),
}

impl Way {
    /// Whether a lattice of so many schemes is annotated beforehand.
    pub(crate) fn is_full(self, schemes: Option<usize>) -> bool {
        match self {
            Self::Auto => schemes.is_some_and(|schemes| schemes <= MOST_BEFOREHAND),
            Self::Full => true,
            Self::OnDemand | Self::Partial(_) => false,
        }
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

/// How an answer was obtained from a lattice that is not annotated in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Obtained {
    /// The way: on-demand, or partial.
    pub way: &'static str,
    /// Whether nothing better can exist; if not, the search was stopped, or not every scheme is known.
    pub proven: bool,
    /// The lowest height that a scheme within the request can have, as far as was proved.
    pub none_below: u32,
    /// How many schemes were annotated for this answer.
    pub annotated: u64,
    /// Of a partial lattice: which schemes it has, and what that means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<PartialKnown>,
}

/// The lattices of privacies that were asked for, the one used last at the back.
#[derive(Debug)]
pub(crate) struct Lattices<L>(Mutex<VecDeque<(Vec<String>, Arc<L>)>>);

impl<L> Default for Lattices<L> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<L> Lattices<L> {
    /// The lattice of these columns; made if nobody asked before.
    pub(crate) fn of(
        &self,
        id: Vec<String>,
        memory: usize,
        make: impl FnOnce() -> Result<L, Error>,
    ) -> Result<Arc<L>, Error> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| *known == id);
        let lattice = match known.and_then(|known| kept.remove(known)) {
            Some((_, lattice)) => lattice,
            None => Arc::new(make()?),
        };
        // All together have the memory that one may use.
        if kept.len() >= KEPT || (!kept.is_empty() && memory < 1 << 30) {
            kept.pop_front();
        }
        kept.push_back((id, lattice.clone()));
        Ok(lattice)
    }
}

/// The statistics of criteria, in the order of their columns, and the columns' names.
pub(crate) fn columns(criteria: Vec<Criterion>) -> (Vec<Box<dyn Statistic>>, Vec<String>) {
    let numbers = criteria.into_iter().flat_map(|criterion| criterion.numbers);
    let statistics: Vec<_> = numbers.map(|number| number.statistic).collect();
    let id = statistics.iter().map(|s| s.column().id.clone()).collect();
    (statistics, id)
}

impl Engine {
    /// Answers a request as well as it can while it may go on. Where every scheme is annotated that
    /// makes no difference; where not, a first answer is found in any case.
    pub fn ask_while(&self, ask: &Ask, watch: &Watch<'_>) -> Result<Answer, Error> {
        let lattices = match self.form() {
            Form::Full => return self.ask(ask),
            Form::Partial(partial) => return self.ask_partially(ask, partial),
            Form::OnDemand(lattices) => lattices,
        };
        let ask = ask.or(self.defaults());
        self.optimizes_nothing(&ask)?;
        let criteria = self.criteria(&ask)?;
        let (statistics, id) = columns(self.criteria(&ask)?);
        let (cube, memory) = (self.shared_cube().clone(), self.memory());
        let lattice = lattices.of(id, memory, || {
            Ok(OnDemand::new(cube, statistics, criteria.len() > 1, Limits { memory }))
        })?;
        let (requirements, negotiable) = positions(&criteria);
        let request = ask.request_on(self.cube(), requirements, negotiable)?;
        let wording = Wording::new(self.attributes(), &criteria, &request);
        let (start, before) = (Instant::now(), lattice.annotated());
        let found = negotiate_while(lattice.as_ref(), &request, watch)?;
        let Closing { none_below, stopped, .. } = found.closing;
        let micros = start.elapsed().as_micros() as u64;
        let annotated = lattice.annotated() - before;
        let (way, proven, partial) = ("on-demand", !stopped, None);
        let obtained = Obtained { way, proven, none_below, annotated, partial };
        Ok(Answer { obtained: Some(obtained), ..wording.answer(found, micros) })
    }

    /// An error if a loss is to be least, which takes every scheme.
    pub(crate) fn optimizes_nothing(&self, ask: &Ask) -> Result<(), Error> {
        match &ask.optimize {
            Some(judge) => {
                Err(self.needs_all(&format!("the best scheme by {judge} needs every scheme")))
            }
            None => Ok(()),
        }
    }

    /// Why a question cannot be answered if not every scheme is annotated.
    pub(crate) fn needs_all(&self, what: &str) -> Error {
        let schemes = self.cube().space().size();
        let schemes = schemes.map_or("more than can be counted".into(), |s| s.to_string());
        let how = match self.form() {
            Form::Partial(_) => "in part",
            _ => "on demand",
        };
        let what = format!("{what}, and this lattice ({schemes} schemes) is annotated {how}");
        Error::new(what, "choose fewer quasi-identifiers with --qi, or say --full")
    }
}
