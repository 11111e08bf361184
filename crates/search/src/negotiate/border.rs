//! What is known of the border between failing and feasible schemes where they are annotated on demand.
//!
//! Where a scheme above a feasible one is feasible, one failing scheme speaks for all below it. Each
//! that is found is raised as far as it still fails, so that it speaks for as many as possible.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use haggle_model::{Scheme, Space, Sublattice};

use super::Closing;
use super::guess::Guess;
use super::packed::Schemes;
use super::view::View;
use crate::Error;
use crate::best::Best;
use crate::optimize::Goal;

/// Levels by attribute, without a scheme's cost of copying.
pub(crate) type Levels = Vec<u8>;

/// The search stopped, or failed.
pub(crate) enum Stop {
    Stopped,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// What earlier searches found, whatever part, limit and privacy they had.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// What was looked at: it is annotated, and costs no more to look at again.
    seen: BTreeSet<Scheme>,
    /// What those suppress.
    costs: HashMap<Levels, u64>,
    guess: Option<Guess>,
}

impl Known {
    /// Whether a scheme is looked at for the first time.
    pub(super) fn is_new(&mut self, scheme: &Scheme) -> bool {
        self.seen.insert(scheme.clone())
    }

    /// What is known for another privacy: only which schemes were looked at.
    pub(super) fn seen(&mut self) -> Self {
        Self { seen: std::mem::take(&mut self.seen), ..Self::default() }
    }

    /// What was seen for another privacy counts as seen.
    pub(super) fn see(&mut self, other: Self) {
        self.seen = other.seen;
    }

    fn learn(&mut self, scheme: &[u8], cost: u64, space: &Space) {
        let guess = self.guess.get_or_insert_with(|| Guess::over(&levels(space.top())));
        if self.costs.insert(scheme.to_vec(), cost).is_none() {
            guess.learn(scheme, cost);
        }
    }

    /// What a scheme may suppress.
    fn guess(&self, scheme: &[u8]) -> f64 {
        self.guess.as_ref().map_or(0.0, |guess| guess.cost(scheme))
    }

    /// The schemes of a height that may suppress least.
    fn cheapest(&self, low: &[u8], high: &[u8], height: u32, most: usize) -> Vec<Levels> {
        let guess = self.guess.as_ref();
        guess.map_or(Vec::new(), |guess| guess.cheapest(low, high, height, most))
    }

    /// The schemes that suppress more than the limit, but none below another.
    fn failing(&self, limit: u64) -> Schemes {
        let mut failing: Vec<&Levels> = self
            .costs
            .iter()
            .filter(|(_, cost)| **cost > limit)
            .map(|(levels, _)| levels)
            .collect();
        failing.sort_by_key(|levels| (Reverse(height(levels)), (*levels).clone()));
        let mut highest = Schemes::default();
        for levels in failing {
            if !highest.any_above(levels) {
                highest.push(levels.clone());
            }
        }
        highest
    }

    /// Those that do not, but none above another.
    fn passing(&self, limit: u64) -> Schemes {
        let passing = self.costs.iter().filter(|(_, cost)| **cost <= limit);
        let mut passing: Vec<&Levels> = passing.map(|(levels, _)| levels).collect();
        passing.sort_by_key(|levels| (height(levels), (*levels).clone()));
        let mut lowest = Schemes::default();
        for levels in passing {
            if !lowest.any_below(levels) {
                lowest.push(levels.clone());
            }
        }
        lowest
    }
}

/// What is known of the border between failing and feasible schemes of a part, and the best of those
/// that were looked at.
pub(crate) struct Border<'v, 'a> {
    view: &'v mut View<'a>,
    goal: &'v dyn Goal,
    pub(crate) low: Levels,
    pub(crate) high: Levels,
    /// The most that may be suppressed.
    limit: u64,
    /// Failing schemes, each as high as it could be raised.
    pub(crate) fails: Schemes,
    /// Feasible schemes.
    passes: Schemes,
    /// Attributes, those first whose detail costs least.
    pub(crate) order: Vec<usize>,
    pub(crate) best: Best,
    /// Schemes that were weighed for the best.
    weighed: HashSet<Levels>,
    /// No feasible scheme has less of what shall be least.
    pub(crate) bound: f64,
}

pub(crate) fn height(levels: &[u8]) -> u32 {
    levels.iter().map(|&level| u32::from(level)).sum()
}

pub(crate) fn levels(scheme: &Scheme) -> Levels {
    scheme.levels().iter().map(|&level| level.into()).collect()
}

