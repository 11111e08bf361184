//! How a request is answered: one way for full lattices, lattices on demand and partial ones.

use std::sync::Arc;
use std::time::Instant;

use haggle_api::{Answer, Ask, MeasureSpec, Obtained};
use haggle_cube::{Lattice, Limits, OnDemand, PartialLattice};
use haggle_model::{Error, Progress, Scheme, SearchState, Silent};
use haggle_search::optimize::{Optimum, optimize, optimize_while};
use haggle_search::study::suppressed;
use haggle_search::{LatticeAnswer, LatticeRequest, Negotiation, lowest_while, negotiate_while};

use crate::Engine;
use crate::answer::ranges;
use crate::answer::resolve::request_on;
use crate::answer::wording::Wording;
use crate::criteria::criterion::Criterion;
use crate::criteria::judging::{ByGroups, ResolvedMeasure};
use crate::lattice::lattices::memory_of_each;
use crate::lattice::on_demand::{LossObjective, column_ids, statistics};
use crate::lattice::partial::Partial;
use crate::lattice::tables::{Judged, positions};

impl Engine {
    /// Answers a request.
    pub fn ask(&self, ask: &Ask) -> Result<Answer, Error> {
        self.ask_with(ask, &Silent)
    }

    /// Answers a request as well as possible until the deadline; fails as soon as the answer is no
    /// longer wanted. A full lattice is searched to the end; on demand, at least a first scheme is
    /// found.
    pub fn ask_with(&self, ask: &Ask, progress: &dyn Progress) -> Result<Answer, Error> {
        let start = Instant::now();
        let ask = ask.or(self.defaults());
        let answer = match ask.range()? {
            Some(range) => ranges::ask_within(self, &ask, &range, progress),
            None => self.in_cheaper_way(&ask, |on_demand| {
                self.question(&ask, on_demand, progress)?.answer(start)
            }),
        }?;
        wanted(answer, progress)
    }

    /// Answers a request without relaxations: the best scheme, or none.
    pub(crate) fn exact_while(&self, ask: &Ask, progress: &dyn Progress) -> Result<Answer, Error> {
        let start = Instant::now();
        let answer = self.in_cheaper_way(ask, |on_demand| {
            let question = self.question(ask, on_demand, progress)?;
            Question { relaxes: false, ..question }.answer(start)
        })?;
        wanted(answer, progress)
    }

    /// Returns the scheme that loses least, as far as the search comes until the deadline.
    pub(crate) fn least_loss_while(
        &self,
        ask: &Ask,
        spec: &MeasureSpec,
        progress: &dyn Progress,
    ) -> Result<LeastLoss, Error> {
        let ask = Ask { optimize: Some(spec.clone()), ..ask.or(self.defaults()) };
        let resolved = self.resolve_measure(spec)?;
        self.in_cheaper_way(&ask, |on_demand| {
            let question = self.question(&ask, on_demand, progress)?;
            let found = question.least_loss(spec, &resolved)?;
            if progress.cancelled() {
                return Err(Error::cancelled());
            }
            let best = found.ranked.into_iter().next();
            Ok(LeastLoss {
                scheme: best.map(|best| best.solution.scheme),
                visited: found.visited,
                proven: !found.state.stopped && question.carrier.has_all_schemes(),
            })
        })
    }

    /// Returns a request with the lattice that carries its privacy in the cheaper way.
    pub(crate) fn carried<'a>(&'a self, ask: &'a Ask) -> Result<Carried<'a>, Error> {
        let question = self.in_cheaper_way(ask, |on_demand| self.question(ask, on_demand, &Silent));
        let Question { criteria, request, carrier, .. } = question?;
        Ok(Carried { criteria, request, carrier })
    }

