//! The lowest feasible scheme of a lattice that is annotated on demand, by looking at few schemes.
//!
//! Where a scheme above a feasible one is feasible, one failing scheme speaks for all below it. Each
//! that is found is raised as far as it still fails, so that it speaks for as many as possible. Of what
//! no failing scheme speaks for, the lowest is looked at next: its height is a bound that is proved,
//! and once it is feasible, the answer. A descent from the top finds a first answer at once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use haggle_model::{Scheme, Space, Sublattice};

use super::guess::Guess;
use super::parts::Parts;
use super::view::View;
use super::{Closing, Solution};
use crate::Error;

/// More attributes than this are bounded part by part first.
const AT_ONCE: usize = 8;

/// Levels by attribute, without a scheme's cost of copying.
type Levels = Vec<u8>;

/// Attributes as bits; beyond 128 some share one, which only makes bounds weaker.
type Mask = u128;

/// The search stopped, or failed.
enum Stop {
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
pub(super) struct Known {
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

    /// The schemes that suppress more than the limit, but none below another.
    fn failing(&self, limit: u64) -> Vec<Levels> {
        let mut failing: Vec<&Levels> = self
            .costs
            .iter()
            .filter(|(_, cost)| **cost > limit)
            .map(|(levels, _)| levels)
            .collect();
        failing.sort_by_key(|levels| (Reverse(height(levels)), (*levels).clone()));
        let mut highest: Vec<Levels> = Vec::new();
        for levels in failing {
            if !highest.iter().any(|other| is_under(levels, other)) {
                highest.push(levels.clone());
            }
        }
        highest
    }

    fn passing(&self, limit: u64) -> Vec<Levels> {
        let passing = self.costs.iter().filter(|(_, cost)| **cost <= limit);
        let mut passing: Vec<Levels> = passing.map(|(levels, _)| levels.clone()).collect();
        passing.sort();
        passing
    }
}

/// What is known of the border between failing and feasible schemes of a part.
struct Border<'v, 'a> {
    view: &'v mut View<'a>,
    low: Levels,
    high: Levels,
    /// The most that may be suppressed.
    limit: u64,
    /// Failing schemes, each as high as it could be raised.
    fails: Vec<Levels>,
    /// Feasible schemes.
    passes: Vec<Levels>,
    /// Attributes, those first whose detail costs least.
    order: Vec<usize>,
    best: Option<(u64, Levels)>,
    /// No feasible scheme is lower.
    bound: u32,
}

fn height(levels: &[u8]) -> u32 {
    levels.iter().map(|&level| u32::from(level)).sum()
}

fn is_under(levels: &[u8], caps: &[u8]) -> bool {
    levels.iter().zip(caps).all(|(level, cap)| level <= cap)
}

fn levels(scheme: &Scheme) -> Levels {
    scheme.levels().iter().map(|&level| level.into()).collect()
}

/// The first scheme by (height, suppressed, levels) that suppresses at most `limit` records; if the
/// search is stopped, the best so far. The part's highest scheme must be feasible.
pub(super) fn lowest(
    view: &mut View<'_>,
    part: &Sublattice,
    limit: u64,
) -> Result<Option<Solution>, Error> {
    let (low, high) = (levels(part.low()), levels(part.high()));
    let bound = height(&low);
    let order = (0..low.len()).collect();
    view.look_again()?;
    let (fails, passes) = (view.border.failing(limit), view.border.passing(limit));
    let mut border = Border { view, low, high, limit, fails, passes, order, best: None, bound };
    let found = border.search();
    let (best, bound) = (border.best.take(), border.bound);
    let stopped = match found {
        Err(Stop::Failed(error)) => return Err(error),
        Err(Stop::Stopped) => true,
        Ok(()) => false,
    };
    let found = best.as_ref().map(|(_, levels)| height(levels));
    view.close(Closing { found, none_below: bound, stopped });
    best.map_or(Ok(None), |(suppressed, levels)| view.known(&Scheme::new(levels), suppressed))
}

/// More than any scheme suppresses that keeps a record.
const NOTHING_LEFT: u64 = u32::MAX as u64;

impl View<'_> {
    /// What a scheme suppresses; remembered.
    fn look(&mut self, levels: &[u8]) -> Result<u64, Error> {
        if let Some(known) = self.border.costs.get(levels) {
            return Ok(*known);
        }
        let cost = self.suppressed(&Scheme::new(levels.iter().copied()), u64::MAX)?;
        let cost = cost.unwrap_or(NOTHING_LEFT);
        self.border.learn(levels, cost, self.space());
        Ok(cost)
    }

