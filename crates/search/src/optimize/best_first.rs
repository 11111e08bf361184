//! The schemes that lose least where they are annotated on demand: what can still lose least is looked
//! at first.
//!
//! The schemes under the maximum levels are taken in parts. No scheme of a part loses less than its
//! lowest would if that suppressed nothing, so the part of which that is least comes next, and nothing
//! that it tells is missed: that number is a bound which is proved. Its lowest scheme is looked at, and
//! what is above it are smaller parts. Where failing schemes speak for those below them, whole parts
//! are passed over. A first answer comes from a path that a fast strategy would take, from descents and
//! from the neighbours of the best.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Mutex;

use haggle_cube::Lattice;

use super::{Goal, Ranked};
use crate::Error;
use crate::best::Best;
use crate::negotiate::border::{Border, Levels, Stop, height, levels, scheme};
use crate::negotiate::part::Part;
use crate::negotiate::turn::Turn;
use crate::negotiate::{Closing, Request, View, Watch};

/// So many parts wait for their turn at most; beyond that, parts are followed to their ends at once.
const MOST_WAITING: usize = 200_000;
/// So many may wait however little room there is.
const FEWEST_WAITING: usize = 100;
/// The bytes of a part that waits, beside its levels.
const WAITING: usize = 112;

/// What was found, and how far the search came.
#[derive(Debug, Clone, PartialEq)]
pub struct Optimum {
    /// The schemes that lose least, the best first; none if no scheme meets the request.
    pub ranked: Vec<Ranked>,
    /// How many schemes were annotated.
    pub visited: u64,
    /// How far the search came.
    pub closing: Closing,
}

/// The schemes within the request that lose least, at most so many, by looking at few: by (loss,
/// height, suppressed, levels); if the search is stopped, the best so far.
pub fn optimize_while(
    lattice: &dyn Lattice,
    request: &Request,
    goal: &dyn Goal,
    most: usize,
    watch: &Watch<'_>,
) -> Result<Optimum, Error> {
    let mut view = View::new(lattice, request.requirements.clone()).watched(watch);
    let part = lattice.space().under(&request.caps);
    let border = Border::of(&mut view, &part, request.limit, goal, most);
    Turn::at(&border).recall()?;
    let best = best_first(border, goal)?;
    let mut ranked = Vec::new();
    for (loss, suppressed, scheme) in best.into_schemes() {
        let solution = view.known(&scheme, suppressed)?;
        ranked.extend(solution.map(|solution| Ranked { loss, solution }));
    }
    Ok(Optimum { ranked, visited: view.visited(), closing: view.closing() })
}

/// The best schemes of a border's part.
pub(crate) fn best_first(border: Mutex<Border<'_, '_>>, goal: &dyn Goal) -> Result<Best, Error> {
    let turn = Turn::at(&border);
    let (waiting, at_once) = (BinaryHeap::new(), Vec::new());
    let most = turn.room() / 4 / (WAITING + 2 * turn.low.len());
    let most = most.clamp(FEWEST_WAITING, MOST_WAITING);
    let rises = turn.rises();
    let mut search = BestFirst { rises, goal, border: turn, waiting, most, at_once };
    let ended = search.run();
    drop(search);
    Border::close(border, ended)
}

/// Schemes between two that wait for their turn.
#[derive(Debug)]
struct Waiting {
    /// None of them loses less.
    floor: f64,
    /// Whether that was told by the groups of the lowest.
    by_groups: bool,
    low: Levels,
    high: Levels,
}

