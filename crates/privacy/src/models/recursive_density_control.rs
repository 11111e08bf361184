//! Recursive density control: recursive diversity of the sensitive categories' shares.
//!
//! Definition: with the shares of the sensitive categories in descending order d₁ ≥ d₂ ≥ …, the
//! largest is at most c times the sum from the l-th on. Formula: `d_1 ≤ c (d_l + d_{l+1} + …)`.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.5.10, which prints the sum from the first on; from the
//! l-th on it imitates recursive diversity, as its text says. A group of don't-care values alone
//! passes.
//!
//! In a merged group d₁ is at most the sum of the parts' and the rest at least (in records): closed.

use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic};

use super::categorical_diversity::members;
use super::density_control::by_category;
use super::recursion::{Reach, Recursion, hopeless};
use super::{HSU, beyond};
use crate::exact::{descending, ratio};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "recursive-density-control",
    title: "(c,l)-density control",
    definition: "In every group the largest sensitive category has at most c times the records of all categories but the l - 1 largest, a record counting in each of its categories.",
    formula: "d_1 <= c * (d_l + d_{l+1} + ...), with the categories' shares d in descending order",
    citation: HSU,
    example: "Three categories hold 5, 3 and 2 records: at l = 2 the group passes c = 1, for 5 <= 3 + 2; at l = 3 it needs c = 2.5.",
    parameters: &[
        Parameter::count("l", "how many categories must be ruled out before one becomes likely"),
        Parameter::number(
            "c",
            "the largest category has at most c times the rest",
            beyond(0.0),
            Bound::Unbounded,
            Some(Passing::AtMost),
        )
        .usually(2.0),
    ],
    choices: &[],
    sensitive: true,
    states: &["categories"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(RecursiveDensityControl::of_setting(setting)?)),
};

/// The largest category over the sum from the l-th on; or the largest l at c.
#[derive(Debug, Clone)]
pub struct RecursiveDensityControl {
    column: Column,
    recursion: Recursion,
    members: Vec<u64>,
    categories: usize,
}

impl RecursiveDensityControl {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let members = members(setting, facts)?.to_vec();
        let reach = Reach { most: facts.categories, unlimited: members.contains(&0) };
        Ok(Self {
            column: reach.column(setting, &[]),
            recursion: Recursion::new(setting, "c", Passing::AtMost, reach)?,
            members,
            categories: facts.categories,
        })
    }
}

impl Statistic for RecursiveDensityControl {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        descending(by_category(group, &self.members, self.categories), |counts| {
            self.recursion.statistic(|l| {
                let left: u64 = counts.iter().skip(l - 1).sum();
                ratio(counts[0].into(), left.into())
            })
        })
    }
}
