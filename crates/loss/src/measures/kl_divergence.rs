//! Kullback–Leibler divergence: how far the publication is from the table as a distribution.
//!
//! Definition: each published group is spread evenly over the combinations that it covers; the
//! divergence of the table from that, over its records. Suppressed records are one group that
//! covers everything. Formula: `(1/N) Σ_records ln(n_x·V_g / n_g)`, with `n_x` records like this
//! one, `n_g` in its group, which covers `V_g` combinations. Citation: D. Kifer, J. Gehrke,
//! "Injecting utility into anonymized datasets", SIGMOD 2006. More general schemes are never
//! closer, but suppressed records may fit their one box better than the groups that they were in.

use haggle_cube::{Generalized, KeptGroups, Loss, Payload};

use super::ambiguity::Volumes;
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "kl-divergence",
    title: "Kullback-Leibler divergence",
    definition: "How far the table is from the publication with every group spread evenly over the combinations that it covers.",
    formula: "(1/N) * sum over records of ln(n_x * V_g / n_g)",
    range: "0 (as recorded) upwards",
    citation: "D. Kifer, J. Gehrke: Injecting utility into anonymized datasets. SIGMOD 2006",
    example: "Three men and one woman published without sex: each is spread over two values, so (3 ln(3 * 2/4) + ln(2/4)) / 4 = 0.131.",
    suppressed: "as one group that covers everything",
    watches: false,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: false,
    additive: false,
    estimate: false,
    options: &[],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| {
        Ok(Box::new(KlDivergence { volumes: Volumes::of(basis), recorded: basis.base_entropy }))
    },
};

/// Σ n ln(n/V) over groups.
#[derive(Debug)]
struct KlDivergence {
    volumes: Volumes,
    recorded: f64,
}

fn spread(records: f64, volume: f64) -> f64 {
    if records == 0.0 { 0.0 } else { records * (records / volume).ln() }
}

impl Payload for KlDivergence {
    fn id(&self) -> String {
        MEASURE.id.into()
    }

    fn width(&self) -> usize {
        1
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        numbers[0] = spread(group.records as f64, self.volumes.of_group(group));
    }
}

impl Loss for KlDivergence {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        let suppressed = spread(kept.suppressed as f64, self.volumes.everything);
        (self.recorded - kept.sums[0] - suppressed) / all
    }
}
