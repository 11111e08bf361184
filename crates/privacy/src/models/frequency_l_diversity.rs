//! Frequency l-diversity: no sensitive value has a share above one in l.
//!
//! Definition: the most frequent sensitive value of a group has a share of at most 1/l.
//! Formula: n(g) / max n(g,s) ≥ l; a share of exactly 1/l passes.
//! Citation: X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006.
//!
//! The share in a merged group is between those of its parts: two passing groups pass together, and
//! a failing one may make a passing one fail. Closed.

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::beyond;
use crate::exact::{most, ratio};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "frequency-l-diversity",
    title: "frequency l-diversity",
    definition: "In every group the most frequent sensitive value has a share of at most 1/l.",
    formula: "n(g) / max n(g,s) >= l",
    citation: "X. Xiao, Y. Tao: Anatomy: simple and effective privacy preservation. VLDB 2006",
    example: "Two men from America earn low and high: each value has the share 1/2, so the group passes l = 2 and no more. Two graduate students who both earn low fail every l above 1.",
    parameters: &[Parameter::number(
        "l",
        "one in l is the largest share that a value may have",
        beyond(1.0),
        Bound::Unbounded,
        Some(Passing::AtLeast),
    ).usually(3.0)],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(FrequencyLDiversity::of_setting(setting)?)),
};

/// One over the share of the most frequent sensitive value.
#[derive(Debug, Clone)]
pub struct FrequencyLDiversity {
    column: Column,
}

impl FrequencyLDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let most = setting.facts()?.occurring() as f64;
        let column = setting.column(&[]);
        Ok(Self { column: Column { strongest: most, ..column } })
    }
}

impl Statistic for FrequencyLDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        ratio(group.known().into(), most(group).into())
    }
}
