//! Extended k-anonymity: the sensitive attribute is generalized too, and each of its values occurs
//! k times in a group.
//!
//! Definition: with every sensitive value replaced by its ancestor at a level of the attribute's
//! own hierarchy, each value that occurs in a group occurs at least k times there. Formula: min {
//! n(g, a) : a occurs at the level } ≥ k. Citation: S.-Y. Hsu, "Database Anonymization and
//! Protections of Sensitive Attributes", master's thesis, Lakehead University, 2008. Interpreted
//! such that the sensitive attribute has its own hierarchy and level; the publication shows its
//! values at that level.
//!
//! Two groups in which every value occurs k times merge into one of the same kind, but a single
//! value makes any group fail: closed.

use haggle_cube::{Column, Group, Merging, Statistic};
use haggle_model::Level;

use super::recursion::hopeless;
use super::{HSU, from};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "extended-k-anonymity",
    title: "extended k-anonymity",
    definition: "Every published record looks like at least k - 1 others in its quasi-identifiers and in its sensitive value, the latter at a level of its own hierarchy.",
    formula: "min over values a at the level that occur in g of n(g,a) >= k",
    citation: HSU,
    example: "Of a group's six records three have gastritis, two an ulcer and one flu. At level 1 five have a stomach disease and one an infection: it passes k = 1 only. At level 2, where all are diseases, it passes k = 6.",
    parameters: &[
        Parameter::count("k", "the fewest records of a group that may share a generalized sensitive value").usually(5.0),
        Parameter {
            whole: true,
            ..Parameter::number("level", "the level of the sensitive attribute's hierarchy", from(0.0), from(255.0), None).usually(1.0)
        },
    ],
    choices: &[],
    sensitive: true,
    states: &["hierarchy"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: Some("level"),
    counts_records: true,
    statistic: |setting| Ok(Box::new(ExtendedKAnonymity::of_setting(setting)?)),
};

/// The records that share the rarest generalized sensitive value of a group.
#[derive(Debug, Clone)]
pub struct ExtendedKAnonymity {
    column: Column,
    ancestors: Vec<u32>,
    values: usize,
}

impl ExtendedKAnonymity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let facts = setting.facts()?;
        let hierarchy = facts.hierarchy.as_ref();
        let (hierarchy, codes) = setting.stated(hierarchy, "a hierarchy", "\"disease.csv\"")?;
        let level = setting.number("level")? as u8;
        let top = u8::from(hierarchy.top());
        if level > top {
            let what = format!("the hierarchy of '{}' has no level {level}", facts.target.name);
            return Err(Error::new(what, format!("its levels are 0 to {top}")));
        }
        let level = Level::from(level);
        Ok(Self {
            column: setting.column(&[]),
            ancestors: codes.iter().map(|&code| hierarchy.ancestor(code, level)).collect(),
            values: hierarchy.len(level),
        })
    }
}

impl Statistic for ExtendedKAnonymity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.known() < group.records {
            return 1.0; // a record without a value looks like no other
        }
        let mut counts = vec![0_u64; self.values];
        for value in group.values {
            counts[self.ancestors[value.code as usize] as usize] += value.count;
        }
        let rarest = counts.into_iter().filter(|&count| count > 0).min();
        rarest.map_or(hopeless(&self.column), |count| count as f64)
    }
}
