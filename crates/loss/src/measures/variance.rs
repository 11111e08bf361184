//! Variance loss: how much of the groups' difference in the sensitive attribute is lost.
//!
//! Definition: the variance of a table is the sum over records of the earth mover's distance
//! between the sensitive values of the record's group and those of the whole table; the loss is the
//! variance of the table as recorded minus that of the publication. Formula: `Var_T(Q) −
//! Var_T*(Q*)`. Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive
//! Attributes", 2008, definition 4.4.2. A suppressed record contributes nothing.

use std::sync::Arc;

use haggle_cube::{Distance, Generalized, Group, KeptGroups, Loss, Payload};

use crate::basis::distance_of;
use crate::Measure;

pub(super) const MEASURE: Measure = Measure {
    id: "variance",
    title: "tuple-wise variance loss",
    definition: "How much less the groups' distributions of the sensitive attribute differ from that of the whole table than they did as recorded, summed over records.",
    formula: "sum over records of EMD(q as recorded, p) - sum over kept records of EMD(q, p)",
    range: "0 to the variance of the table as recorded",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Of two men one has flu and one a cold, both women have a cold: as recorded by sex, the men differ from the whole (1/4 flu) by 1/4 and so do the women, 1 in all. Published without sex nothing differs: the loss is 1.",
    suppressed: "as not different from the whole table",
    watches: true,
    weighted: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    loss: |basis| {
        let distance = basis.distance(MEASURE.id)?.clone();
        let as_recorded = basis.as_recorded[0];
        Ok(Box::new(Variance { distance, as_recorded }))
    },
};

/// The variance that is left.
#[derive(Debug)]
struct Variance {
    distance: Arc<dyn Distance>,
    as_recorded: f64,
}

impl Payload for Variance {
    fn id(&self) -> String {
        format!("{}:{}", MEASURE.id, self.distance.column().id)
    }

    fn width(&self) -> usize {
        1
    }

    fn watches(&self) -> Option<usize> {
        self.distance.column().watches
    }

    fn of(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let of = Group { records: group.records, values: group.values };
        numbers[0] = distance_of(self.distance.as_ref(), &of) * group.records as f64;
    }
}

impl Loss for Variance {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        self.as_recorded - kept.sums[0]
    }
}
