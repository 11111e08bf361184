//! Strategies on a table: what each finds for a request, ready to be published.

use std::time::{Duration, Instant};

use haggle_api::{Ask, Judge};
use haggle_cube::{Applied, Base};
use haggle_model::{Error, Progress, Recoding, Scheme};
use haggle_search::strategies::{
    Criterion as Threshold, Ending, Outcome, Task, Weight, refine, refined,
};

use super::{Chosen, Entry};
use crate::Engine;
use crate::criterion::Criterion;
use crate::judging::Judging;
use crate::on_demand::LeastLoss;
use crate::recoded::Recoded;
use crate::resolve::request_on;

/// What a strategy found, and what that took.
pub struct Found<'a> {
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
    Found(Box<Found<'a>>),
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
    Searched::Found(Found { recoded, evaluated, scans: None, note: None, proven }.into())
}

/// Nothing was found: because there is nothing, or because patience ended.
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
    /// When patience ends.
    pub deadline: Option<Instant>,
    /// Receives steps and can cancel.
    pub progress: &'a dyn Progress,
}

/// When so much patience that begins now ends; never, if that is beyond all clocks.
pub fn deadline(patience: Option<Duration>) -> Option<Instant> {
    Instant::now().checked_add(patience?)
}

impl Search<'_> {
    /// Whether it may go on: nobody gave up, and patience has not ended.
    pub fn may_go_on(&self) -> bool {
        !self.progress.cancelled() && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }
}

impl Engine {
    /// What a strategy finds for a request.
    pub fn search(&self, chosen: &Chosen, search: &Search<'_>) -> Result<Searched<'_>, Error> {
        match chosen.entry {
            Entry::Own(own) => (own.run)(self, search, chosen),
            Entry::Counted(strategy) => {
                let judging = self.judging(search.judge)?;
                self.run(search, &judging, |task| (strategy.run)(task))
            }
        }
    }

    /// Makes what a strategy looks up of schemes, where it can be watched and given up.
    pub fn prepare_search(
        &self,
        chosen: &Chosen,
        search: &Search<'_>,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        if matches!(chosen.entry, Entry::Own(own) if own.weighs) {
            self.prepare(search.ask, std::slice::from_ref(search.judge), progress)?;
        }
        Ok(())
    }

    /// The scheme that loses least as far as patience goes, and how the search for it ended.
    pub(super) fn best_scheme(&self, search: &Search<'_>) -> Result<LeastLoss, Error> {
        let ask = Ask { optimize: None, top: None, ..search.ask.clone() };
        self.least_loss_while(&ask, search.judge, &|_| search.may_go_on())
    }

    /// A scheme with suppressed records at higher levels.
    pub fn refined(
        &self,
        search: &Search<'_>,
        judging: &Judging,
        scheme: &Scheme,
    ) -> Result<(Recoded<'_>, u64), Error> {
        let base = Base::of(self.cube());
        let outcome = refine(&self.task(search, judging, &base)?, scheme)?;
        let Outcome { recoding, applied, evaluated, .. } = outcome;
        Ok((Recoded::applied(self.cube(), base, recoding, applied), evaluated))
    }

    /// A recoding of an earlier publication on this table.
    pub fn recoded_again(
        &self,
        search: &Search<'_>,
        recoding: &Recoding,
    ) -> Result<Recoded<'_>, Error> {
        let base = Base::of(self.cube());
        let applied = match recoding {
            Recoding::Parts { schemes } => {
                let schemes: Vec<Scheme> =
                    schemes.iter().map(|scheme| self.scheme(scheme)).collect::<Result<_, _>>()?;
                let judging = self.judging(search.judge)?;
                refined(&self.task(search, &judging, &base)?, &schemes).applied
            }
            other => Applied::of(self.cube().attributes(), &base, other)?,
        };
        Ok(Recoded::applied(self.cube(), base, recoding.clone(), applied))
    }

    /// The request as strategies are asked it.
    pub(crate) fn task<'t>(
        &'t self,
        search: &'t Search<'_>,
        judging: &'t Judging,
        base: &'t Base,
    ) -> Result<Task<'t>, Error> {
        let criteria = search.criteria.iter().map(|criterion| Threshold {
            statistic: criterion.judge(),
            threshold: criterion.numbers[0].value,
        });
        let request = request_on(search.ask, self.cube(), Vec::new(), Vec::new())?;
        let entry = judging.entry;
        Ok(Task {
            cube: self.cube(),
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
            class: self.facts().first().map(|facts| facts.target.position),
            progress: search.progress,
            deadline: search.deadline,
        })
    }

    fn run(
        &self,
        search: &Search<'_>,
        judging: &Judging,
        run: impl FnOnce(&Task<'_>) -> Result<Ending, Error>,
    ) -> Result<Searched<'_>, Error> {
        let base = Base::of(self.cube());
        let ending = run(&self.task(search, judging, &base)?)?;
        Ok(match ending {
            Ending::Found(outcome) => {
                let Outcome { recoding, applied, evaluated, proven } = *outcome;
                let recoded = Recoded::applied(self.cube(), base, recoding, applied);
                found(recoded, evaluated, proven)
            }
            Ending::Nothing { evaluated } => Searched::Nothing { evaluated },
            Ending::GaveUp { evaluated } => Searched::GaveUp { evaluated },
        })
    }
}
