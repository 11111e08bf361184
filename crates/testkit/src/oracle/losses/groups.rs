//! Measures of the records that look like each record.

use std::collections::BTreeMap;

use super::published::{Cell, Record, Weighed};

fn sum(of: &Weighed<'_>, cost: impl Fn(&Record) -> f64) -> f64 {
    of.records.iter().map(cost).sum()
}

/// Those that look like a record: all of them, if it is suppressed.
fn crowd(of: &Weighed<'_>, record: &Record) -> f64 {
    record.group.as_ref().map_or(of.records.len(), |group| group.len()) as f64
}

/// How many records look like each record.
pub(super) fn discernibility(of: &Weighed<'_>) -> f64 {
    sum(of, |record| crowd(of, record))
}

/// Records over groups, the suppressed ones being one.
pub(super) fn average_class_size(of: &Weighed<'_>) -> f64 {
    let suppressed = of.records.iter().any(|record| record.group.is_none());
    of.records.len() as f64 / (of.groups + usize::from(suppressed)) as f64
}

/// The share of records in the minority of their group; of several most frequent classes one is it.
pub(super) fn classification(of: &Weighed<'_>) -> f64 {
    let minority = |position: usize| match &of.records[position].group {
        None => true,
        Some(group) => {
            let mut times: BTreeMap<&str, usize> = BTreeMap::new();
            for &record in &**group {
                *times.entry(of.class(record)).or_default() += 1;
            }
            let most = times.iter().rev().max_by_key(|(_, times)| **times);
            most.is_none_or(|(class, _)| of.class(position) != *class)
        }
    };
    let all = of.records.len();
    (0..all).filter(|&position| minority(position)).count() as f64 / all as f64
}

/// The divergence of the table from each group spread evenly over what it could mean.
pub(super) fn kl_divergence(of: &Weighed<'_>) -> f64 {
    let all = of.records.len() as f64;
    let suppressed = of.records.iter().filter(|record| record.group.is_none()).count();
    let divergence = |record: &Record| {
        let looks_alike = record.group.as_ref().map_or(suppressed, |group| group.len()) as f64;
        let combinations: f64 = record.cells.iter().map(Cell::values).product();
        let recorded = record.alike.len() as f64 / all;
        let published = looks_alike / all / combinations;
        (recorded / published).ln()
    };
    sum(of, divergence) / all
}

/// Pr(q*)/Pr(q) of a record.
pub(super) fn inflation(of: &Weighed<'_>, record: &Record) -> f64 {
    crowd(of, record) / record.alike.len() as f64
}

/// How much likelier what is published of each record is than what was recorded, summed up.
pub(super) fn volume_inflation(of: &Weighed<'_>) -> f64 {
    sum(of, |record| inflation(of, record))
}

/// How much likelier what is published of each record is than what was recorded, in bits, summed
/// up.
pub(super) fn entropy_volume_inflation(of: &Weighed<'_>) -> f64 {
    sum(of, |record| inflation(of, record).log2())
}
