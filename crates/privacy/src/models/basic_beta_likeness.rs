//! Basic β-likeness: no sensitive value is much more frequent in a group than in the whole table.
//!
//! Definition: with p the share of a value in the whole table and q in the group, the relative gain
//! of every value with q > p is at most β. Formula: max (q − p) / p ≤ β.
//! Citation: J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", VLDB 2012.
//! The whole table is the input, after missing values were handled.
//!
//! q in a merged group is between its parts' q: closed.

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::from;
use super::recursion::hopeless;
use crate::exact::ratio;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "basic-beta-likeness",
    title: "basic beta-likeness",
    definition: "In every group no sensitive value's share exceeds its share in the whole table by more than beta times the latter.",
    formula: "(q(s) - p(s)) / p(s) <= beta for every s with q(s) > p(s)",
    citation: "J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. VLDB 2012",
    example: "A disease that 10 % of all have and 25 % of a group gains (0.25 - 0.1) / 0.1 = 1.5: the group passes beta = 1.5 and fails beta = 1.",
    parameters: &[Parameter::number(
        "beta",
        "the largest relative gain of a sensitive value's share",
        from(0.0),
        Bound::Unbounded,
        Some(Passing::AtMost),
    ).usually(2.0)],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: true,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(BasicBetaLikeness::of_setting(setting)?)),
};

/// The largest relative gain of a sensitive value's share.
#[derive(Debug, Clone)]
pub struct BasicBetaLikeness {
    column: Column,
    counts: Vec<u64>,
    records: u64,
}

impl BasicBetaLikeness {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        Ok(Self {
            column: setting.column(&[]),
            counts: facts.counts.clone(),
            records: facts.records(),
        })
    }
}

/// Returns how much a value gains: q over p minus one, 0 if it gains nothing; computed in whole
/// numbers until the last division.
pub(super) fn gain(count: u64, known: u64, of_all: u64, all: u64) -> f64 {
    let here = u128::from(count) * u128::from(all);
    let there = u128::from(of_all) * u128::from(known);
    ratio(here.saturating_sub(there), there)
}

impl Statistic for BasicBetaLikeness {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let known = group.known();
        let gains = group.values.iter().map(|value| {
            gain(value.count, known, self.counts[value.code as usize], self.records)
        });
        gains.reduce(f64::max).unwrap_or(hopeless(&self.column))
    }
}
