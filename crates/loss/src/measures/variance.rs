//! Variance loss: how much of the groups' difference in the sensitive attribute is lost.
//!
//! Definition: the variance of a table is the sum over records of the earth mover's distance
//! between the sensitive values of the record's group and those of the whole table; the loss is the
//! variance of the table as recorded minus that of the publication. Formula: `Var_T(Q) −
//! Var_T*(Q*)`. Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive
//! Attributes", 2008, definitions 4.4.1 and 4.4.2, for the set Q of all quasi-identifiers or, with
//! `over`, of some. A suppressed record contributes nothing, but with `over` it is one of the records
//! by which the block of others is known.

use haggle_cube::{Generalized, KeptGroups, Loss, Payload};

use super::OVER;
use crate::blocks::Blocks;
use crate::{ExpectedFrom, Measure};

pub(super) const MEASURE: Measure = Measure {
    id: "variance",
    title: "tuple-wise variance loss",
    definition: "How much less the groups' distributions of the sensitive attribute differ from that of the whole table than they did as recorded, summed over records.",
    formula: "sum over records of EMD(q as recorded, p) - sum over kept records of EMD(q, p)",
    range: "0 to the variance of the table as recorded",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Of two men one has flu and one a cold, both women have a cold: as recorded by sex, the men differ from the whole (1/4 flu) by 1/4 and so do the women, 1 in all. Published without sex nothing differs: the loss is 1. With over=age only what age tells of the disease is counted.",
    suppressed: "as not different from the whole table; with over, the block of a published value has all records of the table within it, these included",
    watches: true,
    weighted: false,
    workload: false,
    monotone: true,
    suppressing_costs: true,
    additive: true,
    estimate: false,
    options: &[OVER],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| {
        let distance = basis.distance(MEASURE.id)?.clone();
        let mut variance = Variance { blocks: Blocks::of(basis, distance), as_recorded: 0.0 };
        let (mut as_recorded, bottom) = (0.0, basis.cube.space().bottom());
        basis.cube.for_each_generalized(&bottom, &variance, |base| {
            as_recorded += variance.of_group(base);
        });
        variance.as_recorded = as_recorded;
        Ok(Box::new(variance))
    },
};

/// The variance that is left.
#[derive(Debug)]
struct Variance {
    blocks: Blocks,
    as_recorded: f64,
}

impl Variance {
    /// The variance of a group's records.
    fn of_group(&self, group: &Generalized<'_>) -> f64 {
        self.blocks.block(group).distance * group.records as f64
    }
}

impl Payload for Variance {
    fn id(&self) -> String {
        format!("{}:{}", MEASURE.id, self.blocks.id())
    }

    fn width(&self) -> usize {
        1
    }

    fn watches(&self) -> Option<usize> {
        self.blocks.distance.column().watches
    }

    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        numbers[0] = self.of_group(group);
    }
}

impl Loss for Variance {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        self.as_recorded - kept.sums[0]
    }
}