    /// Looks at what was looked at for another privacy.
    fn look_again(&mut self) -> Result<(), Error> {
        if self.border.costs.len() < self.border.seen.len() {
            for scheme in self.border.seen.clone() {
                self.look(&levels(&scheme))?;
            }
        }
        Ok(())
    }
}

impl Border<'_, '_> {
    fn search(&mut self) -> Result<(), Stop> {
        let high = self.high.clone();
        if self.fails.iter().any(|fail| is_under(&high, fail)) || self.cost(&high)?.is_none() {
            self.remember_fail(high);
            return Ok(());
        }
        self.rank_attributes()?;
        let order = self.order.clone();
        self.descend(high.clone(), &order)?;
        if order.len() > AT_ONCE {
            self.descend_otherwise(&high)?;
            self.bound_by_parts()?;
        }
        self.raise_bound()?;
        self.settle()
    }

    /// Other ways down, which may end lower: one begins with each attribute.
    fn descend_otherwise(&mut self, high: &[u8]) -> Result<(), Stop> {
        let order = self.order.clone();
        for first in 1..order.len() {
            let rotated = [&order[first..], &order[..first]].concat();
            self.descend(high.to_vec(), &rotated)?;
        }
        Ok(())
    }

    /// Raises the bound by what few attributes must rise, whatever the others do.
    fn bound_by_parts(&mut self) -> Result<(), Stop> {
        let mut parts = Parts::of(&self.order);
        while let Some(set) = parts.next() {
            let mut low = self.high.clone();
            for &attribute in parts.attributes(set) {
                low[attribute] = self.low[attribute];
            }
            let most = height(&low) + parts.rise(set);
            if self.explore(Part::of(low, self.high.clone()), most, true)? {
                parts.settle(set);
            } else {
                parts.raise(set);
            }
            self.bound = self.bound.max(height(&self.low) + parts.all());
            if self.best.as_ref().is_some_and(|(_, best)| height(best) <= self.bound) {
                break;
            }
        }
        Ok(())
    }

    /// Stops the search if it shall not go on; a first answer is found in any case.
    fn may_stop(&mut self) -> Result<(), Stop> {
        let Some((_, best)) = &self.best else { return Ok(()) };
        let found = Some(height(best));
        let closing = Closing { found, none_below: self.bound, stopped: false };
        if self.view.goes_on(closing) { Ok(()) } else { Err(Stop::Stopped) }
    }

    /// What a scheme suppresses, unless it is too much; feasible ones are remembered if they are best.
    fn cost(&mut self, levels: &[u8]) -> Result<Option<u64>, Stop> {
        self.may_stop()?;
        let cost = Some(self.view.look(levels)?).filter(|&cost| cost <= self.limit);
        if let Some(cost) = cost {
            let rank = |cost: u64, levels: &[u8]| (height(levels), cost, levels.to_vec());
            let better = |(best, known): &(u64, Levels)| rank(cost, levels) < rank(*best, known);
            if self.best.as_ref().is_none_or(better) {
                self.best = Some((cost, levels.to_vec()));
            }
        }
        Ok(cost)
    }

    /// Whether a scheme fails, by what is known or else by looking at it.
    fn fails(&mut self, levels: &[u8]) -> Result<bool, Stop> {
        if self.fails.iter().any(|fail| is_under(levels, fail)) {
            return Ok(true);
        }
        if self.passes.iter().any(|pass| is_under(pass, levels)) {
            return Ok(false);
        }
        let fails = self.cost(levels)?.is_none();
        if !fails {
            self.passes.retain(|pass| !is_under(levels, pass));
            self.passes.push(levels.to_vec());
        }
        Ok(fails)
    }

    fn remember_fail(&mut self, levels: Levels) {
        self.fails.push(levels);
    }

    /// Orders the attributes by what each alone costs as detailed as it may be.
    fn rank_attributes(&mut self) -> Result<(), Stop> {
        let mut costs = Vec::new();
        let top = levels(self.view.space().top());
        for attribute in 0..self.low.len() {
            costs.push(self.view.look(&with(&top, attribute, self.low[attribute]))?);
        }
        self.order.sort_by_key(|&attribute| (costs[attribute], attribute));
        Ok(())
    }

