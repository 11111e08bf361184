//! Strategies on a table: what each finds for a request, ready to be published.

use std::time::{Duration, Instant};

use haggle_api::{Ask, MeasureSpec};
use haggle_cube::{Applied, Base, BoxEnds};
use haggle_model::{CancelOnly, Error, ErrorKind, Progress, Recoding, Remedy, Scheme};
use haggle_search::strategies::{
    Ending, StrategyOutcome, Task, TaskCriterion, Weight, refine, refined as levels_by_part,
};

use super::{AnyStrategy, Chosen};
use crate::Engine;
use crate::answer::answering::LeastLoss;
use crate::answer::resolve::request_on;
use crate::criteria::criterion::Criterion;
use crate::criteria::judging::ResolvedMeasure;
use crate::recoding::recoded::Recoded;

/// What a search may keep, however little memory the counted groups leave.
const LEAST_MEMORY: usize = 16 << 20;

/// What a strategy found, and what that took.
pub struct FoundRecoding<'a> {
    /// The recoding.
    pub recoded: Recoded<'a>,
    pub(crate) evaluated: u64,
    /// The scans of the data, as the data counted them; none if it was not read.
    pub(crate) scans: Option<u64>,
    /// What should be known of how it was found.
    pub(crate) note: Option<String>,
    pub(crate) proven: bool,
    /// Whether the time limit ended the search, so that there may be something better.
    pub stopped: bool,
}

/// How a search ended.
pub enum Searched<'a> {
    /// A recoding within the request.
    Found(Box<FoundRecoding<'a>>),
    /// Nothing exists, or nothing was found.
    Nothing {
        /// How many candidates were evaluated.
        evaluated: u64,
    },
    /// Time ran out before anything was found.
    GaveUp {
        /// How many candidates were evaluated.
        evaluated: u64,
    },
}

pub(super) fn found(recoded: Recoded<'_>, evaluated: u64, proven: bool) -> Searched<'_> {
    let (scans, note, stopped) = (None, None, false);
    Searched::Found(FoundRecoding { recoded, evaluated, scans, note, proven, stopped }.into())
}

/// Nothing was found: because there is nothing, or because the time limit was reached.
pub(super) fn none<'a>(evaluated: u64, proven: bool) -> Searched<'a> {
    if proven { Searched::Nothing { evaluated } } else { Searched::GaveUp { evaluated } }
}

impl Searched<'_> {
    /// Marks the result as found at the time limit: what was not proven may not be all there is.
    fn at_time_limit(self) -> Self {
        match self {
            Self::Found(mut found) => {
                found.stopped = !found.proven;
                Self::Found(found)
            }
            Self::Nothing { evaluated } | Self::GaveUp { evaluated } => Self::GaveUp { evaluated },
        }
    }
}

/// A search to be made.
pub struct Search<'a> {
    /// The request.
    pub ask: &'a Ask,
    /// Its privacy on the table.
    pub criteria: &'a [Criterion],
    /// The loss that is to be least.
    pub spec: &'a MeasureSpec,
    /// Receives steps, can cancel, and says when the search stops with the best that was found.
    pub progress: &'a dyn Progress,
}

impl Search<'_> {
    /// Whether it may do something that takes this long: it was not cancelled, and has the time.
    pub(crate) fn has_time_for(&self, work: Duration) -> bool {
        let in_time = |deadline: Instant| Instant::now() + work < deadline;
        !self.progress.cancelled() && self.progress.deadline().is_none_or(in_time)
    }
}

/// What a strategy finds for a request, and whether the time limit ended its search.
pub fn search<'e>(
    engine: &'e Engine,
    chosen: &Chosen,
    search: &Search<'_>,
) -> Result<Searched<'e>, Error> {
    let searched = run_chosen(engine, chosen, search)?;
    Ok(if search.progress.is_late() { searched.at_time_limit() } else { searched })
}

fn run_chosen<'e>(
    engine: &'e Engine,
    chosen: &Chosen,
    search: &Search<'_>,
) -> Result<Searched<'e>, Error> {
    match chosen.entry {
        AnyStrategy::Own(own) => (own.run)(engine, search, chosen),
        AnyStrategy::Counted(strategy) => {
            let resolved = engine.resolve_measure(search.spec)?;
            let box_ends = chosen.options.box_ends();
            run(engine, search, &resolved, |task| (strategy.run)(&Task { box_ends, ..task }))
        }
    }
}

