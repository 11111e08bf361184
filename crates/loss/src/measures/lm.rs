//! LM, the general loss metric: how many values each cell covers.
//!
//! Definition: a cell that covers v of an attribute's D values loses (v − 1)/(D − 1); the loss is
//! the mean over all cells. Formula: `Σ_cells (v − 1)/(D − 1) / (N·m)`. Citation: V. Iyengar,
//! "Transforming data to satisfy privacy constraints", KDD 2002. An attribute with one value loses
//! nothing; D counts the values of the hierarchy.

use haggle_model::{Hierarchy, Level};

use super::cells::CellCosts;
use crate::basis::LevelValue;
use crate::{Basis, ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "lm",
    title: "LM (general loss)",
    definition: "The mean over all cells of how many other values the published one covers, divided by how many there are.",
    formula: "sum over cells of w * (v - 1) / (D - 1), divided by the sum of all weights; v the values below the published one, D all",
    range: "0 (as recorded) to 1 (fully generalized)",
    citation: "V. Iyengar: Transforming data to satisfy privacy constraints. KDD 2002",
    example: "Of six countries three are in the EU: a cell that says EU loses (3 - 1) / (6 - 1) = 0.4.",
    suppressed: "as fully generalized",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |basis| Ok(Box::new(cells(basis))),
};

/// Builds the costs in whole numbers if they are not too large: (v − 1)/(D − 1), times a common
/// multiple of all D − 1.
fn cells(basis: &Basis<'_>) -> CellCosts {
    let others = |hierarchy: &Hierarchy| hierarchy.len(Level::RECORDED).max(2) as u64 - 1;
    let others: Vec<u64> = basis.hierarchies.iter().map(others).collect();
    let Some(common) = CellCosts::common(basis, &others) else {
        return CellCosts::new(MEASURE.id, basis.by_value(share), CellCosts::share(basis));
    };
    let weight = |(weight, others): (&f64, &u64)| weight * (common as u64 / others) as f64;
    let weights = basis.weights.iter().zip(&others).map(weight).collect();
    let costs = basis.weighted(|value| (value.leaves - 1) as f64, weights);
    CellCosts::whole(MEASURE.id, costs, common * CellCosts::share(basis))
}

/// (v − 1)/(D − 1) of a value.
pub(super) fn share(value: &LevelValue<'_>) -> f64 {
    (value.leaves - 1) as f64 / (value.domain.max(2) - 1) as f64
}
