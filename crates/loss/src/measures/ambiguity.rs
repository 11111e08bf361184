//! Ambiguity: how many recorded combinations each published record covers.
//!
//! Definition: the mean over records of the product of how many values each of its cells covers.
//! Formula: `Σ_records Π v_i / N`. Citation: M. Nergiz, C. Clifton, "Thoughts on k-anonymization",
//! DKE 63(3), 2007.

use haggle_cube::{Generalized, KeptGroups, Loss, Payload};

use crate::basis::ByValue;
use crate::{Basis, ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "ambiguity",
    title: "ambiguity",
    definition: "How many combinations of recorded values each published record covers, on average.",
    formula: "sum over records of the product of v_i, divided by N",
    range: "1 (as recorded) to the product of all domains",
    citation: "M. Nergiz, C. Clifton: Thoughts on k-anonymization. Data & Knowledge Engineering 63(3), 2007",
    example: "Age in spans of five years and sex unknown: 5 * 2 = 10 combinations.",
    suppressed: "as fully generalized",
    watches: false,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| Ok(Box::new(Ambiguity { volumes: Volumes::of(basis) })),
};

/// How many recorded values each published value covers.
#[derive(Debug)]
pub(super) struct Volumes {
    leaves: ByValue,
    /// The product of all domains.
    pub(super) everything: f64,
}

impl Volumes {
    pub(super) fn of(basis: &Basis) -> Self {
        let leaves = basis.unweighted(|value| value.leaves as f64);
        let everything = leaves.most_general().product();
        Self { leaves, everything }
    }

    /// Returns the combinations that a group covers.
    pub(super) fn of_group(&self, group: &Generalized<'_>) -> f64 {
        self.leaves.of(group).product()
    }
}

/// The sum of volumes over all records.
#[derive(Debug)]
struct Ambiguity {
    volumes: Volumes,
}

impl Payload for Ambiguity {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        numbers[0] = self.volumes.of_group(group) * group.records as f64;
    }
}

impl Loss for Ambiguity {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        (kept.sums[0] + self.volumes.everything * kept.suppressed as f64) / all
    }
}
