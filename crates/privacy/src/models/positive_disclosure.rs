//! Positive disclosure: no attacker can be almost sure of a sensitive value.
//!
//! Definition: an attacker whose prior belief is the marginal distribution f(s) believes, after
//! seeing the publication, in a value s of a member of group g with β = n(g,s) / n(g). There is no
//! δ-positive disclosure if β is at most 1 − δ for every s. Formula: 1 − max n(g,s) / n(g) ≥ δ.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.1.4 and theorem 3.1.3. With a prior f(s) that does not
//! depend on the quasi-identifiers its quotients f(s|q)/f(s|q*) are 1. A prior taken from the table's
//! own joint distribution would make β the same for every scheme.
//!
//! Shares in a merged group are between those of its parts: closed.

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::recursion::hopeless;
use super::{HSU, beyond};
use crate::exact::{most, ratio};
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "positive-disclosure",
    title: "no delta-positive disclosure",
    definition: "After seeing the publication, an attacker who knew only the distribution in the whole table believes in no sensitive value of any person with more than 1 - delta.",
    formula: "1 - max n(g,s) / n(g) >= delta",
    citation: HSU,
    example: "Nine bladder cancers and one flu leave a belief of 0.9 in cancer: the group passes delta = 0.1 and fails delta = 0.2.",
    parameters: &[Parameter::number(
        "delta",
        "the least doubt that is left",
        beyond(0.0),
        beyond(1.0),
        Some(Passing::AtLeast),
    ).usually(0.2)],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(PositiveDisclosure::of_setting(setting)?)),
};

/// The share of a group that does not have its most frequent value.
#[derive(Debug, Clone)]
pub struct PositiveDisclosure {
    column: Column,
}

impl PositiveDisclosure {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        setting.facts()?;
        Ok(Self { column: setting.column(&[]) })
    }
}

impl Statistic for PositiveDisclosure {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        let known = group.known();
        ratio((known - most(group)).into(), known.into())
    }
}
