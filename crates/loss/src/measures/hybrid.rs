//! Hybrid loss: the variance that each record lost, times how much its published form covers.
//!
//! Definition: a record whose recorded block differed from the whole table by `V_x` and whose
//! published block differs by `V_g` costs (`V_x` − `V_g`) times a volume measure of the record, by
//! default its entropy volume inflation. Formula: `Σ_records (V_x − V_g) · Π(x, g)`. Citation: S.-Y.
//! Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, definition 4.4.6.
//! Expanded, it adds up over groups, from sums carried up from the recorded combinations. The source
//! says that it is monotone; it is not, because a merged group may differ more than one of its
//! parts. With the entropy as the volume, a suppressed cell may cover less than a published one.

use haggle_cube::{Generalized, KeptGroups, Loss, Payload};

use super::OVER;
use super::volumes::{VOLUMES, Volume};
use crate::blocks::Blocks;
use crate::{Basis, Error, ExpectedFrom, Measure, MeasureOption};

pub(super) const MEASURE: Measure = Measure {
    id: "hybrid",
    title: "hybrid loss",
    definition: "The variance that each record's group lost, times how much its published form covers (by default the bits by which its group grew), summed over records.",
    formula: "sum over records of (V_x - V_g) * P(x, g), P the volume measure: log2(n_g / n_x) by default",
    range: "0 (as recorded) upwards; below 0 if groups differ more than they did",
    citation: "S.-Y. Hsu: Database Anonymization and Protections of Sensitive Attributes. MSc thesis, Lakehead University, 2008",
    example: "Two groups of 1 that differ by 0.5 from the whole merge into one that does not differ: each record costs 0.5 * 1 bit, 1 in all. With volume=volume-inflation each costs 0.5 * 2, 2 in all.",
    suppressed: "as not different from the whole table, in one group with all records; with over, the block of a published value has all records of the table within it, these included",
    watches: true,
    weighted: false,
    workload: false,
    monotone: false,
    suppressing_costs: false,
    additive: true,
    estimate: false,
    options: &[
        MeasureOption {
            name: "volume",
            meaning: "how much the published form of a record covers: one of the measures of volume, each for a single record (precision is the tree measure)",
            options: VOLUMES,
        },
        OVER,
    ],
    expected_from: ExpectedFrom::Nothing,
    loss: |basis| Ok(Box::new(Hybrid::of(basis)?)),
};

/// Sums of variance and of its products with volumes.
#[derive(Debug)]
struct Hybrid {
    name: &'static str,
    blocks: Blocks,
    volume: Volume,
    /// What the recorded combinations carry, summed.
    all: [f64; 3],
}

impl Hybrid {
    fn of(basis: &Basis<'_>) -> Result<Self, Error> {
        let distance = basis.distance(MEASURE.id)?.clone();
        let name = basis.volume.unwrap_or(VOLUMES[0]);
        let volume = Volume::named(basis, name)?;
        let mut hybrid = Self { name, blocks: Blocks::of(basis, distance), volume, all: [0.0; 3] };
        let (mut all, bottom) = ([0.0; 3], basis.cube.space().bottom());
        basis.cube.for_each_generalized(&bottom, &hybrid, |base| {
            all.iter_mut().zip(hybrid.carried(base)).for_each(|(sum, one)| *sum += one);
        });
        hybrid.all = all;
        Ok(hybrid)
    }
}

impl Payload for Hybrid {
    fn id(&self) -> String {
        format!("{}:{}:{}", MEASURE.id, self.name, self.blocks.id())
    }

    fn width(&self) -> usize {
        3
    }

    fn watches(&self) -> Option<usize> {
        self.blocks.distance.column().watches
    }

    fn carries(&self) -> bool {
        true
    }

    /// Σ n V, Σ n V a and Σ n a; or, divided by the records m₀ of the recorded block, Σ n V / m₀
    /// and Σ n / m₀.
    fn carried(&self, base: &Generalized<'_>) -> [f64; 3] {
        let (records, block) = (base.records as f64, self.blocks.block(base));
        let variance = records * block.distance;
        match &self.volume {
            Volume::Inflation => [variance / block.records, records / block.records, 0.0],
            Volume::Bits(bits) => {
                let a = bits.of_block(base, block, &self.blocks);
                [variance, variance * a, records * a]
            }
            Volume::Published(_) => [variance, 0.0, 0.0],
        }
    }

    /// The loss of the group's records, and of what it carries all that suppression needs.
    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]) {
        let [first, second, third] = group.carried;
        let (records, block) = (group.records as f64, self.blocks.block(group));
        let distance = block.distance;
        numbers[0] = match &self.volume {
            Volume::Inflation => block.records * (first - distance * second),
            Volume::Bits(bits) => {
                let b = bits.of_block(group, block, &self.blocks);
                second - b * first - distance * (third - b * records)
            }
            Volume::Published(cost) => {
                cost.of_group(group, &self.blocks) * (first - records * distance)
            }
        };
        (numbers[1], numbers[2]) = (first, second);
    }
}

impl Loss for Hybrid {
    fn loss(&self, kept: &KeptGroups<'_>) -> f64 {
        let records = (kept.records + kept.suppressed).max(1) as f64;
        let (first, second) = (self.all[0] - kept.sums[1], self.all[1] - kept.sums[2]);
        let suppressed = match &self.volume {
            Volume::Inflation => records * first,
            Volume::Bits(bits) => second - bits.of_nothing(records) * first,
            Volume::Published(cost) => cost.of_nothing(&self.blocks) * first,
        };
        kept.sums[0] + suppressed
    }
}
