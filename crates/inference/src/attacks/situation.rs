//! What an attack is run on: a publication, and what is known about it.

use haggle_cube::{Applied, Base, Group, ValueCount};
use haggle_model::{QuasiIdentifier, Scheme};
use haggle_privacy::Facts;

use crate::PublishedGroups;
use crate::belief::BeliefLimits;
use crate::groups::PublishedGroup;

/// From where on a record counts as exposed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttackLimits {
    /// Groups with fewer records than this let a person be found.
    pub k: u64,
    /// When a belief is dangerous.
    pub belief: BeliefLimits,
    /// How many values an attacker may be able to rule out.
    pub rule_out: usize,
    /// The part of a scale within which values are similar.
    pub similar: f64,
    /// The standard deviation of a suspicion, in classes.
    pub width: f64,
}

impl Default for AttackLimits {
    fn default() -> Self {
        let belief = BeliefLimits::default();
        Self { k: 2, belief, rule_out: 1, similar: 0.25, width: 1.0 }
    }
}

/// What was promised of every group.
pub trait Promise {
    /// Returns whether base groups that are published alike keep the promise.
    fn holds(&self, rows: &[u32]) -> bool;

    /// Returns whether a group of this size with these values of the sensitive attribute would keep
    /// the promise, as far as it is about size and that attribute.
    fn would_hold(&self, group: &Group<'_>) -> bool;
}

/// The table behind a publication.
#[derive(Clone, Copy)]
pub struct CountedTable<'a> {
    /// The quasi-identifiers.
    pub attributes: &'a [QuasiIdentifier],
    /// The recorded combinations.
    pub base: &'a Base,
    /// The position of the sensitive attribute among those that the base counts.
    pub watched: usize,
    /// How the publication recodes them.
    pub applied: &'a Applied,
    /// Which parts of the recoding are published.
    pub kept: &'a [bool],
    /// The scheme, if the recoding is one.
    pub scheme: Option<&'a Scheme>,
    /// The promise, if one is known.
    pub promise: Option<&'a dyn Promise>,
    /// Earlier publications of the table: the recoding, and which of its parts were published.
    pub earlier: &'a [(Applied, Vec<bool>)],
    /// Earlier publications that cannot be applied to the table.
    pub unjudged: u64,
}

/// A publication that is attacked.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The publication.
    pub groups: &'a PublishedGroups<'a>,
    /// The sensitive column, by its position in the publication.
    pub column: usize,
    /// What is known about the sensitive attribute.
    pub facts: &'a Facts,
    /// From where on a record counts as exposed.
    pub limits: AttackLimits,
    /// By group, the persons of a population who look like it.
    pub population: Option<&'a [u64]>,
    /// The table behind the publication.
    pub table: Option<CountedTable<'a>>,
}

impl Situation<'_> {
    /// Returns the sensitive values of a group, without missing ones.
    pub(super) fn values(&self, group: &PublishedGroup) -> Vec<ValueCount> {
        group.value_counts(self.column, self.facts.values.len())
    }

    /// Returns whether a value matters: it is not one that may be disclosed.
    pub(super) fn concerns(&self, code: u32) -> bool {
        !self.facts.dont_care[code as usize]
    }
}
