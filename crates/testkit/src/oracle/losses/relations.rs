//! Measures of what is still known of the sensitive attribute.

use super::groups::inflation;
use super::published::{Record, Weighed};
use crate::oracle::definitions::earth_movers_distance;

/// How far the sensitive values of some records are from those of all.
fn distance(of: &Weighed<'_>, records: &[usize]) -> f64 {
    let values = of.sensitive_values();
    let count = |records: &[usize]| -> Vec<u64> {
        let times = |v: &&str| records.iter().filter(|&&r| of.class(r) == *v).count() as u64;
        values.iter().map(times).collect()
    };
    let (here, all) = (records.len() as u64, of.records.len() as u64);
    let counts = count(records);
    let known = of.losses.distances.borrow().get(&(of.sensitive, counts.clone())).copied();
    known.unwrap_or_else(|| {
        let everybody: Vec<usize> = (0..of.records.len()).collect();
        // Times both sizes, so that all masses are whole numbers.
        let masses = |counts: &[u64], times: u64| -> Vec<f64> {
            counts.iter().map(|&count| (count * times) as f64).collect()
        };
        let (from, to) = (masses(&counts, all), masses(&count(&everybody), here));
        let cost = earth_movers_distance(|i, j| apart(&values, i, j), &from, &to);
        let distance = cost / (here * all) as f64;
        of.losses.distances.borrow_mut().insert((of.sensitive, counts), distance);
        distance
    })
}

/// How far apart two values are: their places over the most, if all are numbers.
fn apart(values: &[&str], i: usize, j: usize) -> f64 {
    let numbers = values.iter().all(|value| value.parse::<f64>().is_ok());
    match (i == j, numbers) {
        (true, _) => 0.0,
        (false, true) => i.abs_diff(j) as f64 / (values.len() - 1) as f64,
        (false, false) => 1.0,
    }
}

/// What was known of a record, and what still is.
fn known(of: &Weighed<'_>, record: &Record) -> (f64, f64) {
    let now = record.group.as_ref().map_or(0.0, |group| distance(of, group));
    (distance(of, &record.alike), now)
}

/// The variance that is gone.
pub(super) fn variance(of: &Weighed<'_>) -> f64 {
    let known = of.records.iter().map(|record| self::known(of, record));
    known.map(|(before, now)| before - now).sum()
}

/// The same, each record's times its entropy volume inflation.
pub(super) fn hybrid(of: &Weighed<'_>) -> f64 {
    let lost = |record: &Record| {
        let (before, now) = known(of, record);
        (before - now) * inflation(of, record).log2()
    };
    of.records.iter().map(lost).sum()
}
