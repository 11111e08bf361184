//! Range control: the sensitive values of a group span a minimum range.
//!
//! Definition: the highest class of a group's sensitive values is at least δ above the lowest.
//! Formula: max cf(s) − min cf(s) ≥ δ.
//! Citation: S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", master's thesis,
//! Lakehead University, 2008, definition 3.6.2.
//!
//! More values never narrow the range: union-monotone.

use std::ops::Bound;

use haggle_cube::{Column, Passing, Group, Merging, Statistic};

use super::recursion::hopeless;
use super::{HSU, beyond};
use crate::exact::tidy;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "range-control",
    title: "delta-range control",
    definition: "In every group the classes of the sensitive values span at least delta.",
    formula: "max cf(s) - min cf(s) >= delta",
    citation: HSU,
    example: "With classes 1 at 8,000 and 2 at 25,000, straight in between, a group with the salaries 8,000 and 16,500 spans 0.5: it passes delta = 0.5 and fails delta = 1.",
    parameters: &[Parameter::number(
        "delta",
        "the least span of classes in a group",
        beyond(0.0),
        Bound::Unbounded,
        Some(Passing::AtLeast),
    ).usually(1.0)],
    choices: &[],
    sensitive: true,
    states: &["class_function"],
    uses: &["order"],
    reference: false,
    kind: Merging::UnionMonotone,
    stored: false,
    published_level: None,
    counts_records: false,
    statistic: |setting| Ok(Box::new(RangeControl::of_setting(setting)?)),
};

/// The span of a group's classes.
#[derive(Debug, Clone)]
pub struct RangeControl {
    column: Column,
    classes: Vec<f64>,
}

impl RangeControl {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let classes = setting.facts()?.classes.clone();
        let classes = setting.stated(classes, "class_function", "\"empirical\"")?;
        Ok(Self { column: setting.column(&[]), classes })
    }
}

impl Statistic for RangeControl {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let classes = group.values.iter().map(|value| self.classes[value.code as usize]);
        let low = classes.clone().reduce(f64::min);
        let high = classes.reduce(f64::max);
        match (low, high) {
            (Some(low), Some(high)) => tidy(high - low),
            _ => hopeless(&self.column),
        }
    }
}
