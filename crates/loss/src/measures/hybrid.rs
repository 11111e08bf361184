//! Hybrid loss: the variance that each record lost, times how much its group grew.
//!
//! Definition: a record whose recorded group differed from the whole table by `V_x` and whose
//! published group differs by `V_g` costs (`V_x` − `V_g`) times its entropy volume inflation.
//! Formula: `Σ_records (V_x − V_g) · log2(n_g / n_x)`. Citation: S.-Y. Hsu, "Database Anonymization
//! and Protections of Sensitive Attributes", 2008, definition 4.4.6, with the entropy volume
//! inflation as the volume measure. Expanded, it adds up over groups, from sums carried up from the
//! recorded combinations. The source says that it is monotone; it is not, because a merged group
//! may differ more than one of its parts.

use std::sync::Arc;

use haggle_cube::{Distance, Generalized, Group, KeptGroups, Loss, Payload};

use crate::basis::distance_of;
use crate::Measure;

pub(super) const MEASURE: Measure = Measure {
    id: "hybrid",
    title: "hybrid loss",
    definition: "The variance that each record's group lost, times the bits by which it grew, summed over records.",
    formula: "sum over records of (V_x - V_g) * log2(n_g / n_x)",
    range: "0 (as recorded) upwards; below 0 if groups differ more than they did",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Two groups of 1 that differ by 0.5 from the whole merge into one that does not differ: each record costs 0.5 * 1 bit, 1 in all.",
    suppressed: "as not different from the whole table, in one group with all records",
    watches: true,
    weighted: false,
    monotone: false,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    loss: |basis| {
        let distance = basis.distance(MEASURE.id)?.clone();
        let [variance, weighted] = basis.as_recorded;
        Ok(Box::new(Hybrid { distance, variance, weighted }))
    },
};

/// Sums of variance and of its product with log n.
#[derive(Debug)]
struct Hybrid {
    distance: Arc<dyn Distance>,
    /// Σ n V over the recorded combinations.
    variance: f64,
    /// Σ n V log₂ n over them.
    weighted: f64,
}

impl Hybrid {
    fn distance(&self, group: &Generalized<'_>) -> f64 {
        let group = Group { records: group.records, values: group.values };
        distance_of(self.distance.as_ref(), &group)
    }
}

impl Payload for Hybrid {
    fn id(&self) -> String {
        format!("{}:{}", MEASURE.id, self.distance.column().id)
    }

    fn width(&self) -> usize {
        3
    }

    fn watches(&self) -> Option<usize> {
        self.distance.column().watches
    }

    fn carries(&self) -> bool {
        true
    }

    /// Σ n V, Σ n V log n and Σ n log n.
    fn carried(&self, base: &Generalized<'_>) -> [f64; 3] {
        let records = base.records as f64;
        let variance = records * self.distance(base);
        [variance, variance * records.log2(), records * records.log2()]
    }

    fn of(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let [variance, weighted, entropy] = group.carried;
        let (records, distance) = (group.records as f64, self.distance(group));
        let grown = records.log2();
        numbers[0] = grown * variance - weighted - distance * (records * grown - entropy);
        numbers[1] = variance;
        numbers[2] = weighted;
    }
}

impl Loss for Hybrid {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let all = (kept.records + kept.suppressed).max(1) as f64;
        let (variance, weighted) = (self.variance - kept.sums[1], self.weighted - kept.sums[2]);
        kept.sums[0] + all.log2() * variance - weighted
    }
}
