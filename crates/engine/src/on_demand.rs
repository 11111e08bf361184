//! Lattices that are too large to annotate beforehand: how that is decided, and answers from them.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use haggle_api::{Answer, Ask, Judge, Obtained};
use haggle_cube::{Cube, Lattice, Limits, OnDemand, Statistic};
use haggle_loss::Measure;
use haggle_model::{Error, Scheme};
use haggle_search::optimize::{Goal, Optimum, optimize_while};
use haggle_search::partial::Selection;
use haggle_search::{Answer as Found, Closing, Request, Watch, negotiate_while};

use crate::Engine;
use crate::criterion::Criterion;
use crate::engine::Options;
use crate::judging::Judging;
use crate::partial::Partial;
use crate::resolve::request_on;
use crate::tables::positions;
use crate::wording::Wording;

/// A question may take so many times the cells that annotating all schemes beforehand may.
const BY_QUESTION: f64 = 4.0;

/// So many lattices are kept, one for each privacy asked for, unless there is little memory.
const KEPT: usize = 4;

/// With less memory only the last lattice is kept, and may use all of it.
const LITTLE: usize = 1 << 30;

/// How a lattice is had.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Way {
    /// In full, if that is expected to take little time and memory; else on demand.
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
    /// Whether a cube's lattice is annotated beforehand, if roll-ups may read so many cells for that.
    pub(crate) fn is_full(self, cube: &Cube, touches: f64) -> bool {
        match self {
            Self::Auto => {
                // No scheme has more cells than the base, which mostly settles it.
                let most = cube.space().size().map(|schemes| schemes as f64 * cube.cells() as f64);
                most.is_some_and(|most| most <= touches || cube.guess_touches() <= touches)
            }
            Self::Full => true,
            Self::OnDemand | Self::Partial(_) => false,
        }
    }
}

/// How questions may be answered that need more than a lattice carries.
#[derive(Debug)]
pub(crate) struct Flexible {
    /// As many cells may be read for a question's tables.
    touches: f64,
    /// How many are read for all schemes, once that was asked.
    all: OnceLock<f64>,
    /// Whether tables of a question did not fit into memory.
    pub(crate) too_little_memory: AtomicBool,
    /// The lattices on demand of the others.
    lattices: Lattices<OnDemand>,
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
        if kept.len() >= KEPT || (!kept.is_empty() && memory < LITTLE) {
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
        if let Form::Partial(partial) = self.form() {
            return self.ask_partially(ask, partial);
        }
        match self.lattices_for(ask)? {
            Some(lattices) => self.ask_on_demand(ask, lattices, watch),
            None => self.ask_or_on_demand(ask, watch),
        }
    }

    /// Answers from tables of all schemes; on demand, if there is too little memory for those.
    fn ask_or_on_demand(&self, ask: &Ask, watch: &Watch<'_>) -> Result<Answer, Error> {
        match (self.ask(ask), self.flexible()) {
            (Err(Error::Memory { .. }), Some(flexible)) => {
                self.ask_on_demand(ask, &flexible.lattices, watch)
            }
            (answer, _) => answer,
        }
    }

    /// The lattices on demand, if a question is answered from those: where no scheme is annotated
    /// beforehand, or the tables that the question needs would take too long or too much memory.
    pub(crate) fn lattices_for(&self, ask: &Ask) -> Result<Option<&Lattices<OnDemand>>, Error> {
        if let Form::OnDemand(lattices) = self.form() {
            return Ok(Some(lattices));
        }
        let Some(flexible) = self.flexible() else { return Ok(None) };
        let passes = self.passes_for(ask)?;
        if passes == 0 {
            return Ok(None);
        }
        if flexible.too_little_memory.load(Relaxed) {
            return Ok(Some(&flexible.lattices));
        }
        let all = *flexible.all.get_or_init(|| match self.built().touches {
            0 => self.cube().guess_touches(),
            touches => touches as f64,
        });
        Ok((all * passes as f64 > flexible.touches).then_some(&flexible.lattices))
    }

