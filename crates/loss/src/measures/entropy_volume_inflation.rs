//! Entropy volume inflation: by how many bits each record's group grew.
//!
//! Definition: the logarithm of the volume inflation factor of each record. Formula: `Σ_records
//! log2(Pr(q*) / Pr(q))`. Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive
//! Attributes", 2008, definition 4.4.5. If attributes are independent it is the non-uniform entropy
//! loss.

use haggle_cube::{Generalized, KeptGroups, Loss, Payload};

use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "entropy-volume-inflation",
    title: "entropy volume inflation",
    definition: "The logarithm of how many times larger the group of each record is than it was as recorded, summed over records.",
    formula: "sum over records of log2(Pr(q*) / Pr(q))",
    range: "0 (as recorded) to the entropy of the recorded combinations times N",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Groups of 1 and 3 merge into one of 4: 2 bits for the first record and log2(4/3) for each of the others, 3.25 in all.",
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
    loss: |basis| {
        let recorded = basis.base_entropy / std::f64::consts::LN_2;
        Ok(Box::new(EntropyVolumeInflation { recorded }))
    },
};

/// Σ n log₂ n.
#[derive(Debug)]
struct EntropyVolumeInflation {
    /// Over the recorded combinations.
    recorded: f64,
}

impl Payload for EntropyVolumeInflation {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let records = group.records as f64;
        numbers[0] = records * records.log2();
    }
}

impl Loss for EntropyVolumeInflation {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        kept.sums[0] + kept.suppressed as f64 * all.log2() - self.recorded
    }
}
