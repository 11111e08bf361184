//! The measure of queries: counts of the most frequent values, and of two neighbouring ones together.

use super::published::{Record, Weighed};

/// The mean relative error of the counts of each attribute's most frequent value, alone and together
/// with that of the next attribute.
pub(super) fn query_error(of: &Weighed<'_>) -> f64 {
    let columns = of.losses.counts.len();
    let pairs =
        (0..columns).flat_map(|one| (one..columns.min(one + 2)).map(move |other| [one, other]));
    let errors: Vec<f64> = pairs.filter_map(|pair| error(of, pair)).collect();
    errors.iter().sum::<f64>() / errors.len() as f64
}

/// The error of a count; none if nothing is counted as recorded. Twice the same attribute is it alone.
fn error(of: &Weighed<'_>, [one, other]: [usize; 2]) -> Option<f64> {
    let usual = |column: usize| of.losses.usual(column);
    let table = of.losses.table.records.iter();
    let selected =
        table.filter(|r| r[one] == usual(one) && r[other] == usual(other)).count() as f64;
    let likely = |record: &Record, column: usize| {
        let cell = &record.cells[column];
        let own = of.losses.counts[column][usual(column)] as f64;
        if cell.could_be_usual { own / cell.records() } else { 0.0 }
    };
    let counted = of.records.iter().filter(|record| record.group.is_some()).map(|record| {
        let alone = likely(record, one);
        if one == other { alone } else { alone * likely(record, other) }
    });
    (selected > 0.0).then(|| (counted.sum::<f64>() - selected).abs() / selected)
}
