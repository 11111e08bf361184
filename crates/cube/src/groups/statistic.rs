//! What a privacy model computes for a group: one number, and which numbers are good enough.

use serde::{Deserialize, Serialize};

/// How many records of a group have one watched value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueCount {
    /// The value's code.
    pub code: u32,
    /// The records that have it.
    pub count: u64,
}

/// The counts of a group.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// How many records it has.
    pub records: u64,
    /// The watched values that occur in it, by code, each at least once. A missing value is not
    /// included, so the counts may add up to fewer than the records.
    pub values: &'a [ValueCount],
}

impl Group<'_> {
    /// How many records have a known value.
    pub fn known(&self) -> u64 {
        self.values.iter().map(|value| value.count).sum()
    }
}

/// Which side of a threshold passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passing {
    /// The statistic must be at least the threshold: larger thresholds are stronger.
    AtLeast,
    /// The statistic must be more than the threshold: larger thresholds are stronger.
    Above,
    /// The statistic must be at most the threshold: smaller thresholds are stronger.
    AtMost,
    /// The statistic must be less than the threshold: smaller thresholds are stronger.
    Below,
}

impl Passing {
    /// Whether a group with this statistic is protected at this threshold.
    pub fn passes(self, statistic: f64, threshold: f64) -> bool {
        match self {
            Self::AtLeast => statistic >= threshold,
            Self::Above => statistic > threshold,
            Self::AtMost => statistic <= threshold,
            Self::Below => statistic < threshold,
        }
    }

    /// Whether larger thresholds are the stronger ones.
    pub fn rises(self) -> bool {
        matches!(self, Self::AtLeast | Self::Above)
    }

    /// Orders statistics, and thresholds, from the weakest protection to the strongest.
    pub fn by_strength(self, a: f64, b: f64) -> std::cmp::Ordering {
        if self.rises() { a.total_cmp(&b) } else { b.total_cmp(&a) }
    }

    /// Returns the strongest threshold that a statistic passes; if the comparison is strict, the
    /// adjacent number.
    pub fn passed_by(self, statistic: f64) -> f64 {
        match self {
            Self::AtLeast | Self::AtMost => statistic,
            Self::Above => statistic.next_down(),
            Self::Below => statistic.next_up(),
        }
    }
}

/// What merging groups does to a model's verdict; searches must not prune more than this allows.
/// Ordered from what allows most pruning to what allows none, so a conjunction has the largest kind
/// of its models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Merging {
    /// A passing group merged with any group passes: suppression falls as schemes rise.
    UnionMonotone,
    /// Two passing groups merge into a passing one, but a failing one may make a passing one fail:
    /// pruning is sound only if nothing may be suppressed.
    Closed,
    /// Neither holds.
    Free,
}

/// The properties of a statistic that a search needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The model's name with its fixed parameters.
    pub id: String,
    /// Which watched attribute's values it needs, by position; `None` if sizes are enough.
    pub watches: Option<usize>,
    /// Which side of a threshold passes.
    pub comparison: Passing,
    /// What merging groups does to the verdict.
    pub kind: Merging,
    /// The weakest threshold that protects at all.
    pub weakest: f64,
    /// The strongest threshold that can be requested.
    pub strongest: f64,
}

impl Column {
    /// Returns the strongest threshold that groups of this statistic pass, whether it protects or
    /// not.
    pub fn passed_by(&self, statistic: f64) -> f64 {
        let strength = |a: &f64, b: &f64| self.comparison.by_strength(*a, *b);
        std::cmp::min_by(self.comparison.passed_by(statistic), self.strongest, strength)
    }

    /// Returns the strongest threshold that groups of this statistic pass, if it protects at all.
    pub fn offered(&self, statistic: f64) -> Option<f64> {
        let threshold = self.passed_by(statistic);
        self.comparison.by_strength(threshold, self.weakest).is_ge().then_some(threshold)
    }
}

/// A privacy model: a number of each group, compared with a threshold.
pub trait Statistic: Send + Sync + std::fmt::Debug {
    /// Returns the properties that a search needs.
    fn column(&self) -> &Column;

    /// The statistic of a group.
    fn of(&self, group: &Group<'_>) -> f64;

    /// Returns whether the statistic is the number of a group's records, so that sizes can be
    /// tallied directly.
    fn is_size(&self) -> bool {
        false
    }

    /// Returns whether the statistic is a bound on the safe side instead of the exact number: every
    /// group that passes is protected, but a protected group may fail.
    fn is_bound(&self) -> bool {
        false
    }

    /// Whether a group passes a threshold.
    fn passes(&self, group: &Group<'_>, threshold: f64) -> bool {
        self.column().comparison.passes(self.of(group), threshold)
    }
}

/// A statistic that is a distance from the whole table, and can also compare two groups.
pub trait Distance: Statistic {
    /// Returns the distance between the watched values of two groups; each group has at least one.
    fn between(&self, one: &[ValueCount], other: &[ValueCount]) -> f64;

    /// Returns the largest possible distance.
    fn largest(&self) -> f64;
}
