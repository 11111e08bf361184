//! Average class size: how many records a group has on average.
//!
//! Definition: the records divided by the groups, with all suppressed records as one more group.
//! Formula: N / (kept groups + 1 if any record is suppressed). Citation: `LeFevre` et al.,
//! "Mondrian multidimensional k-anonymity", ICDE 2006.

use haggle_cube::{ExpectedGroups, KeptGroups, Loss};

use super::cells::without_payload;
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "average-class-size",
    title: "average class size",
    definition: "How many records a group has on average, with the suppressed ones as one more group.",
    formula: "N / (kept groups + 1 if any record is suppressed)",
    range: "1 (every record alone) to N",
    citation: "K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006",
    example: "Ten records in groups of 3, 3 and 4: 10/3. With one group of 3 suppressed the groups are still three.",
    suppressed: "as one group",
    watches: false,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: false,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |_| Ok(Box::new(AverageClassSize)),
};

/// Records over groups.
#[derive(Debug)]
struct AverageClassSize;

without_payload!(AverageClassSize, MEASURE.id);

impl Loss for AverageClassSize {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let groups = kept.groups + u64::from(kept.suppressed > 0);
        (kept.records + kept.suppressed) as f64 / groups.max(1) as f64
    }

    fn is_exact(&self) -> bool {
        true
    }

    /// The records over the expected groups, whose number varies little if there are many.
    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        Some(kept.all() / (kept.groups + kept.any_suppressed).max(1.0))
    }
}
