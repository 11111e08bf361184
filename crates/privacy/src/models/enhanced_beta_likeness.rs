//! Enhanced β-likeness: basic β-likeness that also keeps frequent values from becoming certain.
//!
//! Definition: with p the share of a value in the whole table and q in the group, the relative gain
//! of every value with q > p is at most β and at most −ln p.
//! Formula: (q − p) / p ≤ min(β, −ln p).
//! Citation: J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", VLDB 2012.
//! The whole table is the input, after missing values were handled. A group with a gain above −ln p
//! fails at every β.
//!
//! q in a merged group is between its parts' q: closed.

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::basic_beta_likeness::gain;
use super::from;
use super::recursion::hopeless;
use crate::exact::share;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "enhanced-beta-likeness",
    title: "enhanced beta-likeness",
    definition: "In every group no sensitive value's share exceeds its share p in the whole table by more than the smaller of beta and -ln p times p.",
    formula: "(q(s) - p(s)) / p(s) <= min(beta, -ln p(s)) for every s with q(s) > p(s)",
    citation: "J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. VLDB 2012",
    example: "A value that half of all have may gain at most -ln 0.5 = 0.69 of its share, whatever beta: a group where 90 % have it gains 0.8 and fails. One that 10 % have may gain up to 2.3, if beta allows it.",
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
    statistic: |setting| Ok(Box::new(EnhancedBetaLikeness::of_setting(setting)?)),
};

/// The largest relative gain of a sensitive value's share; infinite if one is above its own bound.
#[derive(Debug, Clone)]
pub struct EnhancedBetaLikeness {
    column: Column,
    counts: Vec<u64>,
    records: u64,
    bounds: Vec<f64>,
}

impl EnhancedBetaLikeness {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let records = facts.records();
        Ok(Self {
            column: setting.column(&[]),
            counts: facts.counts.clone(),
            records,
            bounds: facts.counts.iter().map(|&n| bound(share(n, records))).collect(),
        })
    }
}

/// Returns −ln p with a small tolerance, so that a gain which meets it exactly passes.
fn bound(share: f64) -> f64 {
    -share.ln() * (1.0 + 1e-12)
}

impl Statistic for EnhancedBetaLikeness {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let known = group.known();
        let gains = group.values.iter().map(|value| {
            let code = value.code as usize;
            let gain = gain(value.count, known, self.counts[code], self.records);
            if gain > self.bounds[code] { f64::INFINITY } else { gain }
        });
        gains.reduce(f64::max).unwrap_or(hopeless(&self.column))
    }
}
