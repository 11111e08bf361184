//! Measures of single cells.

use super::published::{Cell, Weighed};

/// A cost of each cell times the attribute's weight, over all cells.
fn sum(of: &Weighed<'_>, cost: impl Fn(&Cell) -> f64) -> f64 {
    let record = |cells: &Vec<Cell>| -> f64 {
        cells.iter().zip(of.weights).map(|(cell, weight)| weight * cost(cell)).sum()
    };
    of.records.iter().map(|record_| record(&record_.cells)).sum()
}

/// What is lost, of what there was to lose.
fn share(lost: f64, all: f64) -> f64 {
    if all == 0.0 { 0.0 } else { lost / all }
}

/// Σ w·level; suppressed records do not count.
pub(super) fn height(of: &Weighed<'_>) -> f64 {
    of.levels.iter().zip(of.weights).map(|(level, weight)| weight * level).sum()
}

/// The relative level of each cell, on average; attributes without levels do not count.
pub(super) fn precision(of: &Weighed<'_>) -> f64 {
    let climbs = |cell: &Cell| f64::from(u8::from(cell.top > 0));
    let climbed = |cell: &Cell| share(cell.level as f64, cell.top as f64);
    share(sum(of, climbed), sum(of, climbs))
}

/// How many cells say nothing.
pub(super) fn redaction(of: &Weighed<'_>) -> f64 {
    sum(of, |cell| f64::from(u8::from(cell.starred)))
}

/// (v − 1)/(D − 1) on average.
pub(super) fn lm(of: &Weighed<'_>) -> f64 {
    let lost = sum(of, |cell| share(cell.values() - 1.0, cell.domain as f64 - 1.0));
    share(lost, sum(of, |_| 1.0))
}

/// The geometric mean of what each attribute loses, between v/D as recorded and 1.
pub(super) fn normalised_loss(of: &Weighed<'_>) -> f64 {
    let total: f64 = of.weights.iter().sum();
    let factor = |(column, weight): (usize, &f64)| -> f64 {
        let cells = || of.records.iter().map(|record| &record.cells[column]);
        let covered: f64 = cells().map(|cell| cell.values() / cell.domain as f64).sum();
        let least: f64 = cells().map(|cell| 1.0 / cell.domain as f64).sum();
        let lost = share(covered - least, cells().count() as f64 - least);
        (1.0 + lost).powf(share(*weight, total))
    };
    of.weights.iter().enumerate().map(factor).product::<f64>() - 1.0
}

/// The entropy of a cell's recorded value, given what is published, in bits.
pub(super) fn uncertainty(cell: &Cell) -> f64 {
    let all = cell.records();
    let probabilities = cell.could_be.iter().map(|&count| count as f64 / all);
    -probabilities.filter(|&p| p > 0.0).map(|p| p * p.log2()).sum::<f64>()
}

/// H(X|B), summed up.
pub(super) fn entropy(of: &Weighed<'_>) -> f64 {
    sum(of, uncertainty)
}

/// Pr(B)·H(X|B), summed up.
pub(super) fn monotone_entropy(of: &Weighed<'_>) -> f64 {
    let all = of.records.len() as f64;
    sum(of, |cell| cell.records() / all * uncertainty(cell))
}

/// −log Pr(x|B), summed up.
pub(super) fn non_uniform_entropy(of: &Weighed<'_>) -> f64 {
    sum(of, |cell| -(cell.own as f64 / cell.records()).log2())
}

/// How many combinations a record could mean, on average.
pub(super) fn ambiguity(of: &Weighed<'_>) -> f64 {
    let combinations = of.records.iter().map(|r| r.cells.iter().map(Cell::values).product::<f64>());
    combinations.sum::<f64>() / of.records.len() as f64
}
