//! Precision loss (the tree measure): the height of each cell in its hierarchy.
//!
//! Definition: the mean over all cells of level over top; a suppressed record counts as fully
//! generalized. Formula: `Σ_cells l/top / (N·m)`.
//! Citation: L. Sweeney, "Achieving k-anonymity privacy protection using generalization and
//! suppression", 2002; as the tree measure G. Aggarwal et al., "Anonymizing tables", ICDT 2005.
//! An attribute without levels loses nothing.

use haggle_cube::{ExpectedGroups, KeptGroups, Loss};
use haggle_model::Scheme;

use super::cells::without_payload;
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "precision",
    title: "precision loss (tree measure)",
    definition: "The mean over all cells of the published value's level relative to the top of its hierarchy.",
    formula: "sum over cells of w * level / top, divided by the same with every level at the top",
    range: "0 (as recorded) to 1 (fully generalized)",
    citation: "L. Sweeney: Achieving k-anonymity privacy protection using generalization and suppression. IJUFKS 10(5), 2002",
    example: "Age at level 2 of 4 and sex as recorded, nothing suppressed: (0.5 + 0) / 2 = 0.25. With a tenth of the records suppressed: 0.9 * 0.25 + 0.1 = 0.325.",
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
    loss: |basis| {
        let tops = basis.hierarchies.iter().map(|hierarchy| u8::from(hierarchy.top()));
        let pairs = tops.zip(&basis.weights);
        let (tops, weights) = pairs.map(|(top, weight)| (f64::from(top), *weight)).unzip();
        Ok(Box::new(Precision { tops, weights }))
    },
};

/// The weighted mean of level over top.
#[derive(Debug)]
struct Precision {
    tops: Vec<f64>,
    weights: Vec<f64>,
}

without_payload!(Precision, MEASURE.id);

impl Precision {
    /// Returns the loss of records that are kept with these mean levels, and of suppressed ones.
    fn loss_at(&self, level: impl Fn(usize) -> f64, records: f64, suppressed: f64) -> f64 {
        let attributes = self.tops.iter().zip(&self.weights).enumerate();
        let (mut cost, mut most) = (0.0, 0.0);
        for (position, (top, weight)) in attributes.filter(|(_, (top, _))| **top > 0.0) {
            cost += weight * level(position) / top;
            most += weight;
        }
        let all = (records + suppressed) * most;
        let lost = records * cost + suppressed * most;
        if all == 0.0 { 0.0 } else { lost / all }
    }
}

impl Loss for Precision {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let level = |position| kept.levels.mean(position);
        self.loss_at(level, kept.records as f64, kept.suppressed as f64)
    }

    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        Some(self.loss(&KeptGroups::all(scheme, &[], records)))
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        Some(self.loss_at(|position| kept.mean_level(position), kept.records, kept.suppressed))
    }
}
