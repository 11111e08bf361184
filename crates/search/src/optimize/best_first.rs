//! Finds the schemes with the least loss in a lattice that is annotated on demand, best first.
//!
//! The schemes under the maximum levels are split into ranges. No scheme of a range loses less than
//! its lowest scheme would if that suppressed nothing. The range with the smallest such bound comes
//! next; this bound is proven for all remaining schemes. Its lowest scheme is visited, and the
//! schemes above it form smaller ranges, without the levels that alone lose too much. If failing schemes dominate those below them, whole ranges
//! are skipped. A first solution comes from the path of a fast strategy, from descents and from the
//! neighbours of the best scheme. Ranges are followed by several workers; which of them comes first
//! changes the visits, never the answer.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use haggle_cube::Lattice;
use haggle_model::{Progress, SearchState};

use super::{Objective, Ranked};
use crate::Error;
use crate::best::Best;
use crate::explore::{
    Border, Levels, SchemeRange, SearchStop, Turn, View, height, levels, most_workers, scheme, with,
};
use crate::request::LatticeRequest;

/// At most this many ranges are queued; beyond that, ranges are followed to their ends immediately.
const MAX_QUEUED: usize = 200_000;
/// At least this many may be queued, however little memory there is.
const MIN_QUEUED: usize = 100;
/// Searches of fewer ranges are over before a second worker would have begun.
const FOLLOWED_ALONE: usize = 100;
/// The bytes of a queued range in addition to its levels.
const QUEUED_BYTES: usize = 112;

/// The best schemes, and how far the search came.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// The schemes with the least loss, best first; empty if no scheme meets the request.
    pub ranked: Vec<Ranked>,
    /// How many schemes were annotated.
    pub visited: u64,
    /// The state of the search.
    pub state: SearchState,
}

/// Returns at most `most` schemes within the request with the least loss, with few visits, ordered
/// by (loss, height, suppressed, levels); if `progress` is over before, the best so far.
pub fn optimize_while(
    lattice: &dyn Lattice,
    request: &LatticeRequest,
    objective: &dyn Objective,
    most: usize,
    progress: &dyn Progress,
) -> Result<Optimum, Error> {
    let mut view = View::new(lattice, request.requirements.clone()).watched(progress);
    let part = lattice.space().under(&request.caps);
    let border = Border::new(&mut view, &part, request.limit, objective, most);
    Turn::at(&border).recall()?;
    let best = best_first(border, objective)?;
    let mut ranked = Vec::new();
    for (loss, suppressed, scheme) in best.into_schemes() {
        let solution = view.visited_solution(&scheme, suppressed)?;
        ranked.extend(solution.map(|solution| Ranked { loss, solution }));
    }
    Ok(Optimum { ranked, visited: view.visited(), state: view.state() })
}

/// Finds the best schemes of a border's part.
pub(crate) fn best_first(
    border: Mutex<Border<'_, '_>>,
    objective: &dyn Objective,
) -> Result<Best, Error> {
    let turn = Turn::at(&border);
    let most = turn.room() / 4 / (QUEUED_BYTES + 2 * turn.low.len());
    let most = most.clamp(MIN_QUEUED, MAX_QUEUED);
    let search = BestFirst {
        rises: turn.rises(),
        objective,
        border: &border,
        ranges: Mutex::new(Ranges { most, ..Ranges::default() }),
        changed: Condvar::new(),
    };
    drop(turn);
    let ended = search.run();
    Border::close(border, ended)
}

/// A range of schemes in the queue.
#[derive(Debug)]
struct QueuedRange {
    /// A lower bound of the loss of all its schemes.
    bound: f64,
    /// Whether the bound was computed from the groups of the lowest scheme.
    by_groups: bool,
    low: Levels,
    high: Levels,
}