    fn ask_on_demand(
        &self,
        ask: &Ask,
        lattices: &Lattices<OnDemand>,
        watch: &Watch<'_>,
    ) -> Result<Answer, Error> {
        let ask = ask.or(self.defaults());
        let asking = self.asking(&ask, lattices, watch)?;
        if let Some(judge) = &ask.optimize {
            let judging = self.judging(judge)?;
            let start = Instant::now();
            let found = asking.least_loss(&judging)?;
            if !found.ranked.is_empty() {
                let obtained = Obtained::by_loss(&found);
                let error = |scheme: &Scheme| judging.error(self.cube(), scheme, &asking.criteria);
                let micros = start.elapsed().as_micros() as u64;
                let ranked =
                    asking.wording().ranked(&found.ranked, &judge.to_string(), error, micros);
                let (obtained, visited) = (Some(obtained), found.visited);
                return Ok(Answer { obtained, visited, ..ranked });
            }
        }
        asking.lowest()
    }

    /// The scheme that loses least as far as the search may go on, and nothing else.
    pub(crate) fn least_loss_while(
        &self,
        ask: &Ask,
        judge: &Judge,
        watch: &Watch<'_>,
    ) -> Result<LeastLoss, Error> {
        let asked = Ask { optimize: Some(judge.clone()), ..ask.clone() };
        if let Some(lattices) = self.lattices_for(&asked)? {
            let ask = ask.or(self.defaults());
            let judging = self.judging(judge)?;
            let found = self.asking(&ask, lattices, watch)?.least_loss(&judging)?;
            let best = found.ranked.into_iter().next();
            let (visited, proven) = (found.visited, !found.closing.stopped);
            return Ok(LeastLoss {
                scheme: best.map(|best| best.solution.scheme),
                visited,
                proven,
            });
        }
        let answer = self.ask_or_on_demand(&asked, watch)?;
        let proven = answer.obtained.as_ref().is_none_or(|obtained| obtained.proven);
        let (scheme, visited) = (answer.exact.map(|offer| offer.scheme), answer.visited);
        Ok(LeastLoss { scheme, visited, proven })
    }

    /// A question to the lattice of its privacy, which is made if nobody asked before.
    fn asking<'a>(
        &'a self,
        ask: &'a Ask,
        lattices: &Lattices<OnDemand>,
        watch: &'a Watch<'a>,
    ) -> Result<Asking<'a>, Error> {
        let criteria = self.criteria(ask)?;
        let (statistics, id) = columns(self.criteria(ask)?);
        let (cube, memory) = (self.shared_cube().clone(), self.memory());
        let lattice = lattices.of(id, memory, || {
            // All that are kept have it together.
            let memory = if memory < LITTLE { memory } else { memory / KEPT };
            Ok(OnDemand::new(cube, statistics, criteria.len() > 1, Limits { memory }))
        })?;
        let (requirements, negotiable) = positions(&criteria);
        let request = request_on(ask, self.cube(), requirements, negotiable)?;
        Ok(Asking { engine: self, lattice, ask, criteria, request, watch })
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

/// The scheme that loses least, as far as that was found out.
pub(crate) struct LeastLoss {
    pub(crate) scheme: Option<Scheme>,
    pub(crate) visited: u64,
    /// Whether nothing better exists, or nothing at all.
    pub(crate) proven: bool,
}

/// A question to a lattice on demand.
struct Asking<'a> {
    engine: &'a Engine,
    lattice: Arc<OnDemand>,
    ask: &'a Ask,
    criteria: Vec<Criterion>,
    request: Request,
    watch: &'a Watch<'a>,
}