impl Ord for Waiting {
    /// The least floor first; of equal ones the highest, which is nearest to an answer.
    fn cmp(&self, other: &Self) -> Ordering {
        let floor = other.floor.total_cmp(&self.floor);
        floor.then_with(|| height(&self.low).cmp(&height(&other.low)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

struct BestFirst<'g, 't, 'v, 'a> {
    border: Turn<'t, Border<'v, 'a>>,
    goal: &'g dyn Goal,
    /// Whether failing schemes speak for those below them.
    rises: bool,
    waiting: BinaryHeap<Waiting>,
    /// So many wait at most.
    most: usize,
    /// What is followed before anything else, because too many wait.
    at_once: Vec<Waiting>,
}

impl BestFirst<'_, '_, '_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        self.climb_first_path()?;
        let high = self.border.high.clone();
        let highest = self.border.cost(&high)?;
        let bound = self.goal.floor_by_groups(&scheme(&self.border.low))?;
        self.border.bound = self.border.bound.max(bound);
        if highest.is_none() && self.rises {
            return Ok(()); // and so is none below it
        }
        if highest.is_some() {
            self.descend(&high)?;
            self.improve()?;
        }
        self.wait(Part::of(self.border.low.clone(), high), f64::NEG_INFINITY);
        while let Some(next) = self.next() {
            self.follow(next)?;
        }
        if let Some(least) = self.border.best.loss() {
            self.border.bound = least;
        }
        Ok(())
    }

    /// Looks at the first feasible scheme on the goal's path, however little time there is: an answer
    /// shall never be worse than that of the strategy which takes this path.
    fn climb_first_path(&mut self) -> Result<(), Stop> {
        let path: Vec<Levels> = self.goal.first_path().iter().map(levels).collect();
        self.border.urgent = true;
        let climbed = if self.rises { self.bisect(&path) } else { self.walk(&path) };
        self.border.urgent = false;
        climbed
    }

    fn bisect(&mut self, path: &[Levels]) -> Result<(), Stop> {
        let (mut low, mut high) = (0, path.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let feasible = self.border.cost(&path[middle])?.is_some();
            (low, high) = if feasible { (low, middle) } else { (middle + 1, high) };
        }
        Ok(())
    }

    fn walk(&mut self, path: &[Levels]) -> Result<(), Stop> {
        for levels in path {
            if self.border.cost(levels)?.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// First answers.
    fn descend(&mut self, high: &[u8]) -> Result<(), Stop> {
        if !self.rises {
            return Ok(());
        }
        self.border.rank_attributes()?;
        let order = self.border.order.clone();
        self.border.descend(high.to_vec(), &order)?;
        self.border.descend_otherwise(high)
    }

    /// The neighbours of the best, again and again until none is better.
    fn improve(&mut self) -> Result<(), Stop> {
        loop {
            let Some(best) = self.border.best.scheme().cloned() else { return Ok(()) };
            for neighbour in self.neighbours(&levels(&best)) {
                let beaten = self.border.best.beats(self.goal.floor(&scheme(&neighbour)));
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

    /// One level less somewhere, one more somewhere, or both.
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

    /// Has a part wait for its turn, unless it cannot have one of the best.
    fn wait(&mut self, part: Part, floor: f64) {
        let floor = floor.max(self.goal.floor(&scheme(&part.low)));
        if self.border.best.beats(floor) {
            return;
        }
        let Part { low, high, .. } = part;
        let waiting = Waiting { floor, by_groups: false, low, high };
        if self.waiting.len() < self.most {
            self.waiting.push(waiting);
        } else {
            self.at_once.push(waiting);
        }
    }

    /// The part whose turn it is; none once all that are left lose more than the best.
    fn next(&mut self) -> Option<Waiting> {
        if let Some(next) = self.at_once.pop() {
            return Some(next);
        }
        let next = self.waiting.pop()?;
        self.border.bound = self.border.bound.max(next.floor);
        (!self.border.best.beats(next.floor)).then_some(next)
    }

    fn follow(&mut self, waiting: Waiting) -> Result<(), Stop> {
        self.border.may_stop()?;
        let Some(Waiting { floor, low, high, .. }) = self.still_first(waiting)? else {
            return Ok(());
        };
        let part = Part::of(low, high);
        let fail = if self.rises { self.failing_above(&part)? } else { None };
        if fail.is_none() {
            self.border.cost(&part.low)?;
        }
        let fail = fail.unwrap_or_else(|| part.low.clone());
        for beyond in part.beyond(fail) {
            self.wait(beyond, floor);
        }
        Ok(())
    }

    /// The same with what its groups tell of its floor, unless another part comes first then.
    fn still_first(&mut self, mut waiting: Waiting) -> Result<Option<Waiting>, Stop> {
        if !waiting.by_groups {
            let lowest = scheme(&waiting.low);
            let floor = self.goal.floor_by_groups(&lowest)?;
            if floor > self.goal.floor(&lowest) {
                self.border.looked_at(&lowest);
            }
            waiting = Waiting { floor: floor.max(waiting.floor), by_groups: true, ..waiting };
            let later = self.waiting.peek().is_some_and(|next| next.floor < waiting.floor);
            if later && self.waiting.len() < self.most {
                self.waiting.push(waiting);
                return Ok(None);
            }
        }
        Ok(Some(waiting).filter(|waiting| !self.border.best.beats(waiting.floor)))
    }

    /// A failing scheme that speaks for the lowest of a part; none if that is feasible.
    fn failing_above(&mut self, part: &Part) -> Result<Option<Levels>, Stop> {
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
