//! Height: the sum of the levels.
//!
//! Definition: how many levels the attributes are raised in total. Formula: `Σ l_i`. Citation: P.
//! Samarati, "Protecting respondents' identities in microdata release", 2001. Suppressed records do
//! not count; weights multiply the levels.

use haggle_cube::{ExpectedGroups, KeptGroups, Loss};
use haggle_model::Scheme;

use super::cells::without_payload;
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "height",
    title: "height",
    definition: "How many levels the quasi-identifiers are raised in total.",
    formula: "sum of w_i * level_i; the mean of that over the records kept, where their levels differ",
    range: "0 to the height of the most general scheme",
    citation: "P. Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001",
    example: "The scheme [2,1,0] has the height 3, whatever it suppresses.",
    suppressed: "not counted",
    watches: false,
    weighted: true,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |basis| Ok(Box::new(Height { weights: basis.weights.clone() })),
};

/// The weighted sum of levels.
#[derive(Debug)]
struct Height {
    weights: Vec<f64>,
}

without_payload!(Height, MEASURE.id);

impl Loss for Height {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let weights = self.weights.iter().enumerate();
        weights.map(|(position, weight)| weight * kept.levels.mean(position)).sum()
    }

    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        Some(self.loss(&KeptGroups::all(scheme, &[], records)))
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        let weights = self.weights.iter().enumerate();
        Some(weights.map(|(position, weight)| weight * kept.mean_level(position)).sum())
    }
}
