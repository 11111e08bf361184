//! What is known of the border between failing and feasible schemes where they are annotated on demand.
//!
//! Where a scheme above a feasible one is feasible, one failing scheme speaks for all below it. Each
//! that is found is raised as far as it still fails, so that it speaks for as many as possible.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use haggle_model::{Scheme, Sublattice};

use super::Closing;
use super::known::NOTHING_LEFT;
use super::packed::Schemes;
use super::turn::Turn;
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

/// What is known of the border between failing and feasible schemes of a part, and the best of those
/// that were looked at.
pub(crate) struct Border<'v, 'a> {
    view: &'v mut View<'a>,
    goal: &'v dyn Goal,
    pub(crate) low: Levels,
    pub(crate) high: Levels,
    /// The most that may be suppressed.
    limit: u32,
    /// Failing schemes, each as high as it could be raised.
    pub(crate) fails: Schemes,
    /// Feasible schemes.
    passes: Schemes,
    /// Attributes, those first whose detail costs least.
    pub(crate) order: Vec<usize>,
    pub(crate) best: Best,
    /// Schemes that were weighed for the best.
    weighed: HashSet<Box<[u8]>>,
    /// No feasible scheme has less of what shall be least.
    pub(crate) bound: f64,
    /// Whether the search goes on in any case, because a first answer is soon found.
    pub(crate) urgent: bool,
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

/// The bytes of a scheme that was weighed, beside its levels.
const WEIGHED: usize = 64;

impl<'v, 'a> Border<'v, 'a> {
    /// Of a part; the best are at most so many.
    pub(crate) fn of(
        view: &'v mut View<'a>,
        part: &Sublattice,
        limit: u64,
        goal: &'v dyn Goal,
        most: usize,
    ) -> Mutex<Self> {
        let (low, high) = (levels(part.low()), levels(part.high()));
        Mutex::new(Self {
            order: (0..low.len()).collect(),
            fails: Schemes::default(),
            passes: Schemes::default(),
            best: Best::of(most),
            weighed: HashSet::new(),
            bound: goal.floor(part.low()),
            urgent: false,
            view,
            goal,
            low,
            high,
            limit: limit.min(u64::from(NOTHING_LEFT) - 1) as u32,
        })
    }

    /// Whether a scheme above a feasible one is feasible, so that failing ones speak for others.
    pub(crate) fn rises(&self) -> bool {
        self.view.rises(self.limit.into())
    }

    /// The bytes that a search may remember beside the lattice.
    pub(crate) fn room(&self) -> usize {
        self.view.room()
    }

    /// A scheme's groups were looked at.
    pub(crate) fn looked_at(&mut self, scheme: &Scheme) {
        self.view.count(scheme);
    }

    /// The bytes of what cannot be forgotten without looking at it again.
    fn bytes(&self) -> usize {
        let weighed = self.weighed.capacity() * (WEIGHED + self.low.len());
        self.fails.bytes() + self.passes.bytes() + self.best.bytes() + weighed
    }

    /// How far the search is.
    pub(crate) fn closing(&self, stopped: bool) -> Closing {
        let found = self.best.loss();
        // Where several are wanted, what is left may lose more than the best.
        let none_below = found.map_or(self.bound, |found| self.bound.min(found));
        Closing { found, none_below, stopped }
    }

    /// Tells how far the search came; the best that it found.
    pub(crate) fn close(border: Mutex<Self>, ended: Result<(), Stop>) -> Result<Best, Error> {
        let border = border.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stopped = match ended {
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Stopped) => true,
            Ok(()) => false,
        };
        border.view.close(border.closing(stopped));
        Ok(border.best)
    }

    /// Whether a scheme fails by the guess.
    fn may_fail(&self, levels: &[u8]) -> bool {
        let guess = self.view.border.guess();
        guess.is_some_and(|guess| guess.cost(levels) > f64::from(self.limit))
    }

    /// Stops the search if it shall not go on. Where a first answer is soon found, it is in any case.
    pub(crate) fn may_stop(&mut self) -> Result<(), Stop> {
        let soon = self.rises() || self.view.border.is_empty();
        if self.urgent || soon && self.best.loss().is_none() {
            return Ok(());
        }
        let closing = self.closing(false);
        let goes_on = self.bytes() <= self.room() / 2 && self.view.goes_on(closing);
        if goes_on { Ok(()) } else { Err(Stop::Stopped) }
    }
}

/// All that looks at schemes, so that others may look at theirs meanwhile.
impl Turn<'_, Border<'_, '_>> {
    /// Begins with what earlier searches of the view found.
    pub(crate) fn recall(&mut self) -> Result<(), Error> {
        for levels in self.view.border.unknown() {
            if !self.view.may_go_on() {
                break;
            }
            self.look(&levels)?;
        }
        if self.view.closing().stopped {
            return Ok(()); // a first answer is all that is wanted now
        }
        self.fails = self.view.border.failing(self.limit);
        self.passes = self.view.border.passing(self.limit);
        Ok(())
    }

    /// What a scheme suppresses; remembered.
    fn look(&mut self, levels: &[u8]) -> Result<u32, Error> {
        if let Some(known) = self.view.border.cost(levels) {
            return Ok(known);
        }
        let scheme = scheme(levels);
        let lens = self.view.count(&scheme);
        let cost = self.away(|| lens.suppressed(&scheme, u64::MAX))?;
        let cost = cost.map_or(NOTHING_LEFT, |cost| cost as u32);
        let space = self.view.space();
        self.view.border.learn(levels, cost, space);
        Ok(cost)
    }

    /// What a scheme suppresses, unless it is too much; feasible ones are remembered if they are best.
    pub(crate) fn cost(&mut self, levels: &[u8]) -> Result<Option<u32>, Stop> {
        self.may_stop()?;
        let cost = Some(self.look(levels)?).filter(|&cost| cost <= self.limit);
        if let Some(cost) = cost
            && self.weighed.insert(levels.into())
        {
            let (scheme, goal) = (scheme(levels), self.goal);
            if !self.best.beats(goal.floor(&scheme)) {
                let loss = self.away(|| goal.of(&scheme))?;
                self.best.add(loss, cost.into(), &scheme);
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
            self.passes.push(levels);
        }
        Ok(fails)
    }

    /// Orders the attributes by what each alone costs as detailed as it may be.
    pub(crate) fn rank_attributes(&mut self) -> Result<(), Stop> {
        let mut costs = Vec::new();
        let top = levels(self.view.space().top());
        for attribute in 0..self.low.len() {
            costs.push(self.look(&with(&top, attribute, self.low[attribute]))?);
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
                let guess = self.view.border.guess();
                let guessed = guess.map(|guess| guess.cheapest(low, high, lower, 4 * GUESSES));
                let new = |levels: &Levels| !self.fails.any_above(levels);
                let new: Vec<Levels> =
                    guessed.into_iter().flatten().filter(new).take(GUESSES).collect();
                for levels in new {
                    if self.cost(&levels)?.is_some() {
                        break;
                    }
                    self.fails.push(&levels);
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
            let promising = |step: &(usize, Levels)| self.may_fail(&step.1);
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
        let guessed = |step: &(usize, Levels)| self.may_fail(&step.1);
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
