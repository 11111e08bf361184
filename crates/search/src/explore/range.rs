//! The schemes between two, and which failing schemes dominate some of them.

use super::levels::Levels;
use super::packed::{Packed, Schemes};

/// Attributes as bits; beyond 128 some share one, which only weakens bounds.
type Mask = u128;

/// The schemes between two, and the failing schemes that are above or equal to the lowest.
#[derive(Clone)]
pub(crate) struct SchemeRange {
    pub(crate) low: Levels,
    pub(crate) high: Levels,
    /// Positions among the failing schemes; those before `seen` were checked.
    above: Vec<usize>,
    seen: usize,
}

impl SchemeRange {
    pub(crate) fn between(low: Levels, high: Levels) -> Self {
        Self { low, high, above: Vec::new(), seen: 0 }
    }

    pub(crate) fn update(&mut self, fails: &Schemes) {
        let low = Packed::of(&self.low);
        self.above.retain(|&fail| fails.is_above(fail, &low));
        self.above.extend((self.seen..fails.len()).filter(|&fail| fails.is_above(fail, &low)));
        self.seen = fails.len();
    }

    /// Returns the attributes in which a scheme of the range can exceed a failing one.
    fn ways_out(&self, fail: &[u8]) -> Vec<usize> {
        (0..fail.len()).filter(|&a| self.high[a] > fail[a]).collect()
    }

    /// Returns the schemes that exceed a failing scheme, in disjoint ranges.
    pub(crate) fn beyond(mut self, fail: Levels) -> impl Iterator<Item = Self> {
        self.ways_out(&fail).into_iter().map(move |attribute| {
            let mut beyond = self.clone();
            beyond.low[attribute] = fail[attribute] + 1;
            self.high[attribute] = fail[attribute];
            beyond
        })
    }

    /// Returns the failing scheme with the fewest attributes in which it can be exceeded.
    pub(crate) fn narrowest(&self, fails: &Schemes) -> Option<usize> {
        let ways = |fail: &usize| {
            let fail = fails.get(*fail);
            (0..fail.len()).filter(|&a| self.high[a] > fail[a]).count()
        };
        self.above.iter().copied().min_by_key(ways)
    }

    /// Returns a lower bound of how many levels a scheme must rise to exceed all failing ones:
    /// bounds of failing schemes without a common attribute to exceed add up.
    pub(crate) fn at_least(&self, fails: &Schemes) -> u32 {
        let (mut used, mut sum): (Mask, u32) = (0, 0);
        for &fail in &self.above {
            let fail = fails.get(fail);
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