/// Returns what a strategy of this name finds for a request and its thresholds; an error if that is
/// nothing. It searches until it is done, cancelled or late.
pub fn found_by<'e>(
    engine: &'e Engine,
    request: &Ask,
    strategy: &str,
    criteria: &[Criterion],
    progress: &dyn Progress,
) -> Result<Recoded<'e>, Error> {
    let (ask, chosen) = (&request.or(engine.defaults()), Chosen::parse(strategy)?);
    chosen.check_measure(request.optimize.as_ref())?;
    if criteria.is_empty() {
        return Err(Error::new("a strategy needs a threshold", "state one, such as k = 5"));
    }
    let spec = &ask.optimize.clone().unwrap_or_else(MeasureSpec::plain);
    let progress = &CancelOnly(progress);
    let options = Search { ask, criteria, spec, progress };
    prepare_search(engine, &chosen, &options, progress)?;
    match search(engine, &chosen, &options)? {
        Searched::Found(found) if found.recoded.splits_records() => {
            let what = format!("{strategy} publishes records with the same values differently");
            Err(Error::unsupported(what, "publish it, and examine the published file"))
        }
        Searched::Found(found) => Ok(found.recoded),
        Searched::GaveUp { .. } => {
            let what = format!("{strategy} found nothing within the time limit");
            Err(Error::of_kind(ErrorKind::TimedOut, what, Remedy::RaiseTimeLimit))
        }
        Searched::Nothing { .. } => {
            let what = format!("{strategy} finds nothing within the request");
            let fix = "allow more records to be suppressed, or choose another strategy";
            Err(Error::new(what, fix))
        }
    }
}

/// Makes what a strategy looks up of schemes, where it can be watched and given up.
pub fn prepare_search(
    engine: &Engine,
    chosen: &Chosen,
    search: &Search<'_>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    if matches!(chosen.entry, AnyStrategy::Own(own) if own.weighs) {
        engine.prepare(search.ask, std::slice::from_ref(search.spec), progress)?;
    }
    Ok(())
}

/// The scheme that loses least within the time limit, and how the search for it ended.
pub(super) fn best_scheme(engine: &Engine, search: &Search<'_>) -> Result<LeastLoss, Error> {
    let ask = Ask { optimize: None, top: None, ..search.ask.clone() };
    engine.least_loss_while(&ask, search.spec, search.progress)
}

/// A scheme with suppressed records at higher levels.
pub fn refined<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    resolved: &ResolvedMeasure,
    scheme: &Scheme,
) -> Result<(Recoded<'e>, u64), Error> {
    let base = Base::of(engine.cube());
    let outcome = refine(&task(engine, search, resolved, &base)?, scheme)?;
    let StrategyOutcome { recoding, applied, evaluated, .. } = outcome;
    Ok((Recoded::applied(engine.cube(), base, recoding, applied), evaluated))
}

/// A recoding of an earlier publication on this table.
pub fn recoded_again<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    recoding: &Recoding,
) -> Result<Recoded<'e>, Error> {
    let base = Base::of(engine.cube());
    let applied = match recoding {
        Recoding::Parts { schemes } => {
            let schemes: Vec<Scheme> =
                schemes.iter().map(|scheme| engine.scheme(scheme)).collect::<Result<_, _>>()?;
            let resolved = engine.resolve_measure(search.spec)?;
            levels_by_part(&task(engine, search, &resolved, &base)?, &schemes).applied
        }
        other => Applied::new(engine.cube().attributes(), &base, other)?,
    };
    Ok(Recoded::applied(engine.cube(), base, recoding.clone(), applied))
}

/// The request as strategies are asked it.
pub(crate) fn task<'t>(
    engine: &'t Engine,
    search: &'t Search<'_>,
    resolved: &'t ResolvedMeasure,
    base: &'t Base,
) -> Result<Task<'t>, Error> {
    let criteria = search.criteria.iter().map(|criterion| TaskCriterion {
        statistic: criterion.judge(),
        threshold: criterion.numbers[0].value,
    });
    let request = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?;
    let entry = resolved.entry;
    let held = engine.annotated_bytes() + engine.cube().bytes() + base.bytes();
    let names = engine.attributes().into_iter();
    let weight = |name: &str| search.spec.weights.get(name).copied().unwrap_or(1.0);
    Ok(Task {
        cube: engine.cube(),
        base,
        criteria: criteria.collect(),
        caps: request.caps,
        limit: request.limit,
        loss: resolved.loss.as_ref(),
        weight: Weight {
            monotone: entry.monotone,
            suppressing_costs: entry.suppressing_costs,
            additive: entry.additive,
        },
        cell_weights: names.map(weight).collect(),
        class: engine.facts().first().map(|facts| facts.target.position),
        box_ends: BoxEnds::default(),
        progress: search.progress,
        memory: engine.memory().saturating_sub(held).max(LEAST_MEMORY),
    })
}

fn run<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    resolved: &ResolvedMeasure,
    run: impl FnOnce(Task<'_>) -> Result<Ending, Error>,
) -> Result<Searched<'e>, Error> {
    let base = Base::of(engine.cube());
    let ending = run(task(engine, search, resolved, &base)?)?;
    Ok(match ending {
        Ending::Found(outcome) => {
            let StrategyOutcome { recoding, applied, split, evaluated, proven } = *outcome;
            let base = split.unwrap_or(base);
            let recoded = Recoded::applied(engine.cube(), base, recoding, applied);
            found(recoded, evaluated, proven)
        }
        Ending::Nothing { evaluated } => Searched::Nothing { evaluated },
        Ending::GaveUp { evaluated } => Searched::GaveUp { evaluated },
    })
}