impl Ord for QueuedRange {
    /// The smallest bound first; of equal ones the highest, which is closest to a solution.
    fn cmp(&self, other: &Self) -> Ordering {
        let bound = other.bound.total_cmp(&self.bound);
        bound.then_with(|| height(&self.low).cmp(&height(&other.low)))
    }
}

impl PartialOrd for QueuedRange {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueuedRange {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueuedRange {}

/// The ranges that are left.
#[derive(Default)]
struct Ranges {
    queued: BinaryHeap<QueuedRange>,
    /// The maximum number of queued ranges.
    most: usize,
    /// Ranges that are followed first, because the queue is full.
    at_once: Vec<QueuedRange>,
    /// The bounds of the ranges that workers are following, which may create more.
    followed: Vec<f64>,
    /// Why the search ended early.
    stopped: Option<SearchStop>,
    /// Whether a worker panicked: the others must not wait for it.
    broken: bool,
}

impl Ranges {
    fn push(&mut self, range: QueuedRange) {
        if self.queued.len() < self.most {
            self.queued.push(range);
        } else {
            self.at_once.push(range);
        }
    }

    /// Returns whether no worker will find anything to do.
    fn are_done(&self) -> bool {
        let none = self.queued.is_empty() && self.at_once.is_empty() && self.followed.is_empty();
        none || self.stopped.is_some() || self.broken
    }

    /// Returns the next range, and a lower bound of all that are left.
    fn pop(&mut self) -> Option<(QueuedRange, f64)> {
        if let Some(next) = self.at_once.pop() {
            self.followed.push(next.bound);
            return Some((next, f64::NEG_INFINITY));
        }
        let next = self.queued.pop()?;
        self.followed.push(next.bound);
        let least = self.followed.iter().copied().fold(next.bound, f64::min);
        Some((next, least))
    }
}

/// A range that a worker is following.
struct Following<'s, 'b, 'v, 'a> {
    search: &'s BestFirst<'b, 'v, 'a>,
    bound: f64,
}

impl Drop for Following<'_, '_, '_, '_> {
    fn drop(&mut self) {
        let mut ranges = self.search.ranges();
        let own = ranges.followed.iter().position(|&bound| bound.total_cmp(&self.bound).is_eq());
        own.map(|own| ranges.followed.swap_remove(own));
        ranges.broken |= std::thread::panicking();
        self.search.changed.notify_all();
    }
}

struct BestFirst<'b, 'v, 'a> {
    border: &'b Mutex<Border<'v, 'a>>,
    objective: &'b dyn Objective,
    /// Whether failing schemes dominate those below them.
    rises: bool,
    /// Never locked while the border is waited for.
    ranges: Mutex<Ranges>,
    /// Signals that there are more ranges, or that a worker followed one to its end.
    changed: Condvar,
}

impl<'b, 'v, 'a> BestFirst<'b, 'v, 'a> {
    fn border(&self) -> Turn<'b, Border<'v, 'a>> {
        Turn::at(self.border)
    }

