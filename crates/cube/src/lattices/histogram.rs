//! How many groups and records of a scheme have each value of a statistic.
//!
//! Bins hold prefix sums, so what a threshold suppresses is one binary search. The histograms of
//! all schemes are stored one after the other: the costs of a threshold over the whole lattice are
//! one pass through memory.

use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Serialize, Serializer};

use crate::Passing;

/// Whole statistics below this are tallied by position, because most groups are small.
const DENSE: usize = 256;

/// One value of the statistic, with its groups and records.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The value.
    pub value: f64,
    /// The groups that have it.
    pub groups: u64,
    /// The records in those groups.
    pub records: u64,
    /// The records in groups of weaker values: those that a threshold of exactly this value
    /// suppresses.
    pub weaker: u64,
}

/// A bin in memory; its number of records follows from the next bin.
///
/// Only tables of more than 2^32 records need the high halves of `weaker`. They are stored
/// separately, so that the bins of all other tables take 16 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredBin {
    value: f64,
    groups: u32,
    /// The low half of the records in groups of weaker values.
    weaker: u32,
}

/// Returns whether numbers of records up to this one have a high half.
fn has_high_half(records: u64) -> bool {
    u32::try_from(records).is_err()
}

/// The values of a statistic over a scheme's groups, weakest first, with prefix sums.
///
/// Every question is answered by a prefix sum: the groups that fail a threshold are those before
/// it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Histogram<'a> {
    comparison: Passing,
    records: u64,
    bins: &'a [StoredBin],
    /// The high half of each bin's `weaker`; empty if all are 0.
    high: &'a [u32],
}

impl Histogram<'_> {
    /// Returns the records in bins before this one; all records if there is no such bin.
    #[inline]
    fn weaker(&self, bin: usize) -> u64 {
        let Some(stored) = self.bins.get(bin) else { return self.records };
        let high = self.high.get(bin).map_or(0, |&high| u64::from(high) << u32::BITS);
        high | u64::from(stored.weaker)
    }

    /// How many records the threshold suppresses.
    #[inline]
    pub fn suppressed(&self, threshold: f64) -> u64 {
        self.suppressed_by(self.failing(threshold))
    }

    /// Returns how many records are suppressed if this many bins fail.
    #[inline]
    pub fn suppressed_by(&self, failing: usize) -> u64 {
        self.weaker(failing)
    }

    /// The weakest statistic among the groups that pass the threshold, if any group passes.
    pub fn attained(&self, threshold: f64) -> Option<f64> {
        self.bins.get(self.failing(threshold)).map(|bin| bin.value)
    }

    /// The bin of a value that a group has.
    pub fn bin(&self, value: f64) -> usize {
        let weaker = |bin: &StoredBin| self.comparison.by_strength(bin.value, value).is_lt();
        self.bins.partition_point(weaker)
    }

    /// Returns the bin of exactly this value; `None` if no group has it, as in a lattice that was
    /// tampered with.
    pub(crate) fn exact_bin(&self, value: f64) -> Option<usize> {
        let bin = self.bin(value);
        self.bins.get(bin).filter(|found| found.value.to_bits() == value.to_bits()).map(|_| bin)
    }

    /// Returns whether the bins can result from tallying groups.
    fn is_consistent(&self) -> bool {
        let by_strength =
            |a: &StoredBin, b: &StoredBin| self.comparison.by_strength(a.value, b.value).is_lt();
        let ascends = |bin: usize| self.weaker(bin) < self.weaker(bin + 1);
        let holds_groups =
            |bin: Bin| !bin.value.is_nan() && bin.groups > 0 && bin.groups <= bin.records;
        self.weaker(0) == 0
            && (0..self.bins.len()).all(ascends)
            && self.bins.is_sorted_by(by_strength)
            && self.bins().all(holds_groups)
    }

    /// The value of the bin at this position.
    pub fn value(&self, bin: usize) -> f64 {
        self.bins[bin].value
    }

    /// The strongest statistic that a threshold can demand while it suppresses at most `limit`
    /// records and keeps at least one.
    pub fn strongest(&self, limit: u64) -> Option<f64> {
        let (mut affordable, mut beyond) = (0, self.bins.len());
        while affordable < beyond {
            let middle = usize::midpoint(affordable, beyond);
            if self.weaker(middle) <= limit {
                affordable = middle + 1;
            } else {
                beyond = middle;
            }
        }
        self.bins[..affordable].last().map(|bin| bin.value)
    }

    /// All records of the scheme, kept or not.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// All groups of the scheme, kept or not.
    pub fn groups(&self) -> u64 {
        self.bins.iter().map(|bin| u64::from(bin.groups)).sum()
    }

    /// The values with their groups and records, weakest first.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = Bin> {
        self.bins.iter().enumerate().map(|(i, bin)| {
            let weaker = self.weaker(i);
            let records = self.weaker(i + 1) - weaker;
            Bin { value: bin.value, groups: bin.groups.into(), records, weaker }
        })
    }

    /// Returns how many bins fail; all of them come before the first that passes. Thresholds in use
    /// are small, so the search widens from the front.
    #[inline]
    pub fn failing(&self, threshold: f64) -> usize {
        let fails = |bin: &StoredBin| !self.comparison.passes(bin.value, threshold);
        let mut end = 8;
        while end < self.bins.len() && fails(&self.bins[end]) {
            end *= 4;
        }
        let start = if end > 8 { end / 4 } else { 0 };
        start + self.bins[start..end.min(self.bins.len())].partition_point(fails)
    }
}

