//! What a search knows about the border between failing and feasible schemes that are annotated on
//! demand.
//!
//! If every scheme above a feasible one is feasible, a failing scheme dominates all schemes below
//! it: they fail too. Each failing scheme is raised as far as it still fails, so that it dominates
//! as many as possible.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use haggle_model::{Scheme, SearchState, Sublattice};

use super::levels::{Levels, levels, scheme, with};
use super::packed::Schemes;
use super::range::SchemeRange;
use super::turn::Turn;
use super::view::View;
use super::visited::NOTHING_LEFT;
use crate::Error;
use crate::best::Best;
use crate::objective::Objective;

/// Why a search ended early.
pub(crate) enum SearchStop {
    Stopped,
    Failed(Error),
}

impl From<Error> for SearchStop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The known border between failing and feasible schemes of a part, and the best visited schemes.
pub(crate) struct Border<'v, 'a> {
    view: &'v mut View<'a>,
    objective: &'v dyn Objective,
    pub(crate) low: Levels,
    pub(crate) high: Levels,
    /// How many records may be suppressed.
    limit: u64,
    /// Failing schemes, each raised as far as possible.
    pub(crate) fails: Schemes,
    /// Feasible schemes.
    passes: Schemes,
    /// Attributes, in ascending order of what their most detailed level suppresses.
    pub(crate) order: Vec<usize>,
    pub(crate) best: Best,
    /// Schemes whose loss was compared with the best.
    weighed: HashSet<Box<[u8]>>,
    /// A lower bound of the objective over all feasible schemes.
    pub(crate) bound: f64,
    /// Whether the search ignores a stop, because a first solution will be found soon.
    pub(crate) urgent: bool,
}

/// How many rounds of guesses are made at feasible schemes, and how many guesses in each.
const GUESSES: usize = 12;

/// The bytes of a compared scheme in addition to its levels.
const WEIGHED: usize = 64;

impl<'v, 'a> Border<'v, 'a> {
    /// Builds the border of a part; at most `most` best schemes are kept.
    pub(crate) fn new(
        view: &'v mut View<'a>,
        part: &Sublattice,
        limit: u64,
        objective: &'v dyn Objective,
        most: usize,
    ) -> Mutex<Self> {
        let (low, high) = (levels(part.low()), levels(part.high()));
        Mutex::new(Self {
            order: (0..low.len()).collect(),
            fails: Schemes::default(),
            passes: Schemes::default(),
            best: Best::keeping(most),
            weighed: HashSet::new(),
            bound: objective.lower_bound_above(part.low()),
            urgent: false,
            view,
            objective,
            low,
            high,
            limit: limit.min(NOTHING_LEFT - 1),
        })
    }

    /// Returns whether every scheme above a feasible one is feasible, so that a failing scheme
    /// dominates those below it.
    pub(crate) fn rises(&self) -> bool {
        self.view.rises(self.limit)
    }

    /// Returns the bytes that a search may use in addition to the lattice.
    pub(crate) fn room(&self) -> usize {
        self.view.room()
    }

    /// Counts a visit of a scheme's groups.
    pub(crate) fn count_visit(&mut self, scheme: &Scheme) {
        self.view.count(scheme);
    }

    /// Returns the bytes of what cannot be evicted without visiting schemes again.
    fn bytes(&self) -> usize {
        let weighed = self.weighed.capacity() * (WEIGHED + self.low.len());
        self.fails.bytes() + self.passes.bytes() + self.best.bytes() + weighed
    }

    /// Returns the state of the search.
    pub(crate) fn state(&self, stopped: bool) -> SearchState {
        let found = self.best.loss();
        // If several schemes are requested, the rest may lose more than the best.
        let none_below = found.map_or(self.bound, |found| self.bound.min(found));
        SearchState { found, none_below, stopped }
    }

    /// Records the final state of the search and returns the best schemes.
    pub(crate) fn close(border: Mutex<Self>, ended: Result<(), SearchStop>) -> Result<Best, Error> {
        let border = border.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stopped = match ended {
            Err(SearchStop::Failed(error)) => return Err(error),
            Err(SearchStop::Stopped) => true,
            Ok(()) => false,
        };
        border.view.close(border.state(stopped));
        Ok(border.best)
    }

    /// Returns whether a scheme is guessed to fail.
    fn may_fail(&self, levels: &[u8]) -> bool {
        let guess = self.view.visits.guess();
        guess.is_some_and(|guess| guess.cost(levels) > self.limit as f64)
    }

    /// Stops the search if it should not continue. A first solution that will be found soon is
    /// found in any case.
    pub(crate) fn may_stop(&mut self) -> Result<(), SearchStop> {
        let soon = self.rises() || self.view.visits.is_empty();
        if self.urgent || soon && self.best.loss().is_none() {
            return Ok(());
        }
        let state = self.state(false);
        let should_continue = self.bytes() <= self.room() / 2 && self.view.should_continue(state);
        if should_continue { Ok(()) } else { Err(SearchStop::Stopped) }
    }
}