    /// A feasible scheme with no feasible one below it.
    fn descend(&mut self, mut levels: Levels, order: &[usize]) -> Result<(), Stop> {
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

    /// Height by height, until one has a feasible scheme.
    fn raise_bound(&mut self) -> Result<(), Stop> {
        loop {
            let most = self.best.as_ref().map_or(u32::MAX, |(_, levels)| height(levels));
            if self.bound >= most || self.any_at(self.bound)? {
                return Ok(());
            }
            self.bound += 1;
        }
    }

    fn any_at(&mut self, height: u32) -> Result<bool, Stop> {
        self.explore(Part::of(self.low.clone(), self.high.clone()), height, true)
    }

    /// Of the lowest feasible height, the scheme that suppresses least, the first by levels: what
    /// passes must be looked at now, and is mostly little.
    fn settle(&mut self) -> Result<(), Stop> {
        self.explore(Part::of(self.low.clone(), self.high.clone()), self.bound, false)?;
        Ok(())
    }

    /// Looks at every scheme up to a height that no failing one speaks for, each once; with `any`,
    /// until one is feasible. What fails is raised and speaks for others from then on.
    fn explore(&mut self, mut part: Part, most: u32, any: bool) -> Result<bool, Stop> {
        loop {
            self.may_stop()?;
            part.update(&self.fails);
            if height(&part.low) + part.at_least(&self.fails) > most {
                return Ok(false);
            }
            let Some(fail) = part.narrowest(&self.fails) else {
                match self.failing_above(&part.low)? {
                    Some(raised) => self.remember_fail(raised),
                    None if any => return Ok(true),
                    None => {
                        self.cost(&part.low)?;
                        return Ok(false); // only higher schemes are left in this part
                    }
                }
                continue;
            };
            let fail = self.fails[fail].clone();
            let mut rest = part.clone();
            for attribute in part.ways_out(&fail) {
                let mut beyond = rest.clone();
                beyond.low[attribute] = fail[attribute] + 1;
                if self.explore(beyond, most, any)? {
                    return Ok(true);
                }
                rest.high[attribute] = fail[attribute];
            }
            return Ok(false);
        }
    }

    /// A failing scheme above this one, about as high as there is one; none if this one is feasible.
    /// The attributes that matter least are raised first.
    fn failing_above(&mut self, scheme: &[u8]) -> Result<Option<Levels>, Stop> {
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

fn with(levels: &[u8], attribute: usize, level: u8) -> Levels {
    let mut levels = levels.to_vec();
    levels[attribute] = level;
    levels
}

/// The schemes between two, and the failing schemes that its lowest is not beyond.
#[derive(Clone)]
struct Part {
    low: Levels,
    high: Levels,
    /// By position among the failing ones; those before `seen` were looked at.
    above: Vec<usize>,
    seen: usize,
}

impl Part {
    fn of(low: Levels, high: Levels) -> Self {
        Self { low, high, above: Vec::new(), seen: 0 }
    }

    fn update(&mut self, fails: &[Levels]) {
        let low = &self.low;
        self.above.retain(|&fail| is_under(low, &fails[fail]));
        self.above.extend((self.seen..fails.len()).filter(|&fail| is_under(low, &fails[fail])));
        self.seen = fails.len();
    }

    /// The attributes in which a scheme of the part can be beyond a failing one.
    fn ways_out(&self, fail: &[u8]) -> Vec<usize> {
        (0..fail.len()).filter(|&a| self.high[a] > fail[a]).collect()
    }

    /// The failing scheme with the fewest ways out.
    fn narrowest(&self, fails: &[Levels]) -> Option<usize> {
        let ways = |fail: &usize| {
            let fail = &fails[*fail];
            (0..fail.len()).filter(|&a| self.high[a] > fail[a]).count()
        };
        self.above.iter().copied().min_by_key(ways)
    }

    /// How many levels it takes at least to be beyond all failing ones: failing ones that have no
    /// way out in common add up.
    fn at_least(&self, fails: &[Levels]) -> u32 {
        let (mut used, mut sum): (Mask, u32) = (0, 0);
        for &fail in &self.above {
            let fail = &fails[fail];
            let (mut mask, mut least): (Mask, u32) = (0, u32::MAX);
            for a in (0..fail.len()).filter(|&a| self.high[a] > fail[a]) {
                mask |= 1 << (a % 128);
                least = least.min(u32::from(fail[a] + 1 - self.low[a]));
            }
            if mask == 0 {
                return 1 << 20; // there is no way out
            }
            if used & mask == 0 {
                (used, sum) = (used | mask, sum + least);
            }
        }
        sum
    }
}