/// The histograms of one statistic for many schemes, stored contiguously, so that visiting all of
/// them is a scan of memory.
///
/// Bins are in the order in which schemes were annotated, so that they are written once and never
/// copied; files have them in the order of schemes.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "StoredHistograms")]
pub struct Histograms {
    comparison: Passing,
    records: u64,
    starts: Vec<u32>,
    ends: Vec<u32>,
    bins: Vec<StoredBin>,
    /// The high half of each bin's `weaker`, if there are so many records.
    high: Vec<u32>,
}

/// Histograms in their file format: each begins where the one before ends.
#[derive(Deserialize)]
#[serde(rename = "Histograms")]
struct StoredHistograms {
    comparison: Passing,
    records: u64,
    ends: Vec<u32>,
    bins: Vec<StoredBin>,
    high: Vec<u32>,
}

impl From<StoredHistograms> for Histograms {
    fn from(StoredHistograms { comparison, records, ends, bins, high }: StoredHistograms) -> Self {
        let before_last = &ends[..ends.len().saturating_sub(1)];
        let starts =
            ends.first().map(|_| 0).into_iter().chain(before_last.iter().copied()).collect();
        Self { comparison, records, starts, ends, bins, high }
    }
}

impl Serialize for Histograms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lengths = (0..self.len()).map(|position| self.range(position).len() as u32);
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let mut stored = serializer.serialize_struct("Histograms", 5)?;
        stored.serialize_field("comparison", &self.comparison)?;
        stored.serialize_field("records", &self.records)?;
        stored.serialize_field("ends", &ends.collect::<Vec<u32>>())?;
        stored.serialize_field("bins", &InOrder(self, &self.bins))?;
        stored.serialize_field("high", &InOrder(self, &self.high))?;
        stored.end()
    }
}

/// What histograms store for each bin, or nothing, in the order of schemes and without a copy.
struct InOrder<'a, T>(&'a Histograms, &'a [T]);

impl<T: Serialize> Serialize for InOrder<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut stored = serializer.serialize_seq(Some(self.1.len()))?;
        for position in 0..self.0.len() {
            for item in self.1.get(self.0.range(position)).unwrap_or_default() {
                stored.serialize_element(item)?;
            }
        }
        stored.end()
    }
}

impl PartialEq for Histograms {
    fn eq(&self, other: &Self) -> bool {
        let same = |position: usize| self.get(position) == other.get(position);
        self.len() == other.len()
            && (self.comparison, self.records) == (other.comparison, other.records)
            && (0..self.len()).all(same)
    }
}

impl Histograms {
    /// The bytes of a bin.
    pub(crate) const BIN: usize = size_of::<StoredBin>();

    /// Builds an empty list of histograms over this many records.
    pub(crate) fn new(comparison: Passing, records: u64) -> Self {
        let (starts, ends, bins, high) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { comparison, records, starts, ends, bins, high }
    }

    /// Builds a list of histograms for this many schemes, all of which are still to be
    /// [`set`](Self::set).
    pub(crate) fn of_schemes(comparison: Passing, records: u64, schemes: usize) -> Self {
        let (starts, ends) = (vec![0; schemes], vec![0; schemes]);
        Self { starts, ends, ..Self::new(comparison, records) }
    }

    /// Sets the histogram at this position, once.
    pub(crate) fn set(&mut self, position: usize, tallied: &Tallied) {
        self.starts[position] = self.bins.len() as u32;
        self.bins.extend_from_slice(&tallied.bins);
        self.high.extend_from_slice(&tallied.high);
        self.ends[position] = self.bins.len() as u32;
    }

    /// Adds the histogram of the next scheme.
    pub(crate) fn push(&mut self, tallied: &Tallied) {
        self.starts.push(0);
        self.ends.push(0);
        self.set(self.starts.len() - 1, tallied);
    }

