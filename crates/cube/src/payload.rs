//! What a loss measure needs of a group: numbers that add up over the groups that are kept.

use haggle_model::Scheme;

use crate::ValueCount;

/// A group of a scheme as a loss measure sees it.
#[derive(Debug, Clone, Copy)]
pub struct Generalized<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// The group's code in each quasi-identifier, at the scheme's level.
    pub codes: &'a [u32],
    /// How many records it has.
    pub records: u64,
    /// The watched values that occur in it, by code.
    pub values: &'a [ValueCount],
    /// What the payload carries, summed over the group's base groups; nothing for a base group.
    pub carried: [f64; 3],
}

/// What a scheme keeps at a threshold.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// A payload, summed over the groups kept.
    pub sums: &'a [f64],
    /// The groups kept.
    pub groups: u64,
    /// The records in them.
    pub records: u64,
    /// The records suppressed.
    pub suppressed: u64,
}

/// Numbers of a group that add up: what any threshold keeps of them is a prefix sum.
pub trait Payload: Send + Sync + std::fmt::Debug {
    /// A name that no other payload has.
    fn id(&self) -> String;

    /// How many numbers there are.
    fn width(&self) -> usize;

    /// Which watched attribute's values it needs, by position.
    fn watches(&self) -> Option<usize> {
        None
    }

    /// Whether it carries numbers of the base groups up: what depends on how records look as recorded.
    fn carries(&self) -> bool {
        false
    }

    /// What it carries of a base group.
    fn carried(&self, base: &Generalized<'_>) -> [f64; 3] {
        let _ = base;
        [0.0; 3]
    }

    /// Writes a group's numbers.
    fn of(&self, group: &Generalized<'_>, numbers: &mut [f64]);
}

/// A loss measure on a table: a payload, and what it adds up to.
pub trait Loss: Payload {
    /// The loss of a publication: larger is worse.
    fn loss(&self, kept: &Kept<'_>) -> f64;

    /// How far the loss may be off: the standard error of an estimate; none where it is exact.
    fn standard_error(&self, kept: &Kept<'_>) -> Option<f64> {
        let _ = kept;
        None
    }
}
