//! Volume inflation: how much larger each record's group became.
//!
//! Definition: a record that shared its recorded values with `n_x` records and is published in a
//! group of `n_g` is inflated by `n_g` / `n_x`; a suppressed one by N / `n_x`. Formula: `Σ_records
//! Pr(q*) / Pr(q)`. Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive
//! Attributes", 2008, definition 4.4.5. The records that look like x add up to `n_g`, so a group
//! costs its size times its number of recorded combinations.

use haggle_cube::{Generalized, KeptGroups, Loss, Payload};

use crate::basis::WHOLE;
use crate::{Basis, ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "volume-inflation",
    title: "volume inflation",
    definition: "How many times larger the group of each record is than it was as recorded, summed over records.",
    formula: "sum over records of Pr(q*) / Pr(q)",
    range: "N (as recorded) to N times the recorded combinations",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Groups of 1 and 3 merge into one of 4: the first record is inflated by 4, the others by 4/3 each, 8 in all.",
    suppressed: "as in one group with all records",
    watches: false,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| Ok(Box::new(VolumeInflation::of(basis))),
};

/// Sizes times recorded combinations.
#[derive(Debug)]
struct VolumeInflation {
    combinations: f64,
    /// Whether even all records times all combinations are an exact number.
    exact: bool,
}

impl VolumeInflation {
    fn of(basis: &Basis<'_>) -> Self {
        let combinations = basis.base_groups as f64;
        Self { combinations, exact: combinations * (basis.records as f64) < WHOLE }
    }
}

impl Payload for VolumeInflation {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        2
    }

    fn carries(&self) -> bool {
        true
    }

    fn carried(&self, _: &Generalized<'_>) -> [f64; 3] {
        [1.0, 0.0, 0.0]
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let [combinations, ..] = group.carried;
        numbers[0] = combinations * group.records as f64;
        numbers[1] = combinations;
    }
}

impl Loss for VolumeInflation {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed) as f64;
        kept.sums[0] + all * (self.combinations - kept.sums[1])
    }

    fn is_exact(&self) -> bool {
        self.exact
    }
}