    fn ranges(&self) -> MutexGuard<'_, Ranges> {
        self.ranges.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) -> Result<(), SearchStop> {
        let mut border = self.border();
        let high = border.high.clone();
        if !self.rises {
            border.cost(&high)?; // so that there usually is an answer, however little time there is
        }
        self.climb_first_path(&mut border)?;
        let highest = border.cost(&high)?;
        let bound = self.objective.lower_bound_above_by_groups(&scheme(&border.low))?;
        border.bound = border.bound.max(bound);
        if highest.is_none() && self.rises {
            return Ok(()); // and so is none below it
        }
        if highest.is_some() {
            self.descend(&mut border, &high)?;
            self.improve(&mut border)?;
        }
        let all = SchemeRange::between(border.low.clone(), high);
        self.wait(&border, all, f64::NEG_INFINITY);
        drop(border);
        self.follow_all()?;
        let mut border = self.border();
        if let Some(least) = border.best.loss() {
            border.bound = least;
        }
        Ok(())
    }

    /// Follows all ranges: the first alone, and if there are more, with several workers.
    fn follow_all(&self) -> Result<(), SearchStop> {
        self.work(FOLLOWED_ALONE);
        if !self.ranges().are_done() {
            std::thread::scope(|scope| {
                for _ in 1..most_workers() {
                    scope.spawn(|| self.work(usize::MAX));
                }
                self.work(usize::MAX);
            });
        }
        self.ranges().stopped.take().map_or(Ok(()), Err)
    }

    /// Follows at most so many ranges.
    fn work(&self, most: usize) {
        for _ in 0..most {
            let Some((next, least)) = self.next() else { return };
            let _following = Following { search: self, bound: next.bound };
            let mut border = self.border();
            border.bound = border.bound.max(least);
            if border.best.beats(next.bound) {
                self.ranges().queued.retain(|range| !border.best.beats(range.bound));
                continue;
            }
            if let Err(stop) = self.follow(&mut border, next) {
                self.ranges().stopped.get_or_insert(stop);
            }
        }
    }

    /// Waits for the next range; none once there will be no more.
    fn next(&self) -> Option<(QueuedRange, f64)> {
        let mut ranges = self.ranges();
        loop {
            if ranges.are_done() {
                return None;
            }
            if let Some(next) = ranges.pop() {
                return Some(next);
            }
            ranges = self.changed.wait(ranges).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Visits the first feasible scheme on the objective's path. Where bisecting finds it, that takes
    /// few visits and is done however little time there is: an answer must never be worse than that
    /// of the strategy which takes this path.
    fn climb_first_path(&self, border: &mut Turn<'b, Border<'v, 'a>>) -> Result<(), SearchStop> {
        let path: Vec<Levels> = self.objective.first_path().iter().map(levels).collect();
        border.urgent = self.rises;
        let climbed = if self.rises { bisect(border, &path) } else { walk(border, &path) };
        border.urgent = false;
        climbed
    }

    /// Finds first solutions.
    fn descend(
        &self,
        border: &mut Turn<'b, Border<'v, 'a>>,
        high: &[u8],
    ) -> Result<(), SearchStop> {
        if !self.rises {
            return Ok(());
        }
        border.rank_attributes()?;
        let order = border.order.clone();
        border.descend(high.to_vec(), &order)?;
        border.descend_in_other_orders(high)
    }

    /// Visits the neighbours of the best scheme until none is better.
    fn improve(&self, border: &mut Turn<'b, Border<'v, 'a>>) -> Result<(), SearchStop> {
        loop {
            let Some(best) = border.best.scheme().cloned() else { return Ok(()) };
            for neighbour in neighbours(border, &levels(&best)) {
                let bound = self.objective.lower_bound_above(&scheme(&neighbour));
                let beaten = border.best.beats(bound);
                let fails = self.rises && border.fails.any_above(&neighbour);
                if !beaten && !fails {
                    border.cost(&neighbour)?;
                }
            }
            if border.best.scheme() == Some(&best) {
                return Ok(());
            }
        }
    }

    /// Queues a range, unless it cannot contain one of the best schemes.
    fn wait(&self, border: &Border<'_, '_>, part: SchemeRange, bound: f64) {
        let bound = bound.max(self.objective.lower_bound_above(&scheme(&part.low)));
        if border.best.beats(bound) {
            return;
        }
        let SchemeRange { low, high, .. } = part;
        self.ranges().push(QueuedRange { bound, by_groups: false, low, high });
        self.changed.notify_one();
    }

    /// Returns the highest scheme of a range without the levels with which, by its lowest scheme, no
    /// scheme is one of the best. A failing scheme needs to reach no further to close the range.
    fn clipped(&self, border: &Border<'_, '_>, low: &[u8], mut high: Levels) -> Levels {
        let beaten =
            |levels: &[u8]| border.best.beats(self.objective.lower_bound_above(&scheme(levels)));
        for attribute in 0..low.len() {
            while high[attribute] > low[attribute] && beaten(&with(low, attribute, high[attribute]))
            {
                high[attribute] -= 1;
            }
        }
        high
    }

    fn follow(
        &self,
        border: &mut Turn<'b, Border<'v, 'a>>,
        queued: QueuedRange,
    ) -> Result<(), SearchStop> {
        border.may_stop()?;
        let Some(QueuedRange { bound, low, high, .. }) = self.still_first(border, queued)? else {
            return Ok(());
        };
        let high = self.clipped(border, &low, high);
        let part = SchemeRange::between(low, high);
        let fail = if self.rises { failing_above(border, &part)? } else { None };
        if fail.is_none() {
            border.cost(&part.low)?;
        }
        let fail = fail.unwrap_or_else(|| part.low.clone());
        for beyond in part.beyond(fail) {
            self.wait(border, beyond, bound);
        }
        Ok(())
    }

    /// Returns the range with its bound from groups, unless another range then comes first.
    fn still_first(
        &self,
        border: &mut Turn<'b, Border<'v, 'a>>,
        mut queued: QueuedRange,
    ) -> Result<Option<QueuedRange>, SearchStop> {
        if !queued.by_groups {
            let lowest = scheme(&queued.low);
            let bound = border.away(|| self.objective.lower_bound_above_by_groups(&lowest))?;
            if bound > self.objective.lower_bound_above(&lowest) {
                border.count_visit(&lowest);
            }
            queued = QueuedRange { bound: bound.max(queued.bound), by_groups: true, ..queued };
            let mut ranges = self.ranges();
            let later = ranges.queued.peek().is_some_and(|next| next.bound < queued.bound);
            if later && ranges.queued.len() < ranges.most {
                ranges.queued.push(queued);
                return Ok(None);
            }
        }
        Ok(Some(queued).filter(|queued| !border.best.beats(queued.bound)))
    }
}

fn bisect(border: &mut Turn<'_, Border<'_, '_>>, path: &[Levels]) -> Result<(), SearchStop> {
    let (mut low, mut high) = (0, path.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let feasible = border.cost(&path[middle])?.is_some();
        (low, high) = if feasible { (low, middle) } else { (middle + 1, high) };
    }
    Ok(())
}

fn walk(border: &mut Turn<'_, Border<'_, '_>>, path: &[Levels]) -> Result<(), SearchStop> {
    for levels in path {
        if border.cost(levels)?.is_some() {
            break;
        }
    }
    Ok(())
}

/// Returns the schemes with one level less in one attribute, one more in one attribute, or both.
fn neighbours(border: &Border<'_, '_>, best: &[u8]) -> Vec<Levels> {
    let Border { low, high, .. } = border;
    let lower = (0..best.len()).filter(|&a| best[a] > low[a]).map(Some).chain([None]);
    let higher = (0..best.len()).filter(|&a| best[a] < high[a]).map(Some);
    let higher: Vec<_> = std::iter::once(None).chain(higher).collect();
    let step = |down: Option<usize>, up: Option<usize>| {
        let mut levels = best.to_vec();
        if let Some(a) = down {
            levels[a] -= 1;
        }
        if let Some(a) = up {
            levels[a] += 1;
        }
        levels
    };
    lower.flat_map(|down| higher.iter().map(move |&up| step(down, up))).collect()
}

/// Returns a failing scheme that dominates the lowest of a range; none if that is feasible.
fn failing_above(
    border: &mut Turn<'_, Border<'_, '_>>,
    part: &SchemeRange,
) -> Result<Option<Levels>, SearchStop> {
    let mut part = part.clone();
    part.update(&border.fails);
    if let Some(known) = part.narrowest(&border.fails) {
        return Ok(Some(border.fails.get(known).to_vec()));
    }
    let fail = border.failing_above(&part)?;
    if let Some(fail) = &fail {
        border.fails.push(fail);
    }
    Ok(fail)
}
