//! δ-disclosure privacy: a group's sensitive values are about as frequent as in the whole table.
//!
//! Definition: with p the share of a value in the whole table and q in the group, the logarithm of
//! q/p stays within δ either way. Formula: |ln(q/p)| < δ, strictly. Citation: J. Brickell, V.
//! Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data
//! publishing", KDD 2008. The whole table is the input, after missing values were handled. As
//! defined, the condition is on every value of the table, and a group that lacks one fails; other
//! tools check only the values of the group, and so does this one unless `over=table` is given.
//!
//! Over the group's own values two passing groups may fail together, when a value of one becomes rare
//! in both: free. (Over the table's values it would be closed.)

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::beyond;
use super::recursion::hopeless;
use crate::exact::ratio;
use crate::{ParameterOption, Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "delta-disclosure",
    title: "delta-disclosure privacy",
    definition: "In every group the logarithm of each sensitive value's share over its share in the whole table is less than delta either way.",
    formula: "|ln(q(s) / p(s))| < delta",
    citation: "J. Brickell, V. Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data publishing. KDD 2008",
    example: "A disease that 10 % of all have and 25 % of a group: ln 2.5 = 0.916, so the group passes delta = 1 and fails delta = 0.9.",
    parameters: &[Parameter::number(
        "delta",
        "the logarithm of a share's ratio stays below it",
        beyond(0.0),
        Bound::Unbounded,
        Some(Passing::Below),
    ).usually(1.5)],
    choices: &[ParameterOption {
        name: "over",
        meaning: "which values count: those of the group (default), or every value of the table, so that a group must have them all",
        options: &["group", "table"],
    }],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: true,
    kind: Merging::Free,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(DeltaDisclosure::of_setting(setting)?)),
};

/// The largest |ln(q/p)| of a group.
#[derive(Debug, Clone)]
pub struct DeltaDisclosure {
    column: Column,
    counts: Vec<u64>,
    records: u64,
    /// How many values a group must have.
    needed: usize,
}

impl DeltaDisclosure {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let over = setting.choice("over").unwrap_or("group");
        Ok(Self {
            column: setting.column(&[("over", over)]),
            counts: facts.counts.clone(),
            records: facts.records(),
            needed: if over == "table" { facts.occurring() } else { 1 },
        })
    }
}

impl Statistic for DeltaDisclosure {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.len() < self.needed {
            return hopeless(&self.column);
        }
        let known = u128::from(group.known());
        let ratios = group.values.iter().map(|value| {
            let here = u128::from(value.count) * u128::from(self.records);
            let there = u128::from(self.counts[value.code as usize]) * known;
            ratio(here.max(there), here.min(there))
        });
        ratios.reduce(f64::max).map_or(hopeless(&self.column), f64::ln)
    }
}
