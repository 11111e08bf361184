//! The records that a query selects, in total and by the value of its target.

use std::collections::BTreeMap;

/// Records, possibly fractional, in total and by the code of the target's value.
///
/// They are never reduced to shares: that corrected totals are numbers of records says how far a
/// correction may be trusted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryTally {
    /// The records that are selected.
    pub total: f64,
    /// The selected records by the code of the target's value; empty if there is no target.
    pub values: BTreeMap<u32, f64>,
}

impl QueryTally {
    pub(super) fn add(&mut self, code: u32, records: f64) {
        if records > 0.0 {
            *self.values.entry(code).or_default() += records;
        }
    }

    /// Returns the share of a value; none if nothing is selected.
    pub fn share(&self, code: u32) -> Option<f64> {
        let all: f64 = self.values.values().sum();
        (all > 0.0).then(|| self.values.get(&code).copied().unwrap_or(0.0) / all)
    }

    /// Returns the mean of the values that are numbers; none if none is.
    pub fn mean(&self, number: impl Fn(u32) -> Option<f64>) -> Option<f64> {
        let known = self.values.iter().filter_map(|(&code, &n)| Some((number(code)?, n)));
        let (sum, records) =
            known.fold((0.0, 0.0), |(sum, all), (number, n)| (sum + number * n, all + n));
        (records > 0.0).then(|| sum / records)
    }
}
