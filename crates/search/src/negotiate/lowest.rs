//! Finds the lowest feasible scheme of a lattice that is annotated on demand, with few visits.
//!
//! Visit the lowest scheme that no known failing scheme dominates: its height is a proven bound,
//! and once it is feasible, it is the answer. A descent from the top finds a first solution
//! immediately. If failing schemes do not dominate others, the schemes are visited height by
//! height.

use std::sync::Mutex;

use haggle_model::{Scheme, Sublattice};

use crate::Error;
use crate::explore::{
    AttributeSets, Border, Done, Levels, SchemeRange, SearchStop, Turn, View, height, in_turns,
    most_workers,
};
use crate::objective::Objective;
use crate::optimize::best_first;
use crate::request::Solution;

/// More attributes than this are bounded in parts first.
const AT_ONCE: usize = 8;

/// Minimizes the height.
struct LeastHeight;

impl Objective for LeastHeight {
    fn loss(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.lower_bound_above(scheme))
    }

    fn lower_bound_above(&self, scheme: &Scheme) -> f64 {
        scheme.height().into()
    }
}

/// The first scheme by (height, suppressed, levels) that suppresses at most `limit` records; if the
/// search is stopped, the best so far.
pub(super) fn lowest(
    view: &mut View<'_>,
    part: &Sublattice,
    limit: u64,
) -> Result<Option<Solution>, Error> {
    let rises = view.rises(limit);
    let border = Border::new(view, part, limit, &LeastHeight, 1);
    Turn::at(&border).recall()?;
    let best = if rises {
        let attributes = part.low().levels().len();
        let workers = if attributes > AT_ONCE { most_workers() } else { 1 };
        let mut search = Lowest { bound: part.low().height(), border, workers };
        let ended = search.run();
        Border::close(search.border, ended)?
    } else {
        best_first(border, &LeastHeight)?
    };
    let mut best = best
        .into_schemes()
        .into_iter()
        .map(|(_, suppressed, scheme)| view.visited_solution(&scheme, suppressed));
    best.next().unwrap_or(Ok(None))
}

/// The search for the lowest feasible scheme.
struct Lowest<'v, 'a> {
    border: Mutex<Border<'v, 'a>>,
    /// No feasible scheme is lower.
    bound: u32,
    /// How many workers visit schemes.
    workers: usize,
}

impl<'v, 'a> Lowest<'v, 'a> {
    fn border(&self) -> Turn<'_, Border<'v, 'a>> {
        Turn::at(&self.border)
    }

    fn run(&mut self) -> Result<(), SearchStop> {
        let mut border = self.border();
        let high = border.high.clone();
        if border.fails.any_above(&high) || border.cost(&high)?.is_none() {
            border.fails.push(&high);
            return Ok(());
        }
        border.rank_attributes()?;
        let order = border.order.clone();
        border.descend(high.clone(), &order)?;
        if order.len() > AT_ONCE {
            border.descend_in_other_orders(&high)?;
            border.guess_lower()?;
            drop(border);
            self.bound_by_attribute_sets(&order)?;
        } else {
            drop(border);
        }
        self.raise_bound()?;
        self.settle()
    }

    /// Records the proven bound that no feasible scheme is lower than this.
    fn prove(&mut self, bound: u32) {
        self.bound = self.bound.max(bound);
        let bound = self.bound.into();
        self.border().bound = bound;
    }

    /// Returns whether no scheme can be lower than the best.
    fn is_closed(&self) -> bool {
        self.border().best.beats(f64::from(self.bound) + 0.5)
    }

    /// Raises the bound from the levels that few attributes must rise, whatever the others do.
    fn bound_by_attribute_sets(&mut self, order: &[usize]) -> Result<(), SearchStop> {
        let mut parts = AttributeSets::of(order);
        let SchemeRange { low: lowest, high, .. } = self.all();
        while let Some(set) = parts.next() {
            let mut low = high.clone();
            for &attribute in parts.attributes(set) {
                low[attribute] = lowest[attribute];
            }
            let most = height(&low) + parts.rise(set);
            if self.explore(SchemeRange::between(low, high.clone()), most, true)? {
                parts.settle(set);
            } else {
                parts.raise(set);
            }
            self.prove(height(&lowest) + parts.all());
            if self.is_closed() {
                break;
            }
        }
        Ok(())
    }

    /// Raises the bound height by height, until one has a feasible scheme.
    fn raise_bound(&mut self) -> Result<(), SearchStop> {
        while !self.is_closed() && !self.explore(self.all(), self.bound, true)? {
            self.prove(self.bound + 1);
        }
        Ok(())
    }

    /// Finds the scheme of the lowest feasible height that suppresses least, the first by levels:
    /// schemes that pass must be visited now, and are usually few.
    fn settle(&mut self) -> Result<(), SearchStop> {
        self.explore(self.all(), self.bound, false)?;
        Ok(())
    }

    fn all(&self) -> SchemeRange {
        let border = self.border();
        SchemeRange::between(border.low.clone(), border.high.clone())
    }

    /// Visits every scheme up to a height that no failing one dominates, each once; with `any`,
    /// until one is feasible. Failing schemes are raised and dominate others from then on.
    fn explore(&self, part: SchemeRange, most: u32, any: bool) -> Result<bool, SearchStop> {
        let enough =
            in_turns(part, self.workers, |part| match self.border().explore(part, most, any) {
                Ok(Some((part, fail))) => Done::More(Box::new(part.beyond(fail))),
                Ok(None) => Done::More(Box::new(std::iter::empty())),
                Err(enough) => Done::Enough(enough),
            });
        match enough {
            None => Ok(false),
            Some(Enough::Feasible) => Ok(true),
            Some(Enough::Stopped(stop)) => Err(stop),
        }
    }
}

/// Why nothing else needs to be visited.
enum Enough {
    /// A scheme is feasible, and any is sufficient.
    Feasible,
    Stopped(SearchStop),
}

impl From<SearchStop> for Enough {
    fn from(stop: SearchStop) -> Self {
        Self::Stopped(stop)
    }
}

impl Turn<'_, Border<'_, '_>> {
    /// Returns the remaining schemes of a range, which exceed a failing scheme; none may be left.
    fn explore(
        &mut self,
        mut part: SchemeRange,
        most: u32,
        any: bool,
    ) -> Result<Option<(SchemeRange, Levels)>, Enough> {
        loop {
            self.may_stop()?;
            part.update(&self.fails);
            if height(&part.low) + part.at_least(&self.fails) > most {
                return Ok(None);
            }
            if let Some(fail) = part.narrowest(&self.fails) {
                let fail = self.fails.get(fail).to_vec();
                return Ok(Some((part, fail)));
            }
            match self.failing_above(&part)? {
                Some(raised) => self.fails.push(&raised),
                None if any => return Err(Enough::Feasible),
                None => {
                    self.cost(&part.low)?;
                    return Ok(None); // only higher schemes are left in this part
                }
            }
        }
    }
}