pub(crate) fn scheme(levels: &[u8]) -> Scheme {
    Scheme::new(levels.iter().copied())
}

pub(crate) fn with(levels: &[u8], attribute: usize, level: u8) -> Levels {
    let mut levels = levels.to_vec();
    levels[attribute] = level;
    levels
}

/// So often guesses are made at what is feasible, so many each time.
const GUESSES: usize = 12;

/// More than any scheme suppresses that keeps a record.
const NOTHING_LEFT: u64 = u32::MAX as u64;

impl View<'_> {
    /// What a scheme suppresses; remembered.
    fn look(&mut self, levels: &[u8]) -> Result<u64, Error> {
        if let Some(known) = self.border.costs.get(levels) {
            return Ok(*known);
        }
        let cost = self.suppressed(&scheme(levels), u64::MAX)?;
        let cost = cost.unwrap_or(NOTHING_LEFT);
        self.border.learn(levels, cost, self.space());
        Ok(cost)
    }

    /// Looks at what was looked at for another privacy.
    fn look_again(&mut self) -> Result<(), Error> {
        if self.border.costs.len() < self.border.seen.len() {
            for scheme in self.border.seen.clone() {
                if !self.may_go_on() {
                    break;
                }
                self.look(&levels(&scheme))?;
            }
        }
        Ok(())
    }
}

impl<'v, 'a> Border<'v, 'a> {
    /// Of a part, with what earlier searches of the view found; the best are at most so many.
    pub(crate) fn of(
        view: &'v mut View<'a>,
        part: &Sublattice,
        limit: u64,
        goal: &'v dyn Goal,
        most: usize,
    ) -> Result<Self, Error> {
        view.look_again()?;
        let limit = limit.min(NOTHING_LEFT - 1);
        let (low, high) = (levels(part.low()), levels(part.high()));
        Ok(Self {
            order: (0..low.len()).collect(),
            fails: view.border.failing(limit),
            passes: view.border.passing(limit),
            best: Best::of(most),
            weighed: HashSet::new(),
            bound: goal.floor(part.low()),
            view,
            goal,
            low,
            high,
            limit,
        })
    }

    /// Whether a scheme above a feasible one is feasible, so that failing ones speak for others.
    pub(crate) fn rises(&self) -> bool {
        self.view.rises(self.limit)
    }

    /// How far the search is.
    pub(crate) fn closing(&self, stopped: bool) -> Closing {
        let found = self.best.loss();
        // Where several are wanted, what is left may lose more than the best.
        let none_below = found.map_or(self.bound, |found| self.bound.min(found));
        Closing { found, none_below, stopped }
    }

