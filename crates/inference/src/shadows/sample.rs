//! A sample of the published records, by which columns are compared in sets.

use std::sync::LazyLock;

use haggle_model::DateFormat;
use rustc_hash::FxHashMap;

use super::hashing::combined;

/// Different records of a table, each with how many are like it. When there are too many, only those
/// whose hash begins with a zero bit are kept, then those with two, and so on: which ones are kept
/// depends on the records alone, not on their order.
#[derive(Debug)]
pub struct RecordSample {
    /// The fields of a record that are kept, in rising order.
    fields: Vec<usize>,
    /// The most different records that are kept.
    most: usize,
    records: FxHashMap<u64, SampledRecord>,
    /// By hash, the values that are numbers or dates.
    numbers: FxHashMap<u64, f64>,
    /// How many leading bits of a hash must be zero.
    zeros: u32,
}

/// One record, and how many are like it.
#[derive(Debug)]
struct SampledRecord {
    /// By field that is kept, the hash of its value.
    values: Box<[u64]>,
    records: u64,
}

impl RecordSample {
    /// A sample of these fields, in rising order, with at most this many different records.
    pub fn new(fields: Vec<usize>, most: usize) -> Self {
        let (records, numbers) = (FxHashMap::default(), FxHashMap::default());
        Self { fields, most, records, numbers, zeros: 0 }
    }

    /// Counts equal records, given by all of their fields and the hashes of these.
    pub fn add(&mut self, fields: &[&str], hashes: &[u64], records: u64) {
        let key = combined(self.fields.iter().map(|&field| hashes[field]));
        if key.leading_zeros() < self.zeros {
            return;
        }
        if let Some(known) = self.records.get_mut(&key) {
            known.records += records;
            return;
        }
        for &field in &self.fields {
            if !self.numbers.contains_key(&hashes[field]) {
                self.numbers.extend(number(fields[field]).map(|number| (hashes[field], number)));
            }
        }
        let values = self.fields.iter().map(|&field| hashes[field]).collect();
        self.records.insert(key, SampledRecord { values, records });
        self.fit();
    }

    /// Adds what another thread sampled.
    pub fn merge(&mut self, other: Self) {
        let zeros = self.zeros.max(other.zeros);
        self.numbers.extend(other.numbers);
        for (key, record) in other.records {
            match self.records.get_mut(&key) {
                Some(known) => known.records += record.records,
                None => _ = self.records.insert(key, record),
            }
        }
        self.require_zeros(zeros);
        self.fit();
    }

    fn fit(&mut self) {
        while self.records.len() > self.most {
            self.require_zeros(self.zeros + 1);
        }
    }

    fn require_zeros(&mut self, zeros: u32) {
        self.zeros = zeros;
        self.records.retain(|key, _| key.leading_zeros() >= zeros);
        let known = std::mem::take(&mut self.numbers);
        let values = self.records.values().flat_map(|record| record.values.iter());
        self.numbers = values.filter_map(|value| Some((*value, *known.get(value)?))).collect();
    }

    /// The position of a field among those that are kept.
    pub(super) fn position(&self, field: usize) -> usize {
        self.fields.binary_search(&field).expect("the field is sampled")
    }

    /// The records in an order that depends on nothing but them: a part of it is a sample too.
    pub(super) fn columns(&self) -> SampledColumns<'_> {
        let mut records: Vec<(&u64, &SampledRecord)> = self.records.iter().collect();
        records.sort_unstable_by_key(|(key, _)| **key);
        let records = records.into_iter().map(|(_, record)| record).collect();
        SampledColumns { records, numbers: &self.numbers }
    }
}

/// The sampled records, column by column.
pub(super) struct SampledColumns<'a> {
    records: Vec<&'a SampledRecord>,
    numbers: &'a FxHashMap<u64, f64>,
}

impl SampledColumns<'_> {
    /// How many different records there are.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// How many records are like each.
    pub(super) fn weights(&self) -> Vec<u64> {
        self.records.iter().map(|record| record.records).collect()
    }

    /// The hashes of the values at a position among the fields that are kept.
    pub(super) fn values(&self, position: usize) -> impl Iterator<Item = u64> {
        self.records.iter().map(move |record| record.values[position])
    }

    /// Returns the values at a position as numbers, where they are numbers; dates are days.
    pub(super) fn numbers(&self, position: usize) -> Vec<Option<f64>> {
        self.values(position).map(|value| self.numbers.get(&value).copied()).collect()
    }
}

/// A text as a number; a date as its day.
fn number(text: &str) -> Option<f64> {
    static FORMATS: LazyLock<[DateFormat; 4]> = LazyLock::new(DateFormat::known);
    if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        return None;
    }
    let date = || FORMATS.iter().find_map(|format| format.day(text)).map(day_number);
    text.parse().ok().filter(|number: &f64| number.is_finite()).or_else(date)
}

/// The days from a fixed day to this one, by the Gregorian calendar.
fn day_number((year, month, day): (u16, u8, u8)) -> f64 {
    // Years begin in March, so that a leap day is the last of its year.
    let (year, month) = (f64::from(year), f64::from(month));
    let (year, month) = if month < 3.0 { (year - 1.0, month + 9.0) } else { (year, month - 3.0) };
    let leaps = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
    365.0 * year + leaps + ((153.0 * month + 2.0) / 5.0).floor() + f64::from(day)
}

#[cfg(test)]
mod tests {
    use super::super::hashing::hash;
    use super::*;

    #[test]
    fn dates_are_days_and_codes_with_letters_are_no_numbers() {
        let days = |from: &str, to: &str| number(to).unwrap() - number(from).unwrap();
        for (from, to, expected) in [
            ("1999-12-31", "2000-01-01", 1.0),
            ("2000-02-28", "2000-03-01", 2.0),
            ("1900-02-28", "1900-03-01", 1.0),
            ("1.1.2023", "1.1.2024", 365.0),
            ("1.5", "3", 1.5),
        ] {
            assert!((days(from, to) - expected).abs() < 1e-9, "{from} to {to}");
        }
        for text in ["", "nan", "inf", "A12", "12a", "2023-02-30"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    /// What is kept of records with these numbers, a hundred at most.
    fn sampled(numbers: impl Iterator<Item = u32>) -> RecordSample {
        let mut sample = RecordSample::new(vec![0], 100);
        for number in numbers {
            let text = number.to_string();
            sample.add(&[text.as_str()], &[hash(&text)], 1);
        }
        sample
    }

    #[test]
    fn which_records_are_kept_does_not_depend_on_their_order_or_on_threads() {
        let kept = |sample: &RecordSample| {
            let columns = sample.columns();
            let numbers: Vec<f64> = columns.numbers(0).into_iter().flatten().collect();
            (numbers, columns.weights())
        };
        let rising = sampled((0..5000).chain(0..5000));
        let (numbers, weights) = kept(&rising);
        assert!((25..=100).contains(&numbers.len()), "{}", numbers.len());
        assert!(weights.iter().all(|&records| records == 2));
        let falling = sampled((0..5000).rev().chain((0..5000).rev()));
        assert_eq!(kept(&falling), (numbers.clone(), weights.clone()));
        let mut parts = sampled(0..2500);
        parts.merge(sampled(2500..5000));
        parts.merge(sampled(0..5000));
        assert_eq!(kept(&parts), (numbers, weights));
    }
}
