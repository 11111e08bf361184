//! Volume measures of single records, by which hybrid loss weighs the variance that each lost.
//!
//! Each is expanded so that it adds up over groups.

use haggle_cube::{CodeMeaning, Generalized};

use super::entropy::bits;
use super::redaction::Redaction;
use super::{lm, monotone_entropy, non_uniform_entropy};
use crate::basis::ByValue;
use crate::blocks::{Block, Blocks};
use crate::{Basis, Error};

/// The measures that can be the volume, the usual one first.
pub(super) const VOLUMES: &[&str] = &[
    "entropy-volume-inflation",
    "volume-inflation",
    "non-uniform-entropy",
    "entropy",
    "monotone-entropy",
    "precision",
    "redaction",
    "lm",
];

/// How much the published form of a record covers in addition to the recorded one.
#[derive(Debug)]
pub(super) enum Volume {
    /// The records of the block over those as recorded: Π = m / m₀.
    Inflation,
    /// A difference of bits, those as recorded minus those published: Π = a − b.
    Bits(Bits),
    /// A cost of the published values alone.
    Published(CellCost),
}

/// The bits of information in a record.
#[derive(Debug)]
pub(super) enum Bits {
    /// −log₂ of the records of its block.
    Block,
    /// −log₂ Pr of each value, summed.
    Values(ByValue),
}

/// What a published value costs.
#[derive(Debug)]
pub(super) enum CellCost {
    ByValue(ByValue),
    /// Its level relative to the top of each attribute.
    Tree(Vec<f64>),
    Stars(Redaction),
}

impl Volume {
    /// Builds a volume measure by its name.
    pub(super) fn of(basis: &Basis<'_>, name: &str) -> Result<Self, Error> {
        let by_value = |number| Self::Published(CellCost::ByValue(basis.unweighted(number)));
        Ok(match name {
            "entropy-volume-inflation" => Self::Bits(Bits::Block),
            "volume-inflation" => Self::Inflation,
            "non-uniform-entropy" => {
                Self::Bits(Bits::Values(basis.unweighted(non_uniform_entropy::information)))
            }
            "entropy" => by_value(bits),
            "monotone-entropy" => by_value(monotone_entropy::weighted_bits),
            "lm" => by_value(lm::share),
            "precision" => {
                let tops = basis.hierarchies.iter().map(|h| f64::from(u8::from(h.top())));
                Self::Published(CellCost::Tree(tops.collect()))
            }
            "redaction" => Self::Published(CellCost::Stars(Redaction::of(basis))),
            _ => {
                let what = format!("'{name}' does not measure the volume of a record");
                return Err(Error::new(what, format!("choose one of: {}", VOLUMES.join(", "))));
            }
        })
    }
}

impl Bits {
    /// The bits of a recorded or published group's values, in the attributes that are used.
    pub(super) fn of(&self, group: &Generalized<'_>, block: Block, blocks: &Blocks) -> f64 {
        match self {
            Self::Block => -block.records.log2(),
            Self::Values(bits) => used(bits.of(group), blocks),
        }
    }

    /// The bits of a record of which nothing is published.
    pub(super) fn of_nothing(&self, records: f64) -> f64 {
        match self {
            Self::Block => -records.log2(),
            Self::Values(_) => 0.0,
        }
    }
}

impl CellCost {
    /// The cost of a group's values in the attributes that are used, for one record.
    pub(super) fn of(&self, group: &Generalized<'_>, blocks: &Blocks) -> f64 {
        match self {
            Self::ByValue(costs) => used(costs.of(group), blocks),
            Self::Tree(tops) => {
                let cost = |(position, top): (usize, &f64)| {
                    if *top > 0.0 { level(group, position) / top } else { 0.0 }
                };
                used(tops.iter().enumerate().map(cost), blocks)
            }
            Self::Stars(stars) => {
                let star = |position| {
                    f64::from(u8::from(stars.is_star(
                        group.place,
                        position,
                        group.codes[position] as usize,
                    )))
                };
                used((0..group.codes.len()).map(star), blocks)
            }
        }
    }

    /// The cost of a suppressed record.
    pub(super) fn of_nothing(&self, blocks: &Blocks) -> f64 {
        match self {
            Self::ByValue(costs) => used(costs.most_general(), blocks),
            Self::Tree(tops) => {
                used(tops.iter().map(|top| f64::from(u8::from(*top > 0.0))), blocks)
            }
            Self::Stars(stars) => used((0..stars.attributes()).map(|_| 1.0), blocks),
        }
    }
}

/// Sums numbers over the attributes that are used.
fn used(numbers: impl Iterator<Item = f64>, blocks: &Blocks) -> f64 {
    numbers.enumerate().filter(|(position, _)| blocks.uses(*position)).map(|(_, n)| n).sum()
}

/// The level at which an attribute of a group is published.
fn level(group: &Generalized<'_>, position: usize) -> f64 {
    let level = match group.place {
        CodeMeaning::Scheme(scheme) => scheme.level(position),
        CodeMeaning::Regions { regions, .. } => {
            regions[position][group.codes[position] as usize].level
        }
    };
    f64::from(u8::from(level))
}
