//! The schemes that searches of one lattice on demand visited, for any part, limit and privacy.

use std::cmp::Reverse;
use std::collections::HashMap;

use haggle_model::{Scheme, Space};

use super::guess::SuppressionGuess;
use super::levels::{Levels, height, levels};
use super::packed::Schemes;

/// The bytes of a visit in addition to its levels, including the table and the allocator.
const VISIT: usize = 96;
/// At least this many visits are remembered.
const FEWEST: usize = 1000;

/// The cost of a scheme that keeps no record.
pub(crate) const NOTHING_LEFT: u64 = u64::MAX;

/// The visited schemes.
#[derive(Debug)]
pub(crate) struct VisitedSchemes {
    /// What each scheme suppresses; unknown if it was visited for other requirements.
    visits: HashMap<Box<[u8]>, Option<u64>>,
    /// How many of them are known.
    costs: usize,
    guess: Option<SuppressionGuess>,
    /// At most this many are remembered; then all are forgotten except the guess.
    most: usize,
}

impl VisitedSchemes {
    /// Builds an empty set; schemes of this many attributes may take half of these bytes.
    pub(crate) fn within(room: usize, attributes: usize) -> Self {
        let most = (room / 2 / (VISIT + attributes)).max(FEWEST);
        Self { visits: HashMap::new(), costs: 0, guess: None, most }
    }

    /// Returns whether a scheme is visited for the first time.
    pub(crate) fn is_new(&mut self, scheme: &Scheme) -> bool {
        let levels = levels(scheme).into_boxed_slice();
        let is_new = !self.visits.contains_key(&levels);
        if is_new {
            self.insert(levels, None);
        }
        is_new
    }

    fn insert(&mut self, levels: Box<[u8]>, cost: Option<u64>) {
        if self.visits.len() >= self.most {
            (self.visits, self.costs) = (HashMap::new(), 0);
        }
        self.costs += usize::from(cost.is_some());
        self.visits.insert(levels, cost);
    }

    /// Returns what a scheme suppresses, if it is known.
    pub(crate) fn cost(&self, levels: &[u8]) -> Option<u64> {
        self.visits.get(levels).copied().flatten()
    }

    /// Returns whether nothing is known for these requirements.
    pub(crate) fn is_empty(&self) -> bool {
        self.costs == 0
    }

    /// Returns the schemes that were visited only for other requirements, in the order of levels.
    pub(crate) fn unknown(&self) -> Vec<Levels> {
        if self.costs == self.visits.len() {
            return Vec::new();
        }
        let unknown = self.visits.iter().filter(|(_, cost)| cost.is_none());
        let mut unknown: Vec<Levels> = unknown.map(|(levels, _)| levels.to_vec()).collect();
        unknown.sort_unstable();
        unknown
    }

    /// Returns the visits for other requirements: the same schemes, with unknown costs.
    pub(crate) fn for_another(&self) -> Self {
        let visits = self.visits.keys().map(|levels| (levels.clone(), None)).collect();
        Self { visits, costs: 0, guess: None, most: self.most }
    }

    /// Adds the schemes that were visited for other requirements.
    pub(crate) fn merge(&mut self, other: Self) {
        for levels in other.visits.into_keys() {
            if !self.visits.contains_key(&levels) {
                self.insert(levels, None);
            }
        }
    }

    pub(crate) fn learn(&mut self, levels: &[u8], cost: u64, space: &Space) {
        if self.cost(levels).is_none() {
            let tops = || super::levels::levels(space.top());
            self.guess.get_or_insert_with(|| SuppressionGuess::over(&tops())).learn(levels, cost);
            self.insert(levels.into(), Some(cost));
        }
    }

    /// Returns the guess at what schemes suppress, once anything is known.
    pub(super) fn guess(&self) -> Option<&SuppressionGuess> {
        self.guess.as_ref()
    }

    /// Returns the schemes whose cost satisfies a condition, in the order of levels.
    fn with_cost(&self, condition: impl Fn(u64) -> bool) -> Vec<&[u8]> {
        let known = self.visits.iter().filter(|(_, cost)| cost.is_some_and(&condition));
        let mut levels: Vec<&[u8]> = known.map(|(levels, _)| &**levels).collect();
        levels.sort_unstable();
        levels
    }

    /// Returns the schemes that suppress more than the limit, without those below another.
    pub(crate) fn failing(&self, limit: u64) -> Schemes {
        let mut failing = self.with_cost(|cost| cost > limit);
        failing.sort_by_key(|levels| Reverse(height(levels)));
        let mut highest = Schemes::default();
        for levels in failing {
            if !highest.any_above(levels) {
                highest.push(levels);
            }
        }
        highest
    }

    /// Returns the schemes that are within the limit, without those above another.
    pub(crate) fn passing(&self, limit: u64) -> Schemes {
        let mut passing = self.with_cost(|cost| cost <= limit);
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
    fn visits_beyond_the_memory_limit_are_forgotten_and_count_as_new() {
        let space = Space::new(Scheme::new([40, 40]));
        let mut known = VisitedSchemes::within(0, 2);
        let all = (0..40_u8).flat_map(|a| (0..40_u8).map(move |b| [a, b]));
        for (i, levels) in all.enumerate() {
            assert!(known.is_new(&Scheme::new(levels)), "{levels:?}");
            known.learn(&levels, i as u64, &space);
            assert_eq!(known.cost(&levels), Some(i as u64));
            assert!(!known.is_new(&Scheme::new(levels)));
            assert!(known.visits.len() <= FEWEST && known.costs <= known.visits.len());
        }
        assert_eq!(known.cost(&[0, 0]), None);
        assert!(known.is_new(&Scheme::new([0, 0])));
    }

    #[test]
    fn visits_for_other_requirements_keep_schemes_without_costs() {
        let space = Space::new(Scheme::new([3, 3]));
        let mut known = VisitedSchemes::within(usize::MAX, 2);
        known.learn(&[1, 2], 7, &space);
        let mut other = known.for_another();
        assert!(other.is_empty() && !other.is_new(&Scheme::new([1, 2])));
        assert_eq!(other.unknown(), [[1, 2]]);
        other.learn(&[3, 3], 1, &space);
        known.merge(other);
        assert!(!known.is_new(&Scheme::new([3, 3])));
        assert_eq!((known.cost(&[1, 2]), known.cost(&[3, 3])), (Some(7), None));
        assert_eq!((known.failing(6).len(), known.passing(6).len()), (1, 0));
    }
}