    /// Prepares a question: resolves its privacy and finds the lattice that carries it.
    fn question<'a>(
        &'a self,
        ask: &'a Ask,
        on_demand: bool,
        progress: &'a dyn Progress,
    ) -> Result<Question<'a>, Error> {
        let criteria = self.criteria(ask)?;
        let (requirements, negotiable) = positions(&criteria);
        let request = request_on(ask, self.cube(), requirements, negotiable)?;
        let (carrier, criteria) = if on_demand {
            (Carrier::OnDemand(self.on_demand(ask, &criteria)?), criteria)
        } else if let Some(partial) = self.store().selected() {
            (self.selected_schemes(ask, partial, &criteria, &request)?, criteria)
        } else {
            let (judged, criteria) = self.judge(criteria, &Silent)?;
            (Carrier::Full(judged), criteria)
        };
        Ok(Question { engine: self, ask, criteria, request, carrier, progress, relaxes: true })
    }

    /// Returns the lattice on demand that carries the criteria of a request.
    pub(crate) fn on_demand(
        &self,
        ask: &Ask,
        criteria: &[Criterion],
    ) -> Result<Arc<OnDemand>, Error> {
        self.store().on_demand.get_or_build(&column_ids(criteria), self.memory(), || {
            let limits = Limits { memory: memory_of_each(self.memory()) };
            let (statistics, rows) = (statistics(self.criteria(ask)?), criteria.len() > 1);
            Ok(OnDemand::new(self.shared_cube().clone(), statistics, rows, limits))
        })
    }

    /// Returns the selected schemes with the privacy of a request, and that of the maximum levels if
    /// the engine was opened so.
    fn selected_schemes<'a>(
        &self,
        ask: &Ask,
        partial: &'a Partial,
        criteria: &[Criterion],
        request: &LatticeRequest,
    ) -> Result<Carrier<'a>, Error> {
        let (memory, rows) = (self.memory(), criteria.len() > 1);
        let lattice = partial.lattices.get_or_build(&column_ids(criteria), memory, || {
            partial.carrying(&statistics(self.criteria(ask)?), rows, memory)
        })?;
        if !self.annotates_maximum() {
            return Ok(Carrier::Partial { partial, lattice, with_maximum: false });
        }
        let statistics = statistics(self.criteria(ask)?);
        let lattice = lattice.with(&request.caps, statistics, Limits { memory })?.into();
        Ok(Carrier::Partial { partial, lattice, with_maximum: true })
    }
}

/// The scheme that loses least, as far as the search went.
pub(crate) struct LeastLoss {
    pub(crate) scheme: Option<Scheme>,
    pub(crate) visited: u64,
    /// Whether nothing better exists, or nothing at all.
    pub(crate) proven: bool,
}

/// A request on the lattice that carries its privacy, for questions about single schemes.
pub(crate) struct Carried<'a> {
    pub(crate) criteria: Vec<Criterion>,
    pub(crate) request: LatticeRequest,
    carrier: Carrier<'a>,
}

impl Carried<'_> {
    pub(crate) fn lattice(&self) -> &dyn Lattice {
        self.carrier.lattice()
    }

    /// The tables of all schemes, if there are any.
    pub(crate) fn tables(&self) -> Option<&Judged> {
        match &self.carrier {
            Carrier::Full(judged) => Some(judged),
            _ => None,
        }
    }

    /// What a scheme suppresses.
    pub(crate) fn suppressed(&self, scheme: &Scheme) -> Result<u64, Error> {
        suppressed(self.lattice(), scheme, &self.request.requirements)
    }

    /// What a scheme loses.
    pub(crate) fn loss(&self, engine: &Engine, scheme: &Scheme, resolved: &ResolvedMeasure) -> f64 {
        match &self.carrier {
            Carrier::OnDemand(lattice) if !resolved.entry.estimate => {
                let required = self.request.requirements.iter();
                let thresholds: Vec<_> = required.map(|r| (r.column, r.threshold)).collect();
                lattice.loss(scheme, resolved.loss.as_ref(), &thresholds)
            }
            _ => resolved.of_groups(engine.cube(), scheme, &self.criteria).0,
        }
    }
}

/// A lattice that carries the privacy of a question.
enum Carrier<'a> {
    Full(Judged),
    OnDemand(Arc<OnDemand>),
    Partial {
        partial: &'a Partial,
        lattice: Arc<PartialLattice>,
        /// Whether the scheme of the maximum levels was annotated, too.
        with_maximum: bool,
    },
}

impl Carrier<'_> {
    fn lattice(&self) -> &dyn Lattice {
        match self {
            Self::Full(judged) => &judged.lattice,
            Self::OnDemand(lattice) => lattice.as_ref(),
            Self::Partial { lattice, .. } => lattice.as_ref(),
        }
    }

    fn has_all_schemes(&self) -> bool {
        match self {
            Self::Full(_) | Self::OnDemand(_) => true,
            Self::Partial { partial, .. } => partial.has_all_schemes(),
        }
    }
}

/// A request on a lattice that carries its privacy.
struct Question<'a> {
    engine: &'a Engine,
    ask: &'a Ask,
    criteria: Vec<Criterion>,
    request: LatticeRequest,
    carrier: Carrier<'a>,
    progress: &'a dyn Progress,
    /// Whether relaxations are searched where no scheme meets the request.
    relaxes: bool,
}

