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
    /// The watched values that occur in it, by code, each at least once.
    pub values: &'a [ValueCount],
}

/// Which side of a threshold passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// The statistic must be at least the threshold: larger thresholds are stronger.
    AtLeast,
    /// The statistic must be at most the threshold: smaller thresholds are stronger.
    AtMost,
}

impl Comparison {
    /// Whether a group with this statistic is protected at this threshold.
    pub fn passes(self, statistic: f64, threshold: f64) -> bool {
        match self {
            Self::AtLeast => statistic >= threshold,
            Self::AtMost => statistic <= threshold,
        }
    }

    /// Orders statistics from the weakest protection to the strongest.
    pub fn by_strength(self, a: f64, b: f64) -> std::cmp::Ordering {
        match self {
            Self::AtLeast => a.total_cmp(&b),
            Self::AtMost => b.total_cmp(&a),
        }
    }
}

/// What merging groups does to a model's verdict; searches prune no further than this allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A passing group merged with any group passes: suppression falls as schemes rise.
    UnionMonotone,
    /// Two passing groups merge into a passing one, but a failing one may spoil a passing one:
    /// pruning is sound only where nothing may be suppressed.
    Closed,
    /// Neither holds.
    Free,
}

/// A privacy model: a number of each group, compared with a threshold.
pub trait Statistic: Send + Sync + std::fmt::Debug {
    /// The model's name, with its fixed parameters, as a request would write it.
    fn id(&self) -> String;

    /// The statistic of a group.
    fn of(&self, group: &Group<'_>) -> f64;

    /// Which side of the threshold passes.
    fn comparison(&self) -> Comparison;

    /// What merging groups does to the verdict.
    fn kind(&self) -> Kind;

    /// The weakest threshold that still protects anybody.
    fn weakest(&self) -> f64;

    /// Which watched attribute's values it needs, by position; `None` if sizes are enough.
    fn watches(&self) -> Option<usize> {
        None
    }
}
