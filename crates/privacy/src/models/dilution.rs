//! Dilution: a minimum share of every group has values that are not sensitive.
//!
//! Definition: values of the don't-care set have a share of at least µ in the group.
//! Formula: n(g,Y) / n(g) ≥ µ.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.5.6.
//!
//! Shares in a merged group are between those of its parts: closed.

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::pd_recursive_l_diversity::dont_care;
use super::recursion::hopeless;
use super::{HSU, beyond, from};
use crate::exact::share;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "dilution",
    title: "mu-dilution",
    definition: "In every group values of the don't-care set have a share of at least mu.",
    formula: "n(g,Y) / n(g) >= mu",
    citation: HSU,
    example: "A group with six cancers, two colds and two flus, with colds and flus in the don't-care set, has the dilution 0.4.",
    parameters: &[Parameter::number(
        "mu",
        "the least share of the don't-care set",
        beyond(0.0),
        from(1.0),
        Some(Passing::AtLeast),
    ).usually(0.2)],
    choices: &[],
    sensitive: true,
    states: &["dont_care"],
    uses: &[],
    reference: false,
    kind: Merging::Closed,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(Dilution::of_setting(setting)?)),
};

/// The share of the don't-care set.
#[derive(Debug, Clone)]
pub struct Dilution {
    column: Column,
    dont_care: Vec<bool>,
}

impl Dilution {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let dont_care = dont_care(setting, setting.facts()?)?;
        Ok(Self { column: setting.column(&[]), dont_care })
    }
}

/// The share of a group's records that have a value of the don't-care set.
pub(super) fn diluted(group: &Group<'_>, dont_care: &[bool]) -> f64 {
    let harmless = group.values.iter().filter(|value| dont_care[value.code as usize]);
    share(harmless.map(|value| value.count).sum(), group.known())
}

impl Statistic for Dilution {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if group.values.is_empty() {
            return hopeless(&self.column);
        }
        diluted(group, &self.dont_care)
    }
}
