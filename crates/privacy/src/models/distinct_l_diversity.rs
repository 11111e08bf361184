//! Distinct l-diversity: every group shows at least l different sensitive values.
//!
//! Definition: a group passes if its records have at least l different values of the sensitive
//! attribute. Formula: |{s : n(g,s) > 0}| ≥ l.
//! Citation: A. Machanavajjhala, J. Gehrke, D. Kifer, "l-diversity: privacy beyond k-anonymity",
//! ICDE 2006.
//!
//! Merging groups only adds values, so the model is union-monotone.

use haggle_cube::{Column, Group, Kind, Statistic};

use super::MACHANAVAJJHALA;
use crate::{Error, Model, Parameter, Setting};

pub(super) const MODEL: Model = Model {
    id: "distinct-l-diversity",
    title: "distinct l-diversity",
    definition: "Every group of published records has at least l different values of the sensitive attribute.",
    formula: "|{ s : n(g,s) > 0 }| >= l",
    citation: MACHANAVAJJHALA,
    example: "A group whose four records work 40, 50, 40 and 45 hours has 3 different values: it passes l = 3 and fails l = 4.",
    parameters: &[Parameter::count("l", "the fewest different sensitive values a group may have")],
    choices: &[],
    sensitive: true,
    states: &[],
    reference: false,
    kind: Kind::UnionMonotone,
    stored: true,
    published_level: None,
    statistic: |setting| Ok(Box::new(DistinctLDiversity::of_setting(setting)?)),
};

/// The number of different sensitive values of a group.
#[derive(Debug, Clone)]
pub struct DistinctLDiversity {
    column: Column,
}

impl DistinctLDiversity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        Ok(Self { column: setting.counting(setting.facts()?.occurring(), &[]) })
    }
}

impl Statistic for DistinctLDiversity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        group.values.len() as f64
    }
}
