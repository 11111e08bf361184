//! LM, the general loss metric: how many values each cell could stand for.
//!
//! Definition: a cell that stands for v of an attribute's D values loses (v − 1)/(D − 1); the loss is
//! the mean over all cells. Formula: `Σ_cells (v − 1)/(D − 1) / (N·m)`.
//! Citation: V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002.
//! An attribute with one value loses nothing; D counts the values of the hierarchy.

use super::cells::Cells;
use crate::Measure;

pub(super) const MEASURE: Measure = Measure {
    id: "lm",
    title: "LM (general loss)",
    definition: "The mean over all cells of how many other values the published one could stand for, over how many there are.",
    formula: "sum over cells of w * (v - 1) / (D - 1), divided by the sum of all weights; v the values below the published one, D all",
    range: "0 (as recorded) to 1 (nothing is told)",
    citation: "V. Iyengar: Transforming data to satisfy privacy constraints. KDD 2002",
    example: "Of six countries three are in the EU: a cell that says EU loses (3 - 1) / (6 - 1) = 0.4.",
    suppressed: "as fully generalized",
    watches: false,
    weighted: true,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    loss: |basis| {
        let costs = basis.by_value(|value| match value.domain {
            1 => 0.0,
            domain => (value.leaves - 1) as f64 / (domain - 1) as f64,
        });
        Ok(Box::new(Cells::new(MEASURE.id, costs, Cells::share(basis))))
    },
};