/// The operations that visit schemes and release the lock meanwhile.
impl Turn<'_, Border<'_, '_>> {
    /// Starts with the results of earlier searches of the view.
    pub(crate) fn recall(&mut self) -> Result<(), Error> {
        for levels in self.view.visits.unknown() {
            if !self.view.may_continue() {
                break;
            }
            self.visit(&levels)?;
        }
        if self.view.state().stopped {
            return Ok(()); // a first answer is all that is wanted now
        }
        self.fails = self.view.visits.failing(self.limit);
        self.passes = self.view.visits.passing(self.limit);
        Ok(())
    }

    /// Returns what a scheme suppresses, and remembers it.
    fn visit(&mut self, levels: &[u8]) -> Result<u64, Error> {
        if let Some(known) = self.view.visits.cost(levels) {
            return Ok(known);
        }
        let scheme = scheme(levels);
        let lens = self.view.count(&scheme);
        let cost = self.away(|| lens.suppressed(&scheme, u64::MAX))?;
        let cost = cost.unwrap_or(NOTHING_LEFT);
        let space = self.view.space();
        self.view.visits.learn(levels, cost, space);
        Ok(cost)
    }

    /// Returns what a scheme suppresses, unless it exceeds the limit; feasible schemes are added to
    /// the best.
    pub(crate) fn cost(&mut self, levels: &[u8]) -> Result<Option<u64>, SearchStop> {
        self.may_stop()?;
        let cost = Some(self.visit(levels)?).filter(|&cost| cost <= self.limit);
        if let Some(cost) = cost
            && self.weighed.insert(levels.into())
        {
            let (scheme, objective) = (scheme(levels), self.objective);
            if !self.best.beats(objective.lower_bound_above(&scheme)) {
                let loss = self.away(|| objective.loss(&scheme))?;
                self.best.add(loss, cost, &scheme);
            }
        }
        Ok(cost)
    }

    /// Returns whether a scheme fails, from known schemes if possible, else by visiting it.
    pub(crate) fn fails(&mut self, levels: &[u8]) -> Result<bool, SearchStop> {
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

    /// Orders the attributes by what each alone suppresses at its most detailed level.
    pub(crate) fn rank_attributes(&mut self) -> Result<(), SearchStop> {
        let mut costs = Vec::new();
        let top = levels(self.view.space().top());
        for attribute in 0..self.low.len() {
            self.may_stop()?;
            costs.push(self.visit(&with(&top, attribute, self.low[attribute]))?);
        }
        self.order.sort_by_key(|&attribute| (costs[attribute], attribute));
        Ok(())
    }

    /// Descends to a feasible scheme with no feasible scheme below it.
    pub(crate) fn descend(
        &mut self,
        mut levels: Levels,
        order: &[usize],
    ) -> Result<(), SearchStop> {
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

    /// Descends in other orders, which may end lower: one starts with each attribute.
    pub(crate) fn descend_in_other_orders(&mut self, high: &[u8]) -> Result<(), SearchStop> {
        let order = self.order.clone();
        for first in 1..order.len() {
            let rotated = [&order[first..], &order[..first]].concat();
            self.descend(high.to_vec(), &rotated)?;
        }
        Ok(())
    }

    /// Visits schemes that are guessed to be feasible one level below the lowest feasible one,
    /// while that succeeds.
    pub(crate) fn guess_lower(&mut self) -> Result<(), SearchStop> {
        while let Some(best) = self.best.scheme().map(Scheme::height) {
            let Some(lower) = best.checked_sub(1) else { return Ok(()) };
            for _ in 0..GUESSES {
                let (low, high) = (&self.low, &self.high);
                let guess = self.view.visits.guess();
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

    /// Returns a failing scheme above the lowest of a range that is close to the highest; none if
    /// the lowest is feasible. The least important attributes are raised first.
    pub(crate) fn failing_above(
        &mut self,
        part: &SchemeRange,
    ) -> Result<Option<Levels>, SearchStop> {
        let mut order = self.order.clone();
        let chain = self.chain(&part.low, &order, &part.high);
        let Some((mut raised, mut blocked)) = self.last_failing(&part.low, chain)? else {
            return Ok(None);
        };
        while let Some(attribute) = blocked {
            order.retain(|&other| other != attribute);
            let above = self.chain(&raised, &order, &part.high);
            let promising = |step: &(usize, Levels)| self.may_fail(&step.1);
            if !above.iter().any(promising) {
                break;
            }
            let next = self.last_failing(&raised, above)?;
            (raised, blocked) = next.unwrap_or((raised, None));
        }
        Ok(Some(raised))
    }

    /// Returns the steps from a scheme up, one level at a time, attribute by attribute: first those
    /// that stay under `high`, because they can close a range, then all others.
    fn chain(&self, scheme: &[u8], order: &[usize], high: &[u8]) -> Vec<(usize, Levels)> {
        let mut levels = scheme.to_vec();
        let mut chain = Vec::new();
        for high in [high, &self.high] {
            for &attribute in order {
                while levels[attribute] < high[attribute] {
                    levels[attribute] += 1;
                    chain.push((attribute, levels.clone()));
                }
            }
        }
        chain
    }

    /// Returns a failing scheme on the chain up from a scheme, and the attribute that comes next:
    /// the last one that is guessed to fail, or one below it, in growing steps. None if the scheme
    /// itself passes. Finding the exact last one would cost more visits than it saves.
    fn last_failing(
        &mut self,
        scheme: &[u8],
        mut chain: Vec<(usize, Levels)>,
    ) -> Result<Option<(Levels, Option<usize>)>, SearchStop> {
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
