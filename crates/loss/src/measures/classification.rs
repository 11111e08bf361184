//! Classification metric: how many records are not of their group's most frequent class.
//!
//! Definition: a record costs 1 if it is suppressed or its class is not the most frequent of its
//! group; the loss is the mean. Formula: (Σ (n − max n(c)) over kept groups + suppressed) / N.
//! Citation: V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002.
//! A missing class is never the most frequent one.

use haggle_cube::{ExpectedGroups, Generalized, KeptGroups, Loss, Payload};

use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "classification",
    title: "classification metric",
    definition: "The share of records that are suppressed or not of the most frequent class of their group.",
    formula: "(sum over kept groups of (n - max over classes of n(c)) + suppressed) / N",
    range: "0 (every group is of one class) to 1",
    citation: "V. Iyengar: Transforming data to satisfy privacy constraints. KDD 2002",
    example: "Groups of 3 rich and 1 poor and of 2 poor: 1 of 6 records is in the minority, 0.167. With the group of 2 suppressed: 3 of 6.",
    suppressed: "1 each",
    watches: true,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::AnySummary,
    loss: |basis| Ok(Box::new(Classification { class: basis.class(MEASURE.id)? })),
};

/// The records in the minority.
#[derive(Debug)]
struct Classification {
    class: usize,
}

impl Payload for Classification {
    fn id(&self) -> String {
        format!("{}:{}", MEASURE.id, self.class)
    }

    fn width(&self) -> usize {
        1
    }

    fn watches(&self) -> Option<usize> {
        Some(self.class)
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let most = group.values.iter().map(|value| value.count).max().unwrap_or(0);
        numbers[0] = (group.records - most) as f64;
    }
}

impl Loss for Classification {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        (kept.sums[0] + kept.suppressed as f64) / all
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        Some((kept.minority + kept.suppressed) / kept.all().max(f64::MIN_POSITIVE))
    }
}
