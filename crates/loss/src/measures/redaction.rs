//! Redaction count: how many cells say nothing.
//!
//! Definition: the number of cells that are published as `*`. Formula: |{cells = *}|.
//! Citation: A. Meyerson, R. Williams, "On the complexity of optimal k-anonymity", PODS 2004.

use haggle_cube::{Kept, Loss};
use haggle_model::{Hierarchy, Level, Scheme};

use super::cells::without_payload;
use crate::Measure;

pub(super) const MEASURE: Measure = Measure {
    id: "redaction",
    title: "redaction count",
    definition: "The number of cells that are published as *.",
    formula: "sum over cells that are * of w",
    range: "0 to records times quasi-identifiers",
    citation: "A. Meyerson, R. Williams: On the complexity of optimal k-anonymity. PODS 2004",
    example: "Ten records, race at the top and age below it, one record suppressed: 9 * 1 + 1 * 2 = 11 cells.",
    suppressed: "as * in every quasi-identifier",
    watches: false,
    weighted: true,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    loss: |basis| {
        let tops = basis.hierarchies.iter().map(Hierarchy::top).collect();
        Ok(Box::new(Redaction { tops, weights: basis.weights.clone() }))
    },
};

/// The weighted number of cells at the top.
#[derive(Debug)]
struct Redaction {
    tops: Vec<Level>,
    weights: Vec<f64>,
}

without_payload!(Redaction, MEASURE.id);

impl Loss for Redaction {
    fn loss(&self, kept: &Kept<'_>) -> f64 {
        let attributes = self.tops.iter().zip(&self.weights).enumerate();
        let starred = |(position, (top, weight)): (usize, (&Level, &f64))| {
            weight * kept.levels.share_at(position, *top)
        };
        let starred: f64 = attributes.map(starred).sum();
        let all: f64 = self.weights.iter().sum();
        kept.records as f64 * starred + kept.suppressed as f64 * all
    }

    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        Some(self.loss(&Kept::all(scheme, &[], records)))
    }
}
