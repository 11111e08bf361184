//! Some of a column's different values with exact counts, and an estimate of how many there are.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use haggle_model::Dictionary;
use xxhash_rust::xxh3::xxh3_64;

/// At most this many different values are kept, of a table that has not very many columns.
const MAX_VALUES: usize = 1 << 14;
/// At least this many are kept, however many columns there are, unless they are long.
const FEWEST: usize = 1 << 9;
/// At most this many bytes of values are kept, of a table that has not very many columns.
const KEPT_BYTES: usize = 4 << 20;
/// Up to this number of columns counts as not very many.
const COLUMNS: usize = 64;

/// The different values with the smallest hashes. Which these are does not depend on the order
/// of arrival, and one that is kept was kept from its first occurrence on, so its count is exact.
///
/// ```
/// use haggle_data::Sample;
///
/// let mut sample = Sample::default();
/// for value in ["10", "9", "10"] {
///     sample.add(value);
/// }
/// assert!(sample.is_complete());
/// assert_eq!(sample.values(), [("9", 1), ("10", 2)]);
/// ```
#[derive(Debug, Clone)]
pub struct Sample {
    by_hash: BTreeMap<u64, (Box<str>, u64)>,
    /// The smallest hash of a value that was left out.
    cut: Option<u64>,
    /// The bytes of the values.
    bytes: usize,
    most: usize,
    most_bytes: usize,
}

impl Default for Sample {
    fn default() -> Self {
        Self::among(1)
    }
}

impl Sample {
    /// Creates a sample of one of this many columns, which share the memory.
    pub(super) fn among(columns: usize) -> Self {
        let shares = columns.div_ceil(COLUMNS).max(1);
        let (most, most_bytes) = ((MAX_VALUES / shares).max(FEWEST), KEPT_BYTES / shares);
        Self { by_hash: BTreeMap::new(), cut: None, bytes: 0, most, most_bytes }
    }

    /// Counts a value. `false` if it was met before; `true` if it is new, or not kept and may be.
    pub fn add(&mut self, value: &str) -> bool {
        self.add_many(value, 1)
    }

    fn add_many(&mut self, value: &str, times: u64) -> bool {
        let hash = xxh3_64(value.as_bytes());
        if self.cut.is_some_and(|cut| hash >= cut) {
            return true;
        }
        match self.by_hash.entry(hash) {
            Entry::Occupied(mut known) => {
                known.get_mut().1 += times;
                return false;
            }
            Entry::Vacant(place) => _ = place.insert((value.into(), times)),
        }
        self.bytes += value.len();
        self.cut_to_size();
        true
    }

    /// Leaves out the values with the largest hashes while there are too many, or too long ones. One
    /// value is always kept. What was left out stays so: with more values it would not fit either.
    fn cut_to_size(&mut self) {
        let too_large =
            |sample: &Self| sample.by_hash.len() > sample.most || sample.bytes > sample.most_bytes;
        while too_large(self) && self.by_hash.len() > 1 {
            if let Some((hash, (value, _))) = self.by_hash.pop_last() {
                self.bytes -= value.len();
                self.cut = Some(hash);
            }
        }
    }

    /// Adds what another sample counted.
    pub(super) fn merge(&mut self, other: Self) {
        for (value, times) in other.by_hash.into_values() {
            self.add_many(&value, times);
        }
        if let Some(cut) = other.cut {
            // From there on the other sample counted nothing.
            let left_out = self.by_hash.split_off(&cut);
            self.bytes -= left_out.values().map(|(value, _)| value.len()).sum::<usize>();
            self.cut = Some(self.cut.map_or(cut, |own| own.min(cut)));
        }
    }

    /// Whether every value is kept.
    pub fn is_complete(&self) -> bool {
        self.cut.is_none()
    }

    /// How many different values there are: exact if every value is kept, else an estimate that
    /// is rarely off by more than two per cent.
    pub fn distinct(&self) -> u64 {
        match self.by_hash.last_key_value() {
            Some((&last, _)) if self.cut.is_some() => {
                let share = last as f64 / u64::MAX as f64;
                (self.by_hash.len() as f64 / share) as u64
            }
            _ => self.by_hash.len() as u64,
        }
    }

    /// The values that are kept in their natural order, with how often each occurs.
    pub fn values(&self) -> Vec<(&str, u64)> {
        let mut order = Dictionary::default();
        for (value, _) in self.by_hash.values() {
            order.code_or_add(value);
        }
        let order = order.sorted();
        let mut values: Vec<(&str, u64)> =
            self.by_hash.values().map(|(value, count)| (value.as_ref(), *count)).collect();
        values.sort_by_key(|(value, _)| order.code(value));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: impl Iterator<Item = u32>) -> Sample {
        let mut sample = Sample::default();
        for value in values {
            sample.add(&value.to_string());
        }
        sample
    }

    #[test]
    fn what_is_kept_does_not_depend_on_who_saw_what() {
        let numbers = || (0..60_000_u32).map(|i| i * i % 40_009);
        let whole = sample(numbers());
        let mut parts = sample(numbers().skip(13_000));
        parts.merge(sample(numbers().take(13_000)));
        assert!(!whole.is_complete() && !parts.is_complete());
        assert_eq!(whole.values(), parts.values());
        let mut counts = BTreeMap::new();
        for number in numbers() {
            *counts.entry(number.to_string()).or_insert(0_u64) += 1;
        }
        assert!(whole.values().iter().all(|(value, count)| counts[*value] == *count));
    }

    #[test]
    fn the_number_of_values_is_estimated_well() {
        assert_eq!(sample(0..16_384).distinct(), 16_384);
        for distinct in [20_000, 100_000, 400_000_u32] {
            let estimate = sample(0..distinct).distinct() as f64;
            assert!(
                (estimate / f64::from(distinct) - 1.0).abs() < 0.03,
                "{estimate} for {distinct}"
            );
        }
    }
}
