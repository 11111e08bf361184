//! What a privacy model asks of a group: one number, and which numbers are good enough.

use serde::{Deserialize, Serialize};

/// How many records of a group have one watched value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueCount {
    /// The value's code.
    pub code: u32,
    /// The records that have it.
    pub count: u32,
}

/// What is known of a group.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// How many records it has.
    pub records: u64,
    /// The watched values that occur in it, by code, each at least once; a missing value is none,
    /// so the counts may add up to fewer than the records.
    pub values: &'a [ValueCount],
}

impl Group<'_> {
    /// How many records have a known value.
    pub fn known(&self) -> u64 {
        self.values.iter().map(|value| u64::from(value.count)).sum()
    }
}

/// Which side of a threshold passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// The statistic must be at least the threshold: larger thresholds are stronger.
    AtLeast,
    /// The statistic must be more than the threshold: larger thresholds are stronger.
    Above,
    /// The statistic must be at most the threshold: smaller thresholds are stronger.
    AtMost,
    /// The statistic must be less than the threshold: smaller thresholds are stronger.
    Below,
}

impl Comparison {
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

    /// The strongest threshold that a statistic passes; where the comparison is strict, the number
    /// next to it.
    pub fn passed_by(self, statistic: f64) -> f64 {
        match self {
            Self::AtLeast | Self::AtMost => statistic,
            Self::Above => statistic.next_down(),
            Self::Below => statistic.next_up(),
        }
    }
}

/// What merging groups does to a model's verdict; searches prune no further than this allows.
/// Ordered from what allows most to what allows nothing, so a conjunction is of its models'
/// largest kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A passing group merged with any group passes: suppression falls as schemes rise.
    UnionMonotone,
    /// Two passing groups merge into a passing one, but a failing one may spoil a passing one:
    /// pruning is sound only where nothing may be suppressed.
    Closed,
    /// Neither holds.
    Free,
}

/// What a search must know of a statistic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// The model's name with its fixed parameters.
    pub id: String,
    /// Which watched attribute's values it needs, by position; `None` if sizes are enough.
    pub watches: Option<usize>,
    /// Which side of a threshold passes.
    pub comparison: Comparison,
    /// What merging groups does to the verdict.
    pub kind: Kind,
    /// The weakest threshold that still protects anybody.
    pub weakest: f64,
    /// The strongest threshold that can be asked for.
    pub strongest: f64,
}

impl Column {
    /// The strongest threshold that groups of this statistic pass, if it protects anybody.
    pub fn offered(&self, statistic: f64) -> Option<f64> {
        let strength = |a: &f64, b: &f64| self.comparison.by_strength(*a, *b);
        let threshold = self.comparison.passed_by(statistic);
        let threshold = std::cmp::min_by(threshold, self.strongest, strength);
        strength(&threshold, &self.weakest).is_ge().then_some(threshold)
    }
}

/// A privacy model: a number of each group, compared with a threshold.
pub trait Statistic: Send + Sync + std::fmt::Debug {
    /// What a search must know of it.
    fn column(&self) -> &Column;

    /// The statistic of a group.
    fn of(&self, group: &Group<'_>) -> f64;

    /// Whether it is just the number of a group's records, so that sizes can be tallied as they stand.
    fn is_size(&self) -> bool {
        false
    }

    /// Whether a group passes a threshold.
    fn passes(&self, group: &Group<'_>, threshold: f64) -> bool {
        self.column().comparison.passes(self.of(group), threshold)
    }
}

/// A statistic that is a distance from the whole table, and tells how far groups are apart, too.
pub trait Distance: Statistic {
    /// How far the watched values of two groups are apart; each group has at least one.
    fn between(&self, one: &[ValueCount], other: &[ValueCount]) -> f64;

    /// No two groups are farther apart.
    fn largest(&self) -> f64;
}