    /// Tells how far the search came; the best that it found.
    pub(crate) fn close(self, ended: Result<(), Stop>) -> Result<Best, Error> {
        let stopped = match ended {
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Stopped) => true,
            Ok(()) => false,
        };
        self.view.close(self.closing(stopped));
        Ok(self.best)
    }

    /// Stops the search if it shall not go on. Where a first answer is soon found, it is in any case.
    pub(crate) fn may_stop(&mut self) -> Result<(), Stop> {
        let soon = self.rises() || self.view.border.costs.is_empty();
        if soon && self.best.loss().is_none() {
            return Ok(());
        }
        let closing = self.closing(false);
        if self.view.goes_on(closing) { Ok(()) } else { Err(Stop::Stopped) }
    }

    /// What a scheme suppresses, unless it is too much; feasible ones are remembered if they are best.
    pub(crate) fn cost(&mut self, levels: &[u8]) -> Result<Option<u64>, Stop> {
        self.may_stop()?;
        let cost = Some(self.view.look(levels)?).filter(|&cost| cost <= self.limit);
        if let Some(cost) = cost
            && self.weighed.insert(levels.to_vec())
        {
            let scheme = scheme(levels);
            if !self.best.beats(self.goal.floor(&scheme)) {
                self.best.add(self.goal.of(&scheme)?, cost, &scheme);
            }
        }
        Ok(cost)
    }

    /// Whether a scheme fails, by what is known or else by looking at it.
    pub(crate) fn fails(&mut self, levels: &[u8]) -> Result<bool, Stop> {
        if self.fails.any_above(levels) {
            return Ok(true);
        }
        if self.passes.any_below(levels) {
            return Ok(false);
        }
        let fails = self.cost(levels)?.is_none();
        if !fails {
            self.passes.push(levels.to_vec());
        }
        Ok(fails)
    }

    /// Orders the attributes by what each alone costs as detailed as it may be.
    pub(crate) fn rank_attributes(&mut self) -> Result<(), Stop> {
        let mut costs = Vec::new();
        let top = levels(self.view.space().top());
        for attribute in 0..self.low.len() {
            costs.push(self.view.look(&with(&top, attribute, self.low[attribute]))?);
        }
        self.order.sort_by_key(|&attribute| (costs[attribute], attribute));
        Ok(())
    }

    /// A feasible scheme with no feasible one below it.
    pub(crate) fn descend(&mut self, mut levels: Levels, order: &[usize]) -> Result<(), Stop> {
        for &attribute in order {
            let (mut low, mut high) = (self.low[attribute], levels[attribute]);
            while low < high {
                let middle = u8::midpoint(low, high);
                let lower = with(&levels, attribute, middle);
                if self.fails(&lower)? { low = middle + 1 } else { high = middle }
            }
            levels[attribute] = high;
        }
        self.cost(&levels)?;
        Ok(())
    }

    /// Other ways down, which may end lower: one begins with each attribute.
    pub(crate) fn descend_otherwise(&mut self, high: &[u8]) -> Result<(), Stop> {
        let order = self.order.clone();
        for first in 1..order.len() {
            let rotated = [&order[first..], &order[..first]].concat();
            self.descend(high.to_vec(), &rotated)?;
        }
        Ok(())
    }

    /// Looks at what may be feasible by the guess, a level below the lowest that is, while that helps.
    pub(crate) fn guess_lower(&mut self) -> Result<(), Stop> {
        while let Some(best) = self.best.scheme().map(Scheme::height) {
            let Some(lower) = best.checked_sub(1) else { return Ok(()) };
            for _ in 0..GUESSES {
                let (low, high) = (&self.low, &self.high);
                let guessed = self.view.border.cheapest(low, high, lower, 4 * GUESSES);
                let new = |levels: &Levels| !self.fails.any_above(levels);
                let new: Vec<Levels> = guessed.into_iter().filter(new).take(GUESSES).collect();
                for levels in new {
                    if self.cost(&levels)?.is_some() {
                        break;
                    }
                    self.fails.push(levels);
                }
            }
            if self.best.scheme().is_some_and(|found| found.height() == best) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// A failing scheme above this one, about as high as there is one; none if this one is feasible.
    /// The attributes that matter least are raised first.
    pub(crate) fn failing_above(&mut self, scheme: &[u8]) -> Result<Option<Levels>, Stop> {
        let mut order = self.order.clone();
        let Some((mut raised, mut blocked)) = self.last_failing(scheme, &order)? else {
            return Ok(None);
        };
        while let Some(attribute) = blocked {
            order.retain(|&other| other != attribute);
            let above = self.chain(&raised, &order);
            let promising =
                |step: &(usize, Levels)| self.view.border.guess(&step.1) > self.limit as f64;
            if !above.iter().any(promising) {
                break;
            }
            let next = self.last_failing(&raised, &order)?;
            (raised, blocked) = next.unwrap_or((raised, None));
        }
        Ok(Some(raised))
    }

    /// The steps from a scheme up, one level at a time, attribute after attribute.
    fn chain(&self, scheme: &[u8], order: &[usize]) -> Vec<(usize, Levels)> {
        let mut levels = scheme.to_vec();
        let mut chain = Vec::new();
        for &attribute in order {
            while levels[attribute] < self.high[attribute] {
                levels[attribute] += 1;
                chain.push((attribute, levels.clone()));
            }
        }
        chain
    }

    /// A scheme on the way up that fails, and the attribute that comes next: the last by the guess, or
    /// one below it, in growing steps. None if the scheme itself passes. Looking for the very last
    /// would cost more looks than it saves.
    fn last_failing(
        &mut self,
        scheme: &[u8],
        order: &[usize],
    ) -> Result<Option<(Levels, Option<usize>)>, Stop> {
        let mut chain = self.chain(scheme, order);
        chain.insert(0, (usize::MAX, scheme.to_vec()));
        let guessed = |step: &(usize, Levels)| self.view.border.guess(&step.1) > self.limit as f64;
        let (mut at, mut step) = (chain.iter().rposition(guessed).unwrap_or(0), 1);
        while !self.fails(&chain[at].1)? {
            if at == 0 {
                return Ok(None);
            }
            (at, step) = (at.saturating_sub(step), step * 2);
        }
        let next = chain.get(at + 1).map(|(attribute, _)| *attribute);
        Ok(Some((chain.swap_remove(at).1, next)))
    }
}
