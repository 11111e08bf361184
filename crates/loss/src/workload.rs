//! The queries that a publication is to answer well.

use haggle_cube::query::Condition;

/// How an analyst counts the records of groups that satisfy a condition only in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CountingRule {
    /// All of them.
    NonCorrected,
    /// By the probability of the condition if attributes were independent.
    #[default]
    IndependentlyCorrected,
    /// By the share of the group's own records that satisfy it.
    ConditionallyCorrected,
}

impl CountingRule {
    /// All by their short names.
    pub const ALL: [(&'static str, Self); 3] = [
        ("nc", Self::NonCorrected),
        ("ic", Self::IndependentlyCorrected),
        ("cc", Self::ConditionallyCorrected),
    ];

    /// Returns the rule with this short name.
    ///
    /// ```
    /// use haggle_loss::CountingRule;
    /// assert_eq!(CountingRule::named("ic"), Some(CountingRule::IndependentlyCorrected));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, rule)| *rule)
    }
}

/// Conditions on quasi-identifiers whose records an analyst counts.
#[derive(Debug, Clone, Default)]
pub struct Workload {
    /// The conditions; if there are none, the most frequent values and their pairs are asked for.
    pub conditions: Vec<Condition>,
    /// How the analyst counts.
    pub rule: CountingRule,
}
