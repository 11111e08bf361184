//! Negative disclosure: no attacker can be almost sure that a person does not have a sensitive
//! value.
//!
//! Definition: an attacker whose prior belief is the marginal distribution f(s) believes, after
//! seeing the publication, in a value s of a member of group g with β = n(g,s) / n(g). There is no
//! ε-negative disclosure if β is at least ε for every value s of the table.
//! Formula: min over all s of n(g,s) / n(g) ≥ ε.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.1.5.
//!
//! Shares in a merged group are between those of its parts: closed.

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::recursion::hopeless;
use super::{HSU, beyond, from};
use crate::exact::share;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "negative-disclosure",
    title: "no epsilon-negative disclosure",
    definition: "After seeing the publication, an attacker who knew only the distribution in the whole table believes in every sensitive value of every person with at least epsilon.",
    formula: "min over all values s of n(g,s) / n(g) >= epsilon",
    citation: HSU,
    example: "In a table of flu and cancer, a group with nine cancers and one flu passes epsilon = 0.1; one with cancers only fails every epsilon.",
    parameters: &[Parameter::number(
        "epsilon",
        "the least belief in any value",
        beyond(0.0),
        from(1.0),
        Some(Passing::AtLeast),
    ).usually(0.01)],
    choices: &[],
    sensitive: true,
    states: &[],
    uses: &[],
    reference: true,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(NegativeDisclosure::of_setting(setting)?)),
};

/// The share of a group's rarest value; 0 if it lacks one of the table's.
#[derive(Debug, Clone)]
pub struct NegativeDisclosure {
    column: Column,
    needed: usize,
}

impl NegativeDisclosure {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let needed = setting.facts()?.occurring();
        Ok(Self { column: setting.column(&[]), needed })
    }
}

impl Statistic for NegativeDisclosure {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let rarest = group.values.iter().map(|value| value.count).min();
        match rarest {
            None => hopeless(&self.column),
            Some(_) if group.values.len() < self.needed => 0.0,
            Some(rarest) => share(rarest, group.known()),
        }
    }
}
