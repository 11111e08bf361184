//! Recursive (c,l)-diversity: the most frequent value is limited relative to the less frequent
//! ones.
//!
//! Definition: with the counts of a group's sensitive values in descending order r₁ ≥ r₂ ≥ … ≥ …, a
//! group passes if r₁ is less than c times what is left after the l − 1 most frequent.
//! Formula: `r_1 < c * (r_l + … + r_m)`, strictly; with `bound=at-most` a quotient of exactly c
//! passes, as in table 3.5-1 of S.-Y. Hsu, 2008.
//! Citation: A. Machanavajjhala, J. Gehrke, D. Kifer, "l-diversity: privacy beyond k-anonymity",
//! ICDE 2006.
//!
//! In a merged group r₁ is at most the sum of the parts' and the rest at least: two passing groups
//! pass together, a failing one may make a passing one fail. Closed.

use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic};

use super::recursion::{Reach, Recursion, hopeless};
use super::{BOUND, MACHANAVAJJHALA, beyond};
use crate::exact::{descending, ratio};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "recursive-l-diversity",
    title: "recursive (c,l)-diversity",
    definition: "In every group the most frequent sensitive value has fewer records than c times all values but the l - 1 most frequent.",
    formula: "r_1 < c * (r_l + ... + r_m), with the counts r of the group's values in descending order",
    citation: MACHANAVAJJHALA,
    example: "Six pancreatic cancers, two colds and two flus: r is 6, 2, 2. At l = 2 what is left is 4 and 6/4 = 1.5, so the group passes c = 1.6 and just fails c = 1.5 (with bound=at-most it passes that, too); at l = 3 it needs c above 3.",
    parameters: &[
        Parameter::count(
            "l",
            "how many values must be ruled out before the most frequent one becomes likely",
        ),
        Parameter::number(
            "c",
            "the most frequent value has fewer records than c times the rest",
            beyond(0.0),
            Bound::Unbounded,
            Some(Passing::Below),
        )
        .usually(2.0),
    ],
    choices: &[BOUND],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(RecursiveLDiversity::of_setting(setting)?)),
};

/// The most frequent value's records over those left at l; or the largest l at c.
#[derive(Debug, Clone)]
pub struct RecursiveLDiversity {
    column: Column,
    recursion: Recursion,
}

impl RecursiveLDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let reach = Reach { most: setting.facts()?.occurring(), unlimited: false };
        Ok(Self {
            column: reach.column(setting, &setting.unusual(&[("bound", "below")])),
            recursion: Recursion::new(setting, "c", setting.side_of_c(), reach)?,
        })
    }
}

impl Statistic for RecursiveLDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        descending(group.values.iter().map(|value| value.count), |counts| {
            let Some(&first) = counts.first() else { return hopeless(&self.column) };
            self.recursion.statistic(|l| {
                let left: u64 = counts.iter().skip(l - 1).sum();
                ratio(first.into(), left.into())
            })
        })
    }
}
