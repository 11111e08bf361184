//! Values of sampled records as small numbers, and the records sorted by them.

use rustc_hash::FxHashMap;

/// The code of a value that is not known.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// By record, the number of its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SampledValues {
    pub(super) codes: Vec<u32>,
    /// All numbers are below this one.
    pub(super) distinct: usize,
}

impl SampledValues {
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
        let pair =
            |(&one, &two): (&u32, &u32)| u64::from(one) * other.distinct as u64 + u64::from(two);
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
    pub(super) fn of(values: &SampledValues) -> Self {
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

    /// The records for which the most frequent of the other values, under their own one, is right.
    pub(super) fn rightly_guessed(&self, other: &SampledValues, weights: &[u64]) -> u64 {
        self.most_frequent(other, weights).map(|(most, _)| most).sum()
    }

    /// The records for which the guess is right where each record is guessed from the others alone.
    pub(super) fn rightly_guessed_by_others(&self, other: &SampledValues, weights: &[u64]) -> u64 {
        let frequent = self.most_frequent(other, weights);
        frequent.filter(|(most, second)| *most > second + 1).map(|(most, _)| most).sum()
    }

    /// By record, the most frequent of the other values among the records with its own one.
    pub(super) fn typical(&self, other: &SampledValues, weights: &[u64]) -> SampledValues {
        let mut typical = vec![0; other.codes.len()];
        for run in self.starts.windows(2) {
            let run = &self.records[run[0] as usize..run[1] as usize];
            let mut counts: FxHashMap<u32, u64> = FxHashMap::default();
            for &record in run {
                *counts.entry(other.codes[record as usize]).or_default() +=
                    weights[record as usize];
            }
            let most = counts.into_iter().max_by_key(|&(code, records)| (records, code));
            let most = most.map_or(UNKNOWN, |(code, _)| code);
            for &record in run {
                typical[record as usize] = u64::from(most);
            }
        }
        SampledValues::of(typical.into_iter())
    }

    /// By value, how many records have the most frequent and the second most frequent of the other
    /// values.
    fn most_frequent(
        &self,
        other: &SampledValues,
        weights: &[u64],
    ) -> impl Iterator<Item = (u64, u64)> {
        let mut counts: Vec<u64> = vec![0; other.distinct];
        self.starts.windows(2).map(move |run| {
            let run = &self.records[run[0] as usize..run[1] as usize];
            let known = || run.iter().map(|&record| record as usize);
            let code = |record: usize| Some(other.codes[record]).filter(|&code| code != UNKNOWN);
            for record in known() {
                if let Some(code) = code(record) {
                    counts[code as usize] += weights[record];
                }
            }
            let (mut most, mut second) = (0, 0);
            // Each value counts when it is met first; then it is forgotten.
            for code in known().filter_map(code) {
                let count = std::mem::take(&mut counts[code as usize]);
                (most, second) = (most.max(count), second.max(most.min(count)));
            }
            (most, second)
        })
    }
}
