//! Lattices that are too large to annotate beforehand: how that is decided, and answers from them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use haggle_cube::{Cube, Limits, OnDemand};
use haggle_search::{Closing, Watch, negotiate_while};
use serde::Serialize;

use crate::answer::{Answer, Wording};
use crate::ask::Ask;
use crate::criterion::{Criterion, unit};
use crate::tables::positions;
use crate::{Engine, Error};

/// More schemes than this are annotated on demand unless told otherwise.
const MOST_BEFOREHAND: usize = 200_000;
/// So many lattices are kept, one for each privacy asked for.
const KEPT: usize = 4;

/// How a lattice is had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Way {
    /// In full, unless there are too many schemes or too little memory.
    Auto,
    /// Every scheme beforehand; some questions need that.
    #[default]
    Full,
    /// Schemes as questions touch them.
    OnDemand,
}

impl Way {
    /// Whether a lattice of so many schemes is annotated beforehand.
    pub(crate) fn is_full(self, schemes: Option<usize>) -> bool {
        match self {
            Self::Auto => schemes.is_some_and(|schemes| schemes <= MOST_BEFOREHAND),
            Self::Full => true,
            Self::OnDemand => false,
        }
    }
}

/// How an answer was obtained from a lattice that is not annotated in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Obtained {
    /// The way: on demand.
    pub way: &'static str,
    /// Whether nothing better can exist; if not, the search was stopped.
    pub proven: bool,
    /// The lowest height that a scheme within the request can have, as far as was proved.
    pub none_below: u32,
    /// How many schemes were annotated for this answer.
    pub annotated: u64,
}

/// The lattices of privacies that were asked for, the one used last at the back.
#[derive(Debug, Default)]
pub(crate) struct Lattices(Mutex<VecDeque<(Vec<String>, Arc<OnDemand>)>>);

impl Lattices {
    /// The lattice of these criteria.
    fn of(&self, cube: &Arc<Cube>, criteria: Vec<Criterion>, memory: usize) -> Arc<OnDemand> {
        let rows = criteria.len() > 1;
        let numbers = criteria.into_iter().flat_map(|criterion| criterion.numbers);
        let statistics: Vec<_> = numbers.map(|number| number.statistic).collect();
        let id: Vec<String> = statistics.iter().map(|s| s.column().id.clone()).collect();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| *known == id);
        let lattice = known.and_then(|known| kept.remove(known)).map_or_else(
            || OnDemand::new(cube.clone(), statistics, rows, Limits { memory }).into(),
            |(_, lattice)| lattice,
        );
        // All together have the memory that one may use.
        if kept.len() >= KEPT || (!kept.is_empty() && memory < 1 << 30) {
            kept.pop_front();
        }
        kept.push_back((id, lattice.clone()));
        lattice
    }
}

impl Engine {
    /// Answers a request as well as it can while it may go on. Where every scheme is annotated that
    /// makes no difference; where not, a first answer is found in any case.
    pub fn ask_while(&self, ask: &Ask, watch: &Watch<'_>) -> Result<Answer, Error> {
        let Some(lattices) = self.on_demand() else { return self.ask(ask) };
        let ask = ask.or(self.defaults());
        if let Some(judge) = &ask.optimize {
            let what = format!("the best scheme by {judge} needs every scheme");
            return Err(self.needs_all(&what));
        }
        let criteria = self.criteria(&ask)?;
        let unit = unit(self.cube());
        let again = Criterion::all(&ask.privacy, self.facts(), unit.as_ref())?;
        let lattice = lattices.of(self.shared_cube(), again, self.memory());
        let (requirements, negotiable) = positions(&criteria);
        let request = ask.request_on(self.cube(), requirements, negotiable)?;
        let wording =
            Wording { attributes: self.attributes(), criteria: &criteria, request: &request };
        let (start, before) = (Instant::now(), lattice.annotated());
        let found = negotiate_while(lattice.as_ref(), &request, watch)?;
        let Closing { none_below, stopped, .. } = found.closing;
        let micros = start.elapsed().as_micros() as u64;
        let annotated = lattice.annotated() - before;
        let obtained = Obtained { way: "on-demand", proven: !stopped, none_below, annotated };
        Ok(Answer { obtained: Some(obtained), ..wording.answer(found, micros) })
    }

    /// Why a question cannot be answered on demand.
    pub(crate) fn needs_all(&self, what: &str) -> Error {
        let schemes = self.cube().space().size();
        let schemes = schemes.map_or("more than can be counted".into(), |s| s.to_string());
        let what = format!("{what}, and this lattice ({schemes} schemes) is annotated on demand");
        Error::new(what, "choose fewer quasi-identifiers with --qi, or say --full")
    }
}
