//! What a loss measure computes from a group: numbers that add up over the groups that are kept.

use haggle_model::{Level, Region, Scheme};

use crate::ValueCount;

mod expected;

pub use expected::ExpectedGroups;

/// What the codes of a group refer to.
#[derive(Debug, Clone, Copy)]
pub enum CodeMeaning<'a> {
    /// The values at the levels of a scheme.
    Scheme(&'a Scheme),
    /// Regions of any shape.
    Regions {
        /// By attribute and code.
        regions: &'a [Vec<Region>],
        /// The base groups that form the group, by position.
        rows: &'a [u32],
    },
}

/// A group as a loss measure sees it.
#[derive(Debug, Clone, Copy)]
pub struct Generalized<'a> {
    /// What the codes refer to.
    pub place: CodeMeaning<'a>,
    /// The group's code in each quasi-identifier.
    pub codes: &'a [u32],
    /// How many records it has.
    pub records: u64,
    /// The watched values that occur in it, by code.
    pub values: &'a [ValueCount],
    /// What the payload carries, summed over the group's base groups; zero for a base group.
    pub carried: [f64; 3],
}

/// The levels of records, by attribute: their sum, and how many records are at each.
#[derive(Debug, Clone)]
pub struct MeanLevels {
    records: u64,
    sums: Vec<f64>,
    /// By attribute and level, the records there.
    at: Vec<Vec<u64>>,
}

impl MeanLevels {
    pub(crate) fn new(attributes: usize) -> Self {
        Self { records: 0, sums: vec![0.0; attributes], at: vec![Vec::new(); attributes] }
    }

    pub(crate) fn add(&mut self, levels: impl Iterator<Item = Level>, records: u64) {
        self.records += records;
        for ((sum, at), level) in self.sums.iter_mut().zip(&mut self.at).zip(levels) {
            *sum += level.index() as f64 * records as f64;
            at.resize(at.len().max(level.index() + 1), 0);
            at[level.index()] += records;
        }
    }
}

/// The levels of the published values: the same for all records, or on average.
#[derive(Debug, Clone, Copy)]
pub struct PublishedLevels<'a>(LevelsOf<'a>);

#[derive(Debug, Clone, Copy)]
enum LevelsOf<'a> {
    Scheme(&'a Scheme),
    Mean(&'a MeanLevels),
}

impl<'a> From<&'a Scheme> for PublishedLevels<'a> {
    fn from(scheme: &'a Scheme) -> Self {
        Self(LevelsOf::Scheme(scheme))
    }
}

impl<'a> From<&'a MeanLevels> for PublishedLevels<'a> {
    fn from(levels: &'a MeanLevels) -> Self {
        Self(LevelsOf::Mean(levels))
    }
}

impl PublishedLevels<'_> {
    /// The mean level of an attribute.
    pub fn mean(&self, position: usize) -> f64 {
        match self.0 {
            LevelsOf::Scheme(scheme) => scheme.level(position).index() as f64,
            LevelsOf::Mean(mean) => mean.sums[position] / mean.records.max(1) as f64,
        }
    }

    /// Returns the share of records at this level of an attribute.
    pub fn share_at(&self, position: usize, level: Level) -> f64 {
        match self.0 {
            LevelsOf::Scheme(scheme) => f64::from(u8::from(scheme.level(position) == level)),
            LevelsOf::Mean(mean) => {
                let there = mean.at[position].get(level.index()).copied().unwrap_or(0);
                there as f64 / mean.records.max(1) as f64
            }
        }
    }
}

/// Sums that cancel out may leave this much.
const NOTHING: f64 = 1e-11;

/// Rounds a loss to twelve digits: sums in another order, and ties, must not differ in the last
/// ones.
///
/// ```
/// use haggle_cube::rounded;
///
/// assert_eq!(rounded(0.1 + 0.2), 0.3);
/// assert_eq!(rounded(-9.1e-13), 0.0);
/// ```
pub fn rounded(loss: f64) -> f64 {
    if loss.abs() < NOTHING {
        return 0.0;
    }
    if !loss.is_finite() {
        return loss;
    }
    let digits = 11 - loss.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.abs());
    if digits >= 0 { (loss * scale).round() / scale } else { (loss / scale).round() * scale }
}

/// The kept part of a recoding: of a scheme at a threshold, or of any other.
#[derive(Debug, Clone, Copy)]
pub struct KeptGroups<'a> {
    /// The levels of the values that are kept.
    pub levels: PublishedLevels<'a>,
    /// A payload, summed over the groups kept.
    pub sums: &'a [f64],
    /// The groups kept.
    pub groups: u64,
    /// The records in them.
    pub records: u64,
    /// The records suppressed.
    pub suppressed: u64,
}

impl<'a> KeptGroups<'a> {
    /// Returns all records of a scheme, with these sums.
    pub fn all(scheme: &'a Scheme, sums: &'a [f64], records: u64) -> Self {
        Self { levels: scheme.into(), sums, groups: 0, records, suppressed: 0 }
    }
}

/// Numbers of a group that add up, so that the total of the groups that any threshold keeps is a
/// prefix sum.
pub trait Payload: Send + Sync + std::fmt::Debug {
    /// Returns a name that no other payload has.
    fn id(&self) -> String;

    /// How many numbers there are.
    fn width(&self) -> usize;

    /// Which watched attribute's values it needs, by position.
    fn watches(&self) -> Option<usize> {
        None
    }

    /// Returns whether it carries numbers of the base groups up, because it depends on the recorded
    /// values.
    fn carries(&self) -> bool {
        false
    }

    /// Returns what it carries of a base group.
    fn carried(&self, base: &Generalized<'_>) -> [f64; 3] {
        let _ = base;
        [0.0; 3]
    }

    /// Writes a group's numbers.
    fn measure(&self, group: &Generalized<'_>, numbers: &mut [f64]);
}

/// A loss measure on a table: a payload, and the loss computed from its sums.
pub trait Loss: Payload {
    /// The loss of a publication: larger is worse.
    fn loss(&self, kept: &KeptGroups<'_>) -> f64;

    /// Returns whether losses are sums of whole numbers, which are exact in any order, divided by
    /// at most one number.
    fn is_exact(&self) -> bool {
        false
    }

    /// Returns the loss for comparisons: unrounded if it is exact, else to twelve digits.
    fn compared(&self, kept: &KeptGroups<'_>) -> f64 {
        let loss = self.loss(kept);
        if self.is_exact() { loss } else { rounded(loss) }
    }

    /// Returns the loss of a scheme that suppresses none of this many records, if its levels alone
    /// determine it.
    fn of_all(&self, scheme: &Scheme, records: u64) -> Option<f64> {
        let _ = (scheme, records);
        None
    }

    /// Returns the loss that is expected before anything is counted, from expected sums over the
    /// groups kept; none if it does not follow from them.
    fn expected(&self, kept: &ExpectedGroups<'_>) -> Option<f64> {
        let _ = kept;
        None
    }

    /// Returns the standard error of an estimated loss; none if the loss is exact.
    fn standard_error(&self, kept: &KeptGroups<'_>) -> Option<f64> {
        let _ = kept;
        None
    }
}
