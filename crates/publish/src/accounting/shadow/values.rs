//! Values of sampled records as small numbers, and the records sorted by them.

use rustc_hash::FxHashMap;

/// The code of a value that is not known.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// By record, the number of its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    pub(super) codes: Vec<u32>,
    /// All numbers are below this one.
    pub(super) distinct: usize,
}

impl Values {
    /// Numbers values in the order of their first occurrence.
    pub(super) fn of(values: impl Iterator<Item = u64>) -> Self {
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut code = |value: u64| {
            let next = known.len() as u32;
            *known.entry(value).or_insert(next)
        };
        let codes: Vec<u32> = values.map(&mut code).collect();
        Self { codes, distinct: known.len() }
    }

    /// The values of the first records.
    pub(super) fn first(&self, records: usize) -> Self {
        Self { codes: self.codes[..records].to_vec(), distinct: self.distinct }
    }

    /// The pairs of these values and those of the same records in another column.
    pub(super) fn and(&self, other: &Self) -> Self {
        let pair = |(&one, &two): (&u32, &u32)| {
            u64::from(one) * other.distinct as u64 + u64::from(two)
        };
        Self::of(self.codes.iter().zip(&other.codes).map(pair))
    }
}

/// Records sorted by their values.
#[derive(Debug)]
pub(super) struct SortedRecords {
    records: Vec<u32>,
    /// Where the records of each value begin, and where the last ones end.
    starts: Vec<u32>,
}

impl SortedRecords {
    pub(super) fn of(values: &Values) -> Self {
        let mut starts = vec![0; values.distinct + 1];
        values.codes.iter().for_each(|&code| starts[code as usize + 1] += 1);
        for value in 0..values.distinct {
            starts[value + 1] += starts[value];
        }
        let mut next: Vec<u32> = starts.clone();
        let mut records = vec![0; values.codes.len()];
        for (record, &code) in (0..).zip(&values.codes) {
            let place = &mut next[code as usize];
            records[*place as usize] = record;
            *place += 1;
        }
        Self { records, starts }
    }

    /// The records for which the most frequent of the other values, under their own one, is right;
    /// of values that at least so many records have.
    pub(super) fn rightly_guessed(&self, other: &Values, weights: &[u64], least: u64) -> u64 {
        let mut counts = vec![0; other.distinct];
        let mut right = 0;
        for run in self.starts.windows(2) {
            let run = &self.records[run[0] as usize..run[1] as usize];
            let known = run.iter().map(|&record| record as usize);
            let known = known.filter(|&record| other.codes[record] != UNKNOWN);
            let (mut all, mut most) = (0, 0);
            for record in known.clone() {
                let count: &mut u64 = &mut counts[other.codes[record] as usize];
                *count += weights[record];
                all += weights[record];
                most = most.max(*count);
            }
            known.for_each(|record| counts[other.codes[record] as usize] = 0);
            right += if all >= least { most } else { 0 };
        }
        right
    }
}