impl Asking<'_> {
    fn wording(&self) -> Wording<'_> {
        Wording::new(self.engine, self.ask, &self.criteria, &self.request)
    }

    /// The lowest scheme, or what would have to give.
    fn lowest(&self) -> Result<Answer, Error> {
        let start = Instant::now();
        let found =
            among_workers(|| negotiate_while(self.lattice.as_ref(), &self.request, self.watch))?;
        let Closing { none_below, stopped, .. } = found.closing;
        let none_below = Some(none_below as u32);
        let impossible = !stopped && matches!(found.answer, Found::Relaxed(_));
        let obtained = Obtained::on_demand(found.stopped, found.visited);
        let obtained = Obtained { impossible, none_below, ..obtained };
        let micros = start.elapsed().as_micros() as u64;
        Ok(Answer { obtained: Some(obtained), ..self.wording().answer(found, micros) })
    }

    /// The schemes that lose least; none if no scheme meets the request.
    fn least_loss(&self, judging: &Judging) -> Result<Optimum, Error> {
        let goal = Losing::of(&self.lattice, judging, &self.request);
        let most = self.ask.top.unwrap_or(1).max(1);
        among_workers(|| {
            optimize_while(self.lattice.as_ref(), &self.request, &goal, most, self.watch)
        })
    }
}

/// Runs a search as one of the workers that it shares small pieces of work with: from outside, each
/// piece would wait for somebody to wake up.
fn among_workers<T: Send>(search: impl FnOnce() -> T + Send) -> T {
    rayon::scope(|_| search())
}

/// What schemes lose where they are annotated on demand.
struct Losing<'a> {
    lattice: &'a OnDemand,
    judging: &'a Judging,
    thresholds: Vec<(usize, f64)>,
    caps: Scheme,
    /// Whether no scheme above another loses less than that would if it suppressed nothing.
    bounded: bool,
}

impl<'a> Losing<'a> {
    fn of(lattice: &'a OnDemand, judging: &'a Judging, request: &Request) -> Self {
        let thresholds = request.requirements.iter().map(|r| (r.column, r.threshold)).collect();
        let Measure { monotone, suppressing_costs, .. } = *judging.entry;
        let bounded = monotone && (suppressing_costs || request.limit == 0);
        Self { lattice, judging, thresholds, caps: request.caps.clone(), bounded }
    }

    /// Sums in another order may differ in their last digits; a bound must not be too large.
    fn with_slack(bound: f64) -> f64 {
        bound - 1e-9 * bound.abs()
    }
}

impl Goal for Losing<'_> {
    fn of(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.lattice.loss(scheme, self.judging.loss.as_ref(), &self.thresholds))
    }

    fn floor(&self, scheme: &Scheme) -> f64 {
        let records = self.lattice.records();
        let of_all = self.bounded.then(|| self.judging.loss.of_all(scheme, records)).flatten();
        of_all.map_or(f64::NEG_INFINITY, Self::with_slack)
    }

    fn floor_by_groups(&self, scheme: &Scheme) -> Result<f64, Error> {
        let floor = self.floor(scheme);
        if floor.is_finite() || !self.bounded {
            return Ok(floor);
        }
        Ok(Self::with_slack(self.lattice.loss(scheme, self.judging.loss.as_ref(), &[])))
    }

    fn first_path(&self) -> Vec<Scheme> {
        datafly_path(self.lattice.cube(), &self.caps)
    }
}

/// The schemes that Datafly goes through: the attribute with the most values climbs, the first of
/// several, until all are at their maximum levels.
fn datafly_path(cube: &Cube, caps: &Scheme) -> Vec<Scheme> {
    let values = |scheme: &Scheme, i: usize| cube.attributes()[i].hierarchy.len(scheme.level(i));
    let next = |scheme: &Scheme| {
        let may = (0..cube.attributes().len()).filter(|&i| scheme.level(i) < caps.level(i));
        let climbing = may.max_by_key(|&i| (values(scheme, i), Reverse(i)))?;
        Some(scheme.with(climbing, scheme.level(climbing).up()))
    };
    std::iter::successors(Some(cube.space().bottom()), next).collect()
}
