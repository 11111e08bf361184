//! Positive-disclosure recursive (c,l)-diversity: recursive diversity for the values that matter.
//!
//! Definition: values of the don't-care set may be disclosed. Let y be the rank of the most
//! frequent other value among the counts r₁ ≥ r₂ ≥ … of the group. It must have fewer records than
//! c times what is left when it and the l − 2 most frequent of the others are removed. Formula: if
//! y ≤ l − 1, `r_y < c Σ_{j≥l} r_j`; else `r_y < c (Σ_{j=l−1..y−1} r_j + Σ_{j>y} r_j)`. A group of
//! don't-care values alone passes. Citation: A. Machanavajjhala, J. Gehrke, D. Kifer, "l-diversity:
//! privacy beyond k-anonymity", ICDE 2006; S.-Y. Hsu, 2008, prints the ranks off by one, and this
//! file follows the former.
//!
//! The condition holds for the most frequent such value if it holds for each, and both sides add up:
//! closed.

use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic};

use super::recursion::{Reach, Recursion, hopeless};
use super::{BOUND, MACHANAVAJJHALA, beyond};
use crate::exact::{descending, ratio};
use crate::{Error, Facts, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "pd-recursive-l-diversity",
    title: "positive-disclosure recursive (c,l)-diversity",
    definition: "In every group the most frequent sensitive value outside the don't-care set has fewer records than c times those left when it and the l - 2 most frequent others are taken away.",
    formula: "r_y < c * (n - r_y - the l - 2 largest other counts), y the most frequent value outside dont_care",
    citation: MACHANAVAJJHALA,
    example: "Six colds (in the don't-care set), two cancers and two flus, at l = 2: cancer has 2 records next to 8 others, 2/8 = 0.25, so the group passes c = 0.3, where recursive diversity requires c above 1.5.",
    parameters: &[
        Parameter::count(
            "l",
            "how many values must be ruled out before one that matters becomes likely",
        ),
        Parameter::number(
            "c",
            "the most frequent value that matters has fewer records than c times the rest",
            beyond(0.0),
            Bound::Unbounded,
            Some(Passing::Below),
        )
        .usually(2.0),
    ],
    choices: &[BOUND],
    sensitive: true,
    states: &["dont_care"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(PdRecursiveLDiversity::of_setting(setting)?)),
};

/// Records of the most frequent value that matters over those left at l; or the largest l at c.
#[derive(Debug, Clone)]
pub struct PdRecursiveLDiversity {
    column: Column,
    recursion: Recursion,
    dont_care: Vec<bool>,
}

impl PdRecursiveLDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let dont_care = dont_care(setting, facts)?;
        let reach = Reach { most: facts.occurring(), unlimited: true };
        Ok(Self {
            column: reach.column(setting, &setting.unusual(&[("bound", "below")])),
            recursion: Recursion::new(setting, "c", setting.side_of_c(), reach)?,
            dont_care,
        })
    }
}

/// The don't-care set, which the project must state.
pub(super) fn dont_care(setting: &Setting<'_>, facts: &Facts) -> Result<Vec<bool>, Error> {
    let stated = facts.dont_care.contains(&true).then(|| facts.dont_care.clone());
    setting.stated(stated, "dont_care", "[\"flu\"]")
}

/// The quotient that c bounds.
pub(super) fn quotient(group: &Group<'_>, dont_care: &[bool], recursion: Recursion) -> Option<f64> {
    let all = group.known();
    let matters = group.values.iter().filter(|value| !dont_care[value.code as usize]);
    let Some(first) = matters.max_by_key(|value| value.count) else {
        return (all > 0).then(|| recursion.statistic(|_| 0.0));
    };
    let records = first.count;
    let others = group.values.iter().filter(|value| value.code != first.code);
    Some(descending(others.map(|value| value.count), |counts| {
        recursion.statistic(|l| {
            let taken: u64 = counts.iter().take(l - 2).sum();
            ratio(records.into(), (all - records - taken).into())
        })
    }))
}

impl Statistic for PdRecursiveLDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        quotient(group, &self.dont_care, self.recursion).unwrap_or(hopeless(&self.column))
    }
}
