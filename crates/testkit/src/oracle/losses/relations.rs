//! Measures of what is still known of the sensitive attribute.

use super::cells::uncertainty;
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

/// The variance over a set of quasi-identifiers that is gone: a record is compared with all records
/// of the table whose values of the set are among those that its published cells could mean.
pub(super) fn variance_over(of: &Weighed<'_>, set: &[usize]) -> f64 {
    let lost = |record: usize| {
        let (before, now) = block(of, set, record);
        distance(of, &before) - now.map_or(0.0, |now| distance(of, &now))
    };
    (0..of.records.len()).map(lost).sum()
}

/// The records that share a record's values of a set of quasi-identifiers, as recorded and as
/// published; none if it is suppressed.
fn block(of: &Weighed<'_>, set: &[usize], record: usize) -> (Vec<usize>, Option<Vec<usize>>) {
    let table = of.losses.table;
    let value = |record: usize, column: usize| &table.records[record][column];
    let same = |other: &usize| set.iter().all(|&c| value(*other, c) == value(record, c));
    let levels: Vec<usize> = set.iter().map(|&c| of.records[record].cells[c].level).collect();
    let label = |record: usize, column: usize, level: usize| {
        &of.losses.paths[column][value(record, column)][level]
    };
    let within = |other: &usize| {
        set.iter()
            .zip(&levels)
            .all(|(&c, &level)| label(*other, c, level) == label(record, c, level))
    };
    let all = || 0..of.records.len();
    let is_kept = of.records[record].group.is_some();
    (all().filter(same).collect(), is_kept.then(|| all().filter(within).collect()))
}

/// A volume measure of one record, from its published cells and the records like it.
pub(super) fn volume(of: &Weighed<'_>, name: &str, set: &[usize], record: usize) -> f64 {
    let cells = || set.iter().map(|&column| &of.records[record].cells[column]);
    let (before, now) = block(of, set, record);
    let grown = now.map_or(of.records.len(), |now| now.len()) as f64 / before.len() as f64;
    match name {
        "volume-inflation" => grown,
        "entropy-volume-inflation" => grown.log2(),
        "entropy" => cells().map(uncertainty).sum(),
        "monotone-entropy" => {
            cells().map(|cell| cell.records() / of.records.len() as f64 * uncertainty(cell)).sum()
        }
        "non-uniform-entropy" => {
            cells().map(|cell| (cell.records() / cell.own as f64).log2()).sum()
        }
        "precision" => {
            let climbing = cells().filter(|cell| cell.top > 0);
            climbing.map(|cell| cell.level as f64 / cell.top as f64).sum()
        }
        "redaction" => cells().filter(|cell| cell.starred).count() as f64,
        "lm" => {
            let wide = cells().filter(|cell| cell.domain > 1);
            wide.map(|cell| (cell.values() - 1.0) / (cell.domain as f64 - 1.0)).sum()
        }
        other => panic!("no volume is called '{other}'"),
    }
}

/// The variance over a set that each record lost, times a volume measure of it.
pub(super) fn hybrid_by(of: &Weighed<'_>, name: &str, set: &[usize]) -> f64 {
    let lost = |record: usize| {
        let (before, now) = block(of, set, record);
        let lost = distance(of, &before) - now.map_or(0.0, |now| distance(of, &now));
        lost * volume(of, name, set, record)
    };
    (0..of.records.len()).map(lost).sum()
}

/// The variance that is gone.
pub(super) fn variance(of: &Weighed<'_>) -> f64 {
    let known = of.records.iter().map(|record| self::known(of, record));
    known.map(|(before, now)| before - now).sum()
}

/// The variance that is gone, each record's times its entropy volume inflation.
pub(super) fn hybrid(of: &Weighed<'_>) -> f64 {
    let lost = |record: &Record| {
        let (before, now) = known(of, record);
        (before - now) * inflation(of, record).log2()
    };
    of.records.iter().map(lost).sum()
}
