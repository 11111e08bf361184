//! Strategies on a table: what each finds for a request, ready to be published.

use std::time::{Duration, Instant};

use haggle_api::{Ask, Judge};
use haggle_cube::{Applied, Base};
use haggle_model::{Error, Progress, Recoding, Scheme};
use haggle_search::strategies::{
    Criterion as Threshold, Ending, Outcome, Task, Weight, refine, refined as levels_by_part,
};

use super::{Chosen, Entry};
use crate::Engine;
use crate::answering::LeastLoss;
use crate::criterion::Criterion;
use crate::judging::Judging;
use crate::recoded::Recoded;
use crate::resolve::request_on;

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
    Searched::Found(FoundRecoding { recoded, evaluated, scans: None, note: None, proven }.into())
}

/// Nothing was found: because there is nothing, or because the time limit was reached.
pub(super) fn none<'a>(evaluated: u64, proven: bool) -> Searched<'a> {
    if proven { Searched::Nothing { evaluated } } else { Searched::GaveUp { evaluated } }
}

/// A search to be made.
pub struct Search<'a> {
    /// The request.
    pub ask: &'a Ask,
    /// Its privacy on the table.
    pub criteria: &'a [Criterion],
    /// The loss that is to be least.
    pub judge: &'a Judge,
    /// When the time limit is reached.
    pub deadline: Option<Instant>,
    /// Receives steps and can cancel.
    pub progress: &'a dyn Progress,
}

/// Returns the end of a time limit that begins now; `None` if no clock reaches it.
pub fn deadline(time_limit: Option<Duration>) -> Option<Instant> {
    Instant::now().checked_add(time_limit?)
}

impl Search<'_> {
    /// Whether it may go on: it was not cancelled, and the time limit was not reached.
    pub fn may_go_on(&self) -> bool {
        !self.progress.cancelled() && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }
}

/// What a strategy finds for a request.
pub fn search<'e>(
    engine: &'e Engine,
    chosen: &Chosen,
    search: &Search<'_>,
) -> Result<Searched<'e>, Error> {
    match chosen.entry {
        Entry::Own(own) => (own.run)(engine, search, chosen),
        Entry::Counted(strategy) => {
            let judging = engine.judging(search.judge)?;
            run(engine, search, &judging, |task| (strategy.run)(task))
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
    if matches!(chosen.entry, Entry::Own(own) if own.weighs) {
        engine.prepare(search.ask, std::slice::from_ref(search.judge), progress)?;
    }
    Ok(())
}

/// The scheme that loses least within the time limit, and how the search for it ended.
pub(super) fn best_scheme(engine: &Engine, search: &Search<'_>) -> Result<LeastLoss, Error> {
    let ask = Ask { optimize: None, top: None, ..search.ask.clone() };
    engine.least_loss_while(&ask, search.judge, &|_| search.may_go_on())
}

/// A scheme with suppressed records at higher levels.
pub fn refined<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    judging: &Judging,
    scheme: &Scheme,
) -> Result<(Recoded<'e>, u64), Error> {
    let base = Base::of(engine.cube());
    let outcome = refine(&task(engine, search, judging, &base)?, scheme)?;
    let Outcome { recoding, applied, evaluated, .. } = outcome;
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
            let judging = engine.judging(search.judge)?;
            levels_by_part(&task(engine, search, &judging, &base)?, &schemes).applied
        }
        other => Applied::of(engine.cube().attributes(), &base, other)?,
    };
    Ok(Recoded::applied(engine.cube(), base, recoding.clone(), applied))
}

/// The request as strategies are asked it.
pub(crate) fn task<'t>(
    engine: &'t Engine,
    search: &'t Search<'_>,
    judging: &'t Judging,
    base: &'t Base,
) -> Result<Task<'t>, Error> {
    let criteria = search.criteria.iter().map(|criterion| Threshold {
        statistic: criterion.judge(),
        threshold: criterion.numbers[0].value,
    });
    let request = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?;
    let entry = judging.entry;
    Ok(Task {
        cube: engine.cube(),
        base,
        criteria: criteria.collect(),
        caps: request.caps,
        limit: request.limit,
        loss: judging.loss.as_ref(),
        weight: Weight {
            monotone: entry.monotone,
            suppressing_costs: entry.suppressing_costs,
            additive: entry.additive,
        },
        class: engine.facts().first().map(|facts| facts.target.position),
        progress: search.progress,
        deadline: search.deadline,
    })
}

fn run<'e>(
    engine: &'e Engine,
    search: &Search<'_>,
    judging: &Judging,
    run: impl FnOnce(&Task<'_>) -> Result<Ending, Error>,
) -> Result<Searched<'e>, Error> {
    let base = Base::of(engine.cube());
    let ending = run(&task(engine, search, judging, &base)?)?;
    Ok(match ending {
        Ending::Found(outcome) => {
            let Outcome { recoding, applied, evaluated, proven } = *outcome;
            let recoded = Recoded::applied(engine.cube(), base, recoding, applied);
            found(recoded, evaluated, proven)
        }
        Ending::Nothing { evaluated } => Searched::Nothing { evaluated },
        Ending::GaveUp { evaluated } => Searched::GaveUp { evaluated },
    })
}
