//! The lowest feasible scheme of a lattice that is annotated on demand, by looking at few schemes.
//!
//! Where a scheme above a feasible one is feasible, one failing scheme speaks for all below it. Each
//! that is found is raised as far as it still fails, so that it speaks for as many as possible. Of what
//! no failing scheme speaks for, the lowest is looked at next: its height is a bound that is proved,
//! and once it is feasible, the answer. A descent from the top finds a first answer at once.

use haggle_model::{Scheme, Sublattice};

use super::view::View;
use super::{Closing, Solution};
use crate::Error;

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

/// What is known of the border between failing and feasible schemes of a part.
struct Border<'v, 'a> {
    view: &'v mut View<'a>,
    low: Levels,
    high: Levels,
    /// The most that may be suppressed; falls while the best of the lowest height is sought.
    limit: u64,
    /// Failing schemes, each as high as it could be raised.
    fails: Vec<Levels>,
    /// Feasible schemes at the first limit.
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
    let (fails, passes) = (Vec::new(), Vec::new());
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

impl Border<'_, '_> {
    fn search(&mut self) -> Result<(), Stop> {
        let high = self.high.clone();
        if self.cost(&high)?.is_none() {
            return Ok(());
        }
        self.rank_attributes()?;
        let first = self.descend(high)?;
        self.passes.push(first);
        self.raise_bound()?;
        self.settle()
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
        let scheme = Scheme::new(levels.iter().copied());
        let cost = self.view.suppressed(&scheme, self.limit)?;
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

    /// Orders the attributes by what each alone costs as detailed as it may be.
    fn rank_attributes(&mut self) -> Result<(), Stop> {
        let mut costs = Vec::new();
        for attribute in 0..self.low.len() {
            let mut levels = self.high.clone();
            levels[attribute] = self.low[attribute];
            let scheme = Scheme::new(levels.iter().copied());
            costs.push(self.view.suppressed(&scheme, u64::MAX)?.unwrap_or(u64::MAX));
        }
        self.order.sort_by_key(|&attribute| (costs[attribute], attribute));
        Ok(())
    }

    /// A feasible scheme with no feasible one below it.
    fn descend(&mut self, mut levels: Levels) -> Result<Levels, Stop> {
        for attribute in self.order.clone() {
            let (mut low, mut high) = (self.low[attribute], levels[attribute]);
            while low < high {
                let middle = u8::midpoint(low, high);
                let lower = with(&levels, attribute, middle);
                if self.fails(&lower)? { low = middle + 1 } else { high = middle }
            }
            levels[attribute] = high;
        }
        Ok(levels)
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
        let whole = Part::of(self.low.clone(), self.high.clone());
        self.explore(whole, height, &mut |border, levels| {
            Ok(if border.fails(levels)? { Look::Failed } else { Look::Enough })
        })
    }

    /// Of the lowest feasible height, the scheme that suppresses least, the first by levels.
    fn settle(&mut self) -> Result<(), Stop> {
        self.passes.clear(); // what passes must be looked at now: how much does it suppress?
        let whole = Part::of(self.low.clone(), self.high.clone());
        if let Some((cost, _)) = &self.best {
            self.limit = *cost;
        }
        self.explore(whole, self.bound, &mut |border, levels| match border.cost(levels)? {
            Some(cost) => {
                border.limit = border.limit.min(cost);
                Ok(Look::Passed)
            }
            None => Ok(Look::Failed),
        })?;
        Ok(())
    }

    /// Shows every scheme up to a height that no failing one speaks for, each once, until enough is
    /// seen. What failed is raised and speaks for others from then on.
    fn explore(
        &mut self,
        mut part: Part,
        height_limit: u32,
        look: &mut impl FnMut(&mut Self, &[u8]) -> Result<Look, Stop>,
    ) -> Result<bool, Stop> {
        loop {
            self.may_stop()?;
            part.update(&self.fails);
            if height(&part.low) + part.at_least(&self.fails) > height_limit {
                return Ok(false);
            }
            let Some(fail) = part.narrowest(&self.fails) else {
                match look(self, &part.low.clone())? {
                    Look::Enough => return Ok(true),
                    // Only higher schemes are left in this part.
                    Look::Passed => return Ok(false),
                    Look::Failed => {
                        let raised = self.raise(part.low.clone())?;
                        self.fails.push(raised);
                        continue;
                    }
                }
            };
            let fail = self.fails[fail].clone();
            let mut rest = part.clone();
            for attribute in part.ways_out(&fail) {
                let mut beyond = rest.clone();
                beyond.low[attribute] = fail[attribute] + 1;
                if self.explore(beyond, height_limit, look)? {
                    return Ok(true);
                }
                rest.high[attribute] = fail[attribute];
            }
            return Ok(false);
        }
    }

    /// A failing scheme as high as it still fails, the attributes that matter least first.
    fn raise(&mut self, mut levels: Levels) -> Result<Levels, Stop> {
        let order = self.order.clone();
        self.raise_some(&mut levels, &order)?;
        Ok(levels)
    }

    /// All of these attributes at once if that still fails, else half of them after the other half.
    fn raise_some(&mut self, levels: &mut Levels, attributes: &[usize]) -> Result<(), Stop> {
        let below = |a: &usize| levels[*a] < self.high[*a];
        let attributes: Vec<usize> = attributes.iter().copied().filter(below).collect();
        let mut raised = levels.clone();
        for &attribute in &attributes {
            raised[attribute] = self.high[attribute];
        }
        if attributes.is_empty() || self.fails(&raised)? {
            *levels = raised;
            return Ok(());
        }
        if let [attribute] = attributes[..] {
            let (mut fails, mut passes) = (levels[attribute], self.high[attribute]);
            while fails + 1 < passes {
                let middle = u8::midpoint(fails, passes);
                if self.fails(&with(levels, attribute, middle))? {
                    fails = middle;
                } else {
                    passes = middle;
                }
            }
            levels[attribute] = fails;
            return Ok(());
        }
        let (one, other) = attributes.split_at(attributes.len() / 2);
        self.raise_some(levels, one)?;
        self.raise_some(levels, other)
    }
}

fn with(levels: &[u8], attribute: usize, level: u8) -> Levels {
    let mut levels = levels.to_vec();
    levels[attribute] = level;
    levels
}

/// What was seen of a scheme.
enum Look {
    Failed,
    Passed,
    Enough,
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
