//! What searches of one lattice on demand found, whatever part, limit and privacy they had.

use std::cmp::Reverse;
use std::collections::HashMap;

use haggle_model::{Scheme, Space};

use super::border::{Levels, height, levels};
use super::guess::Guess;
use super::packed::Schemes;

/// The bytes of a look beside its levels, with what the table and the allocator add.
const LOOK: usize = 96;
/// So many looks are remembered in any case.
const FEWEST: usize = 1000;

/// More than any scheme suppresses that keeps a record.
pub(super) const NOTHING_LEFT: u32 = u32::MAX;

/// The schemes that were looked at.
#[derive(Debug)]
pub(crate) struct Known {
    /// What each suppresses; not known if it was looked at for another privacy.
    looks: HashMap<Box<[u8]>, Option<u32>>,
    /// Of how many that is known.
    costs: usize,
    guess: Option<Guess>,
    /// So many are remembered; then all are forgotten, but for the guess.
    most: usize,
}

impl Known {
    /// Nothing yet; half of so many bytes may be taken by schemes of so many attributes.
    pub(super) fn within(room: usize, attributes: usize) -> Self {
        let most = (room / 2 / (LOOK + attributes)).max(FEWEST);
        Self { looks: HashMap::new(), costs: 0, guess: None, most }
    }

    /// Whether a scheme is looked at for the first time.
    pub(super) fn is_new(&mut self, scheme: &Scheme) -> bool {
        let levels = levels(scheme).into_boxed_slice();
        let is_new = !self.looks.contains_key(&levels);
        if is_new {
            self.insert(levels, None);
        }
        is_new
    }

    fn insert(&mut self, levels: Box<[u8]>, cost: Option<u32>) {
        if self.looks.len() >= self.most {
            (self.looks, self.costs) = (HashMap::new(), 0);
        }
        self.costs += usize::from(cost.is_some());
        self.looks.insert(levels, cost);
    }

    /// What a scheme is known to suppress.
    pub(super) fn cost(&self, levels: &[u8]) -> Option<u32> {
        self.looks.get(levels).copied().flatten()
    }

    /// Whether nothing is known for this privacy.
    pub(super) fn is_empty(&self) -> bool {
        self.costs == 0
    }

    /// What was looked at for another privacy only, in the order of levels.
    pub(super) fn unknown(&self) -> Vec<Levels> {
        if self.costs == self.looks.len() {
            return Vec::new();
        }
        let unknown = self.looks.iter().filter(|(_, cost)| cost.is_none());
        let mut unknown: Vec<Levels> = unknown.map(|(levels, _)| levels.to_vec()).collect();
        unknown.sort_unstable();
        unknown
    }

    /// What is known for another privacy: only which schemes were looked at.
    pub(super) fn for_another(&self) -> Self {
        let looks = self.looks.keys().map(|levels| (levels.clone(), None)).collect();
        Self { looks, costs: 0, guess: None, most: self.most }
    }

    /// What was seen for another privacy counts as seen.
    pub(super) fn see(&mut self, other: Self) {
        for levels in other.looks.into_keys() {
            if !self.looks.contains_key(&levels) {
                self.insert(levels, None);
            }
        }
    }

    pub(super) fn learn(&mut self, levels: &[u8], cost: u32, space: &Space) {
        if self.cost(levels).is_none() {
            let tops = || super::border::levels(space.top());
            self.guess.get_or_insert_with(|| Guess::over(&tops())).learn(levels, cost.into());
            self.insert(levels.into(), Some(cost));
        }
    }

    /// The guess at what schemes suppress, once anything is known.
    pub(super) fn guess(&self) -> Option<&Guess> {
        self.guess.as_ref()
    }

    /// The schemes of which this holds, in the order of levels.
    fn where_cost(&self, is_so: impl Fn(u32) -> bool) -> Vec<&[u8]> {
        let known = self.looks.iter().filter(|(_, cost)| cost.is_some_and(&is_so));
        let mut levels: Vec<&[u8]> = known.map(|(levels, _)| &**levels).collect();
        levels.sort_unstable();
        levels
    }

    /// The schemes that suppress more than the limit, but none below another.
    pub(super) fn failing(&self, limit: u32) -> Schemes {
        let mut failing = self.where_cost(|cost| cost > limit);
        failing.sort_by_key(|levels| Reverse(height(levels)));
        let mut highest = Schemes::default();
        for levels in failing {
            if !highest.any_above(levels) {
                highest.push(levels);
            }
        }
        highest
    }

    /// Those that do not, but none above another.
    pub(super) fn passing(&self, limit: u32) -> Schemes {
        let mut passing = self.where_cost(|cost| cost <= limit);
        passing.sort_by_key(|levels| height(levels));
        let mut lowest = Schemes::default();
        for levels in passing {
            if !lowest.any_below(levels) {
                lowest.push(levels);
            }
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_outgrows_the_room_is_forgotten_and_counts_as_new_again() {
        let space = Space::new(Scheme::new([40, 40]));
        let mut known = Known::within(0, 2);
        let all = (0..40_u8).flat_map(|a| (0..40_u8).map(move |b| [a, b]));
        for (i, levels) in all.enumerate() {
            assert!(known.is_new(&Scheme::new(levels)), "{levels:?}");
            known.learn(&levels, i as u32, &space);
            assert_eq!(known.cost(&levels), Some(i as u32));
            assert!(!known.is_new(&Scheme::new(levels)));
            assert!(known.looks.len() <= FEWEST && known.costs <= known.looks.len());
        }
        assert_eq!(known.cost(&[0, 0]), None);
        assert!(known.is_new(&Scheme::new([0, 0])));
    }

    #[test]
    fn another_privacy_knows_what_was_seen_and_nothing_else() {
        let space = Space::new(Scheme::new([3, 3]));
        let mut known = Known::within(usize::MAX, 2);
        known.learn(&[1, 2], 7, &space);
        let mut other = known.for_another();
        assert!(other.is_empty() && !other.is_new(&Scheme::new([1, 2])));
        assert_eq!(other.unknown(), [[1, 2]]);
        other.learn(&[3, 3], 1, &space);
        known.see(other);
        assert!(!known.is_new(&Scheme::new([3, 3])));
        assert_eq!((known.cost(&[1, 2]), known.cost(&[3, 3])), (Some(7), None));
        assert_eq!((known.failing(6).len(), known.passing(6).len()), (1, 0));
    }
}
