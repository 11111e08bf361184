//! Entropy loss: how uncertain the recorded value of each cell became.
//!
//! Definition: a cell that is published as B loses the entropy of the recorded values given B, with
//! the distribution of the table. Formula: `Σ_cells H(X_j | B)`, in bits. Citation: A. Gionis, T.
//! Tassa, "k-Anonymization with minimal loss of information", ESA 2007; S.-Y. Hsu, 2008, definition
//! 4.2.1. A single cell may lose more than if it were suppressed, because a rare part of the domain
//! may be more uncertain than the whole; over all cells of a scheme the loss rises with the levels.

use super::cells::CellCosts;
use crate::{ExpectedFrom, Measure};
use crate::basis::LevelValue;

pub(super) const MEASURE: Measure = Measure {
    id: "entropy",
    title: "entropy loss",
    definition: "The bits of uncertainty about the recorded value of each cell, given the published one, summed over all cells.",
    formula: "sum over cells of w * H(X | B), in bits",
    range: "0 to the sum of the attributes' entropies times the records, or a little more",
    citation: "A. Gionis, T. Tassa: k-Anonymization with minimal loss of information. ESA 2007",
    example: "China and India have 10 % each, Canada 45 % and the United States 35 %. A cell that says Asia loses 1 bit, one that says Americas 0.99.",
    suppressed: "as fully generalized",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: false,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::CountedValues,
    loss: |basis| Ok(Box::new(CellCosts::new(MEASURE.id, basis.by_value(bits), 1.0))),
};

/// The entropy of the recorded values below a value, in bits.
pub(super) fn bits(value: &LevelValue<'_>) -> f64 {
    let below: u64 = value.counts.iter().sum();
    let term = |count: &u64| {
        let share = *count as f64 / below as f64;
        if *count == 0 { 0.0 } else { -share * share.log2() }
    };
    value.counts.iter().map(term).sum()
}
