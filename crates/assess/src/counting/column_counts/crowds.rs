//! How many records share each value, counted by hash in bounded memory.

use rustc_hash::{FxHashMap, FxHashSet};

/// Records by the hash of a value. When there are too many values, only those whose hash begins with
/// a zero bit are kept, then those with two, and so on: counts are then scaled up and are estimates.
#[derive(Debug, Clone, Default)]
pub struct Crowds {
    records: FxHashMap<u64, u64>,
    /// Each value with each person who has it, where persons are counted.
    persons: FxHashSet<(u64, u64)>,
    /// How many leading bits of a hash must be zero.
    zeros: u32,
    /// The most values that are kept.
    most: usize,
}

impl Crowds {
    pub(super) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Counts records of a value, of one person where persons are counted. Returns whether the
    /// value is new.
    pub(super) fn add(&mut self, value: u64, person: Option<u64>, records: u64) -> bool {
        if value.leading_zeros() < self.zeros {
            return false;
        }
        let count = self.records.entry(value).or_default();
        let is_new = *count == 0;
        *count += records;
        let larger = person.is_some_and(|person| self.persons.insert((value, person))) || is_new;
        if larger && self.records.len().max(self.persons.len()) > self.most {
            self.require_zeros(self.zeros + 1);
        }
        is_new
    }

    fn require_zeros(&mut self, zeros: u32) {
        self.zeros = zeros;
        self.records.retain(|value, _| value.leading_zeros() >= zeros);
        self.persons.retain(|(value, _)| value.leading_zeros() >= zeros);
    }

    /// Adds what another thread counted.
    pub(super) fn merge(&mut self, other: Self) {
        if other.zeros > self.zeros {
            self.require_zeros(other.zeros);
        }
        self.persons
            .extend(other.persons.into_iter().filter(|(v, _)| v.leading_zeros() >= self.zeros));
        for (value, records) in other.records {
            self.add(value, None, records);
        }
    }

    /// How many different values there are.
    pub(super) fn distinct(&self) -> u64 {
        (self.records.len() as u64) << self.zeros
    }

    /// How many records have a value that fewer than k records (or persons) share.
    pub fn below(&self, k: u64) -> u64 {
        let mut persons: FxHashMap<u64, u64> = FxHashMap::default();
        for (value, _) in &self.persons {
            *persons.entry(*value).or_default() += 1;
        }
        let size = |value: &u64, records: u64| persons.get(value).copied().unwrap_or(records);
        let few = self.records.iter().filter(|(value, records)| size(value, **records) < k);
        few.map(|(_, records)| records).sum::<u64>() << self.zeros
    }

    /// Whether the counts are estimates.
    pub fn is_estimate(&self) -> bool {
        self.zeros > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(value: u64) -> u64 {
        haggle_inference::shadows::hash(&value.to_string())
    }

    #[test]
    fn counts_are_exact_where_values_fit() {
        let mut crowds = Crowds::new(100);
        let mut other = Crowds::new(100);
        for i in 0..100 {
            assert_eq!(crowds.add(hash(i % 10), None, 1), i < 10);
            other.add(hash(i), None, 1);
        }
        assert_eq!((crowds.below(10), crowds.below(11), crowds.distinct()), (0, 100, 10));
        crowds.merge(other);
        assert_eq!((crowds.below(2), crowds.distinct(), crowds.is_estimate()), (90, 100, false));
    }

    #[test]
    fn counts_are_estimates_where_values_do_not_fit() {
        let mut crowds = Crowds::new(1000);
        (0..100_000).for_each(|i| _ = crowds.add(hash(i), None, 1));
        assert!(crowds.is_estimate());
        assert!((80_000..120_000).contains(&crowds.below(2)), "{}", crowds.below(2));
    }

    #[test]
    fn several_records_of_one_person_are_no_crowd() {
        let mut crowds = Crowds::new(100);
        (0..6).for_each(|i| _ = crowds.add(hash(1), Some(hash(i % 2)), 1));
        assert_eq!((crowds.below(3), crowds.below(2)), (6, 0));
    }

    #[test]
    fn a_person_whom_two_threads_counted_is_one_person() {
        let (mut crowds, mut other) = (Crowds::new(100), Crowds::new(100));
        crowds.add(hash(1), Some(hash(7)), 1);
        other.add(hash(1), Some(hash(7)), 1);
        other.add(hash(1), Some(hash(8)), 1);
        crowds.merge(other);
        assert_eq!((crowds.below(3), crowds.below(2)), (3, 0), "three records of two persons");
    }
}