    /// Frees reserved memory that was not used.
    pub(crate) fn shrink(&mut self) {
        self.bins.shrink_to_fit();
        self.high.shrink_to_fit();
    }

    /// The histogram at this position.
    #[inline]
    pub fn get(&self, position: usize) -> Histogram<'_> {
        let (comparison, records, range) = (self.comparison, self.records, self.range(position));
        let high = self.high.get(range.clone()).unwrap_or_default();
        Histogram { comparison, records, bins: &self.bins[range], high }
    }

    /// Returns the position of the bins of this histogram among all bins.
    #[inline]
    pub(crate) fn range(&self, position: usize) -> std::ops::Range<usize> {
        self.starts[position] as usize..self.ends[position] as usize
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let bins = size_of_val(&*self.bins) + size_of_val(&*self.high);
        bins + size_of_val(&*self.ends) + size_of_val(&*self.starts)
    }

    /// How many histograms there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns whether histograms read from a file are consistent: as many as there are schemes,
    /// each with bins in ascending strength that hold at least one group each and all records
    /// together.
    pub(crate) fn are_consistent(&self, schemes: usize, records: u64) -> bool {
        let ends_fit = self.len() == schemes
            && self.ends.is_sorted()
            && self.ends.last().map_or(0, |&end| end as usize) == self.bins.len();
        let high = if has_high_half(records) { self.bins.len() } else { 0 };
        ends_fit
            && self.high.len() == high
            && self.records == records
            && (0..schemes).all(|position| self.get(position).is_consistent())
    }

    /// Which side of a threshold passes.
    pub(crate) fn comparison(&self) -> Passing {
        self.comparison
    }
}

/// The bins of one scheme before they are added to the others, and each group's bin if rows are
/// kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tallied {
    bins: Box<[StoredBin]>,
    /// The high half of each bin's `weaker`; empty if all are 0.
    high: Box<[u32]>,
    pub(crate) rows: Box<[u32]>,
}

impl Tallied {
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.kept_bytes()
    }

    /// Returns the bytes that it takes once it is added to the others.
    pub(crate) fn kept_bytes(&self) -> usize {
        size_of_val(&*self.bins) + size_of_val(&*self.high) + size_of_val(&*self.rows)
    }
}

/// Collects the statistics of a scheme's groups into bins.
pub(crate) struct HistogramTally {
    comparison: Passing,
    dense: Vec<(u32, u64)>,
    /// Groups whose statistic is their size, and which are too large to be tallied by position.
    large: Vec<u64>,
    sparse: Vec<(f64, u32, u64)>,
    /// Every group's value in order, if rows are kept.
    values: Option<Vec<f64>>,
}

impl HistogramTally {
    pub(crate) fn new(comparison: Passing, rows: bool) -> Self {
        let values = rows.then(Vec::new);
        let (large, sparse) = (Vec::new(), Vec::new());
        Self { comparison, dense: vec![(0, 0); DENSE], large, sparse, values }
    }

    #[inline]
    pub(crate) fn add(&mut self, value: f64, records: u64) {
        let whole = value as usize;
        if whole < DENSE && (whole as f64).to_bits() == value.to_bits() {
            self.dense[whole].0 += 1;
            self.dense[whole].1 += records;
        } else if (records as f64).to_bits() == value.to_bits() {
            self.large.push(records);
        } else {
            self.sparse.push((value, 1, records));
        }
        if let Some(values) = &mut self.values {
            values.push(value);
        }
    }

    /// Adds groups whose statistic is their number of records.
    pub(crate) fn add_sizes(&mut self, sizes: impl Iterator<Item = u64>) {
        // Neighbours often have the same size; alternating between tables avoids waiting for the
        // previous addition.
        let mut turns = [[0_u32; DENSE]; 2];
        let mut turn = 0;
        for size in sizes {
            if size < DENSE as u64 {
                turns[turn][size as usize] += 1;
            } else {
                self.large.push(size);
            }
            turn ^= 1;
        }
        for (size, dense) in self.dense.iter_mut().enumerate() {
            let groups = turns[0][size] + turns[1][size];
            dense.0 += groups;
            dense.1 += u64::from(groups) * size as u64;
        }
    }