impl Question<'_> {
    /// Returns the scheme that loses least, if a loss is asked for and a scheme meets the request;
    /// else the lowest scheme, or what would have to be relaxed.
    fn answer(&self, start: Instant) -> Result<Answer, Error> {
        if let Some(spec) = &self.ask.optimize {
            let resolved = self.engine.resolve_measure(spec)?;
            let found = self.least_loss(spec, &resolved)?;
            if !found.ranked.is_empty() {
                return Ok(self.ranked(spec, &resolved, &found, start));
            }
        }
        let found = self.negotiate()?;
        let (obtained, selected) = (self.obtained(&found), self.selected_under_maximum());
        let answer = self.wording().answer(found, micros(start));
        let visited = selected.filter(|_| self.ask.optimize.is_some()).unwrap_or(answer.visited);
        Ok(Answer { obtained, visited, ..answer })
    }

    fn ranked(
        &self,
        spec: &MeasureSpec,
        resolved: &ResolvedMeasure,
        found: &Optimum,
        start: Instant,
    ) -> Answer {
        let error = |scheme: &Scheme| resolved.error(self.engine.cube(), scheme, &self.criteria);
        let answer = self.wording().ranked(&found.ranked, &spec.to_string(), error, micros(start));
        Answer { obtained: self.obtained_by_loss(found), visited: found.visited, ..answer }
    }

    fn wording(&self) -> Wording<'_> {
        let wording = Wording::new(self.engine, self.ask, &self.criteria, &self.request);
        if matches!(self.carrier, Carrier::Partial { .. }) { wording.of_some() } else { wording }
    }

    /// Searches for the lowest scheme, or for relaxations.
    fn negotiate(&self) -> Result<Negotiation, Error> {
        let lattice = self.carrier.lattice();
        let search = if self.relaxes { negotiate_while } else { lowest_while };
        match self.carrier {
            Carrier::OnDemand(_) => search(lattice, &self.request, self.progress),
            _ => search(lattice, &self.request, &Silent),
        }
    }

    /// Searches for the schemes that lose least; none if no scheme meets the request.
    fn least_loss(&self, spec: &MeasureSpec, resolved: &ResolvedMeasure) -> Result<Optimum, Error> {
        let most = self.ask.top.unwrap_or(1).max(1);
        let (request, lattice) = (&self.request, self.carrier.lattice());
        let (ranked, visited) = match &self.carrier {
            Carrier::OnDemand(on_demand) => {
                let goal = LossObjective::new(on_demand, resolved, request);
                return optimize_while(lattice, request, &goal, most, self.progress);
            }
            Carrier::Full(judged) => {
                let losses = self.engine.losses(judged, &self.criteria, spec, resolved)?;
                let under = request.caps.levels().iter().map(|level| level.index() as u64 + 1);
                (optimize(lattice, request, &losses, most)?, under.product())
            }
            Carrier::Partial { .. } => {
                let (cube, criteria) = (self.engine.cube(), &self.criteria[..]);
                let losses = ByGroups { cube, resolved, criteria };
                let visited = self.selected_under_maximum().unwrap_or_default();
                (optimize(lattice, request, &losses, most)?, visited)
            }
        };
        Ok(Optimum { ranked, visited, state: SearchState::default() })
    }

    /// Counts the selected schemes under the maximum levels, if only some schemes are annotated.
    fn selected_under_maximum(&self) -> Option<u64> {
        let Carrier::Partial { lattice, .. } = &self.carrier else { return None };
        Some(lattice.schemes().filter(|scheme| scheme.is_under(&self.request.caps)).count() as u64)
    }

    /// Reports how the lowest scheme was obtained, if not from a full lattice.
    fn obtained(&self, found: &Negotiation) -> Option<Obtained> {
        if !matches!(self.carrier, Carrier::OnDemand(_)) {
            return self.obtained_from_selected();
        }
        let SearchState { none_below, stopped, .. } = found.state;
        let impossible = !stopped && matches!(found.answer, LatticeAnswer::Relaxed(_));
        let none_below = Some(none_below as u32);
        let obtained = Obtained::on_demand(found.stopped, found.visited);
        Some(Obtained { impossible, none_below, ..obtained })
    }

    /// Reports how the least loss was obtained, if not from a full lattice.
    fn obtained_by_loss(&self, found: &Optimum) -> Option<Obtained> {
        match self.carrier {
            Carrier::OnDemand(_) => Some(Obtained::by_loss(found)),
            _ => self.obtained_from_selected(),
        }
    }

    fn obtained_from_selected(&self) -> Option<Obtained> {
        let Carrier::Partial { partial, with_maximum, .. } = &self.carrier else { return None };
        Some(Obtained {
            way: "partial",
            proven: partial.has_all_schemes(),
            impossible: false,
            none_below: self.ask.optimize.is_none().then_some(0),
            no_loss_below: None,
            annotated: u64::from(*with_maximum),
            partial: Some(partial.known()),
        })
    }
}

/// Returns what was found, unless nobody wants it any more.
fn wanted(answer: Answer, progress: &dyn Progress) -> Result<Answer, Error> {
    if progress.cancelled() { Err(Error::cancelled()) } else { Ok(answer) }
}

fn micros(start: Instant) -> u64 {
    start.elapsed().as_micros() as u64
}
