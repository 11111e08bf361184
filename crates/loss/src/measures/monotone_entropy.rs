//! Monotone entropy loss: entropy loss, weighted by the probability of the published value.
//!
//! Definition: a cell that is published as B loses Pr(B) times the entropy of the recorded values
//! given B. Formula: `Σ_cells Pr(B)·H(X_j | B)`, in bits.
//! Citation: A. Gionis, T. Tassa, "k-Anonymization with minimal loss of information", ESA 2007;
//! S.-Y. Hsu, 2008, definition 4.2.4.

use super::cells::CellCosts;
use super::entropy::bits;
use crate::{ExpectedFrom, Measure};
use crate::basis::LevelValue;

pub(super) const MEASURE: Measure = Measure {
    id: "monotone-entropy",
    title: "monotone entropy loss",
    definition: "The bits of uncertainty about the recorded value of each cell, given the published one, times the probability of the latter, summed over all cells.",
    formula: "sum over cells of w * Pr(B) * H(X | B), in bits",
    range: "0 to the sum of the attributes' entropies times the records",
    citation: "A. Gionis, T. Tassa: k-Anonymization with minimal loss of information. ESA 2007",
    example: "China and India have 10 % each: a cell that says Asia loses 0.2 * 1 bit.",
    suppressed: "as fully generalized",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::CountedValues,
    loss: |basis| {
        let costs = basis.by_value(weighted_bits);
        Ok(Box::new(CellCosts::new(MEASURE.id, costs, 1.0)))
    },
};

/// The entropy of the recorded values below a value, times its probability.
pub(super) fn weighted_bits(value: &LevelValue<'_>) -> f64 {
    let below: u64 = value.counts.iter().sum();
    below as f64 / value.records as f64 * bits(value)
}