    /// Returns the bins of what was added, and clears the tally.
    pub(crate) fn take(&mut self) -> Tallied {
        let ascending = self.sparse.is_empty() && self.comparison == Passing::AtLeast;
        for (value, (groups, records)) in self.dense.iter_mut().enumerate() {
            if *groups > 0 {
                self.sparse.push((value as f64, *groups, *records));
                (*groups, *records) = (0, 0);
            }
        }
        self.large.sort_unstable();
        for same in self.large.chunk_by(|a, b| a == b) {
            let (size, groups) = (same[0], same.len() as u32);
            self.sparse.push((size as f64, groups, size * u64::from(groups)));
        }
        self.large.clear();
        if !ascending {
            self.sparse.sort_unstable_by(|a, b| self.comparison.by_strength(a.0, b.0));
            self.sparse.dedup_by(|next, kept| {
                let same = next.0.to_bits() == kept.0.to_bits();
                if same {
                    kept.1 += next.1;
                    kept.2 += next.2;
                }
                same
            });
        }
        let high = self.high_halves();
        let mut weaker = 0;
        let bins = self.sparse.drain(..).map(|(value, groups, records)| {
            weaker += records;
            StoredBin { value, groups, weaker: (weaker - records) as u32 }
        });
        let bins: Box<[StoredBin]> = bins.collect();
        let bin = |value: f64| {
            bins.partition_point(|bin| self.comparison.by_strength(bin.value, value).is_lt()) as u32
        };
        let rows = self.values.iter_mut().flat_map(|values| values.drain(..)).map(bin).collect();
        Tallied { bins, high, rows }
    }

    /// Returns the high half of the records before each bin; nothing if all records together have
    /// none.
    fn high_halves(&self) -> Box<[u32]> {
        let all = self.sparse.iter().map(|(_, _, records)| records).sum();
        if !has_high_half(all) {
            return Box::default();
        }
        let before = self.sparse.iter().scan(0_u64, |sum, (_, _, records)| {
            *sum += records;
            Some(*sum - records)
        });
        before.map(|before| (before >> u32::BITS) as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(comparison: Passing, groups: &[(f64, u64)]) -> Histograms {
        let mut tally = HistogramTally::new(comparison, false);
        for &(value, records) in groups {
            tally.add(value, records);
        }
        let mut histograms =
            Histograms::new(comparison, groups.iter().map(|(_, records)| records).sum());
        histograms.push(&tally.take());
        histograms
    }

    #[test]
    fn thresholds_between_values_suppress_all_weaker_groups() {
        let sizes = tally(Passing::AtLeast, &[(3.0, 3), (1.0, 1), (3.0, 3), (900.0, 900)]);
        let sizes = sizes.get(0);
        assert_eq!(sizes.suppressed(1.0), 0);
        assert_eq!(sizes.suppressed(3.0), 1);
        assert_eq!(sizes.suppressed(4.0), 7);
        assert_eq!(sizes.suppressed(901.0), 907);
        assert_eq!(sizes.attained(2.0), Some(3.0));
        assert_eq!(sizes.attained(901.0), None);
        assert_eq!(sizes.strongest(0), Some(1.0));
        assert_eq!(sizes.strongest(6), Some(3.0));
        assert_eq!(sizes.strongest(7), Some(900.0));
        assert_eq!(sizes.strongest(10_000), Some(900.0), "an empty table protects no person");
    }

    #[test]
    fn smaller_is_stronger_where_the_model_says_at_most() {
        let closeness = tally(Passing::AtMost, &[(0.1, 10), (0.3, 5), (0.2, 7), (0.2, 1)]);
        let closeness = closeness.get(0);
        assert_eq!(closeness.suppressed(0.2), 5);
        assert_eq!(closeness.suppressed(0.15), 13);
        assert_eq!(closeness.attained(0.25), Some(0.2));
        assert_eq!(closeness.strongest(5), Some(0.2));
        assert_eq!(closeness.bins().map(|bin| bin.groups).collect::<Vec<_>>(), [1, 2, 1]);
    }

    #[test]
    fn every_threshold_is_found_however_many_values_there_are() {
        let groups: Vec<(f64, u64)> = (1..500).map(|size| (f64::from(size), 1)).collect();
        let histograms = tally(Passing::AtLeast, &groups);
        for threshold in 1..510 {
            let expected = (threshold - 1).min(499);
            assert_eq!(histograms.get(0).suppressed(f64::from(threshold)), expected as u64);
        }
    }

    #[test]
    fn a_tally_is_empty_after_it_was_taken() {
        let mut tally = HistogramTally::new(Passing::AtLeast, true);
        tally.add(2.0, 2);
        tally.add(500.0, 500);
        tally.add(2.0, 2);
        let taken = tally.take();
        assert_eq!((taken.bins.len(), &*taken.rows), (2, &[0, 1, 0][..]));
        let taken = tally.take();
        assert_eq!((taken.bins.len(), taken.rows.len()), (0, 0));
    }
}
