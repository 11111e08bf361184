//! Finds the schemes with the least loss in a lattice that is annotated on demand, best first.
//!
//! The schemes under the maximum levels are split into ranges. No scheme of a range loses less than
//! its lowest scheme would if that suppressed nothing. The range with the smallest such bound comes
//! next; this bound is proven for all remaining schemes. Its lowest scheme is visited, and the
//! schemes above it form smaller ranges. If failing schemes dominate those below them, whole ranges
//! are skipped. A first solution comes from the path of a fast strategy, from descents and from the
//! neighbours of the best scheme.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Mutex;

use haggle_cube::Lattice;

use super::{Objective, Ranked};
use crate::Error;
use crate::best::Best;
use crate::explore::{Border, Levels, SchemeRange, SearchStop, Turn, View, height, levels, scheme};
use crate::request::{LatticeRequest, SearchState, Watch};

/// At most this many ranges are queued; beyond that, ranges are followed to their ends immediately.
const MAX_QUEUED: usize = 200_000;
/// At least this many may be queued, however little memory there is.
const MIN_QUEUED: usize = 100;
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
/// by (loss, height, suppressed, levels); if the search is stopped, the best so far.
pub fn optimize_while(
    lattice: &dyn Lattice,
    request: &LatticeRequest,
    objective: &dyn Objective,
    most: usize,
    watch: &Watch<'_>,
) -> Result<Optimum, Error> {
    let mut view = View::new(lattice, request.requirements.clone()).watched(watch);
    let part = lattice.space().under(&request.caps);
    let border = Border::of(&mut view, &part, request.limit, objective, most);
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
    let (queued, at_once) = (BinaryHeap::new(), Vec::new());
    let most = turn.room() / 4 / (QUEUED_BYTES + 2 * turn.low.len());
    let most = most.clamp(MIN_QUEUED, MAX_QUEUED);
    let rises = turn.rises();
    let mut search = BestFirst { rises, objective, border: turn, queued, most, at_once };
    let ended = search.run();
    drop(search);
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

struct BestFirst<'o, 't, 'v, 'a> {
    border: Turn<'t, Border<'v, 'a>>,
    objective: &'o dyn Objective,
    /// Whether failing schemes dominate those below them.
    rises: bool,
    queued: BinaryHeap<QueuedRange>,
    /// The maximum number of queued ranges.
    most: usize,
    /// Ranges that are followed first, because the queue is full.
    at_once: Vec<QueuedRange>,
}

impl BestFirst<'_, '_, '_, '_> {
    fn run(&mut self) -> Result<(), SearchStop> {
        self.climb_first_path()?;
        let high = self.border.high.clone();
        let highest = self.border.cost(&high)?;
        let bound = self.objective.lower_bound_above_by_groups(&scheme(&self.border.low))?;
        self.border.bound = self.border.bound.max(bound);
        if highest.is_none() && self.rises {
            return Ok(()); // and so is none below it
        }
        if highest.is_some() {
            self.descend(&high)?;
            self.improve()?;
        }
        self.wait(SchemeRange::of(self.border.low.clone(), high), f64::NEG_INFINITY);
        while let Some(next) = self.next() {
            self.follow(next)?;
        }
        if let Some(least) = self.border.best.loss() {
            self.border.bound = least;
        }
        Ok(())
    }

    /// Visits the first feasible scheme on the objective's path, however little time there is: an
    /// answer must never be worse than that of the strategy which takes this path.
    fn climb_first_path(&mut self) -> Result<(), SearchStop> {
        let path: Vec<Levels> = self.objective.first_path().iter().map(levels).collect();
        self.border.urgent = true;
        let climbed = if self.rises { self.bisect(&path) } else { self.walk(&path) };
        self.border.urgent = false;
        climbed
    }

    fn bisect(&mut self, path: &[Levels]) -> Result<(), SearchStop> {
        let (mut low, mut high) = (0, path.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let feasible = self.border.cost(&path[middle])?.is_some();
            (low, high) = if feasible { (low, middle) } else { (middle + 1, high) };
        }
        Ok(())
    }

    fn walk(&mut self, path: &[Levels]) -> Result<(), SearchStop> {
        for levels in path {
            if self.border.cost(levels)?.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Finds first solutions.
    fn descend(&mut self, high: &[u8]) -> Result<(), SearchStop> {
        if !self.rises {
            return Ok(());
        }
        self.border.rank_attributes()?;
        let order = self.border.order.clone();
        self.border.descend(high.to_vec(), &order)?;
        self.border.descend_in_other_orders(high)
    }

    /// Visits the neighbours of the best scheme until none is better.
    fn improve(&mut self) -> Result<(), SearchStop> {
        loop {
            let Some(best) = self.border.best.scheme().cloned() else { return Ok(()) };
            for neighbour in self.neighbours(&levels(&best)) {
                let beaten =
                    self.border.best.beats(self.objective.lower_bound_above(&scheme(&neighbour)));
                let fails = self.rises && self.border.fails.any_above(&neighbour);
                if !beaten && !fails {
                    self.border.cost(&neighbour)?;
                }
            }
            if self.border.best.scheme() == Some(&best) {
                return Ok(());
            }
        }
    }

    /// Returns the schemes with one level less in one attribute, one more in one attribute, or
    /// both.
    fn neighbours(&self, best: &[u8]) -> Vec<Levels> {
        let Border { low, high, .. } = &*self.border;
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

    /// Queues a range, unless it cannot contain one of the best schemes.
    fn wait(&mut self, part: SchemeRange, bound: f64) {
        let bound = bound.max(self.objective.lower_bound_above(&scheme(&part.low)));
        if self.border.best.beats(bound) {
            return;
        }
        let SchemeRange { low, high, .. } = part;
        let queued = QueuedRange { bound, by_groups: false, low, high };
        if self.queued.len() < self.most {
            self.queued.push(queued);
        } else {
            self.at_once.push(queued);
        }
    }

    /// Returns the next range; none once all that are left lose more than the best.
    fn next(&mut self) -> Option<QueuedRange> {
        if let Some(next) = self.at_once.pop() {
            return Some(next);
        }
        let next = self.queued.pop()?;
        self.border.bound = self.border.bound.max(next.bound);
        (!self.border.best.beats(next.bound)).then_some(next)
    }

    fn follow(&mut self, queued: QueuedRange) -> Result<(), SearchStop> {
        self.border.may_stop()?;
        let Some(QueuedRange { bound, low, high, .. }) = self.still_first(queued)? else {
            return Ok(());
        };
        let part = SchemeRange::of(low, high);
        let fail = if self.rises { self.failing_above(&part)? } else { None };
        if fail.is_none() {
            self.border.cost(&part.low)?;
        }
        let fail = fail.unwrap_or_else(|| part.low.clone());
        for beyond in part.beyond(fail) {
            self.wait(beyond, bound);
        }
        Ok(())
    }

    /// Returns the range with its bound from groups, unless another range then comes first.
    fn still_first(&mut self, mut queued: QueuedRange) -> Result<Option<QueuedRange>, SearchStop> {
        if !queued.by_groups {
            let lowest = scheme(&queued.low);
            let bound = self.objective.lower_bound_above_by_groups(&lowest)?;
            if bound > self.objective.lower_bound_above(&lowest) {
                self.border.count_visit(&lowest);
            }
            queued = QueuedRange { bound: bound.max(queued.bound), by_groups: true, ..queued };
            let later = self.queued.peek().is_some_and(|next| next.bound < queued.bound);
            if later && self.queued.len() < self.most {
                self.queued.push(queued);
                return Ok(None);
            }
        }
        Ok(Some(queued).filter(|queued| !self.border.best.beats(queued.bound)))
    }

    /// Returns a failing scheme that dominates the lowest of a range; none if that is feasible.
    fn failing_above(&mut self, part: &SchemeRange) -> Result<Option<Levels>, SearchStop> {
        let mut part = part.clone();
        part.update(&self.border.fails);
        if let Some(known) = part.narrowest(&self.border.fails) {
            return Ok(Some(self.border.fails.get(known).to_vec()));
        }
        let fail = self.border.failing_above(&part.low)?;
        if let Some(fail) = &fail {
            self.border.fails.push(fail);
        }
        Ok(fail)
    }
}
