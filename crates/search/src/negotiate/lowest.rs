//! The lowest feasible scheme of a lattice that is annotated on demand, by looking at few schemes.
//!
//! Of what no failing scheme speaks for, the lowest is looked at next: its height is a bound that is
//! proved, and once it is feasible, the answer. A descent from the top finds a first answer at once.
//! Where failing schemes do not speak for others, the schemes are looked at height by height.

use std::sync::Mutex;

use haggle_model::{Scheme, Sublattice};

use super::Solution;
use super::border::{Border, Levels, Stop, height};
use super::part::Part;
use super::parts::Parts;
use super::turn::{Done, Turn, in_turns};
use super::view::View;
use crate::Error;
use crate::optimize::{Goal, best_first};

/// More attributes than this are bounded part by part first.
const AT_ONCE: usize = 8;

/// So many look at schemes at most: more would wait for one another.
const MOST_WORKERS: usize = 4;

/// The height shall be least.
struct Height;

impl Goal for Height {
    fn of(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.floor(scheme))
    }

    fn floor(&self, scheme: &Scheme) -> f64 {
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
    let border = Border::of(view, part, limit, &Height, 1);
    Turn::at(&border).recall()?;
    let best = if rises {
        let attributes = part.low().levels().len();
        let workers =
            if attributes > AT_ONCE { rayon::current_num_threads().min(MOST_WORKERS) } else { 1 };
        let mut search = Lowest { bound: part.low().height(), border, workers };
        let ended = search.run();
        Border::close(search.border, ended)?
    } else {
        best_first(border, &Height)?
    };
    let mut best = best
        .into_schemes()
        .into_iter()
        .map(|(_, suppressed, scheme)| view.known(&scheme, suppressed));
    best.next().unwrap_or(Ok(None))
}

/// The search for the lowest feasible scheme.
struct Lowest<'v, 'a> {
    border: Mutex<Border<'v, 'a>>,
    /// No feasible scheme is lower.
    bound: u32,
    /// So many look at schemes.
    workers: usize,
}

impl<'v, 'a> Lowest<'v, 'a> {
    fn border(&self) -> Turn<'_, Border<'v, 'a>> {
        Turn::at(&self.border)
    }

    fn run(&mut self) -> Result<(), Stop> {
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
            border.descend_otherwise(&high)?;
            border.guess_lower()?;
            drop(border);
            self.bound_by_parts(&order)?;
        } else {
            drop(border);
        }
        self.raise_bound()?;
        self.settle()
    }

    /// No feasible scheme is lower than this.
    fn prove(&mut self, bound: u32) {
        self.bound = self.bound.max(bound);
        let bound = self.bound.into();
        self.border().bound = bound;
    }

    /// Whether no scheme can be lower than the best.
    fn is_closed(&self) -> bool {
        self.border().best.beats(f64::from(self.bound) + 0.5)
    }

    /// Raises the bound by what few attributes must rise, whatever the others do.
    fn bound_by_parts(&mut self, order: &[usize]) -> Result<(), Stop> {
        let mut parts = Parts::of(order);
        let Part { low: lowest, high, .. } = self.all();
        while let Some(set) = parts.next() {
            let mut low = high.clone();
            for &attribute in parts.attributes(set) {
                low[attribute] = lowest[attribute];
            }
            let most = height(&low) + parts.rise(set);
            if self.explore(Part::of(low, high.clone()), most, true)? {
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

    /// Height by height, until one has a feasible scheme.
    fn raise_bound(&mut self) -> Result<(), Stop> {
        while !self.is_closed() && !self.explore(self.all(), self.bound, true)? {
            self.prove(self.bound + 1);
        }
        Ok(())
    }

    /// Of the lowest feasible height, the scheme that suppresses least, the first by levels: what
    /// passes must be looked at now, and is mostly little.
    fn settle(&mut self) -> Result<(), Stop> {
        self.explore(self.all(), self.bound, false)?;
        Ok(())
    }

    fn all(&self) -> Part {
        let border = self.border();
        Part::of(border.low.clone(), border.high.clone())
    }

    /// Looks at every scheme up to a height that no failing one speaks for, each once; with `any`,
    /// until one is feasible. What fails is raised and speaks for others from then on.
    fn explore(&self, part: Part, most: u32, any: bool) -> Result<bool, Stop> {
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

/// Nothing else needs to be looked at.
enum Enough {
    /// One is feasible, and any will do.
    Feasible,
    Stopped(Stop),
}

impl From<Stop> for Enough {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Turn<'_, Border<'_, '_>> {
    /// What is left of a part is beyond a failing scheme; nothing may be left.
    fn explore(
        &mut self,
        mut part: Part,
        most: u32,
        any: bool,
    ) -> Result<Option<(Part, Levels)>, Enough> {
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
            match self.failing_above(&part.low)? {
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
