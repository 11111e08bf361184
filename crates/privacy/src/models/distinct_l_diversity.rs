//! Distinct l-diversity: every group shows at least l different sensitive values.
//!
//! Definition: a group passes if its records have at least l different values of the sensitive
//! attribute. Formula: |{s : n(g,s) > 0}| ≥ l.
//! Citation: A. Machanavajjhala, J. Gehrke, D. Kifer, "l-diversity: privacy beyond k-anonymity",
//! ICDE 2006.
//!
//! Merging groups only adds values, so the model is union-monotone.

use haggle_cube::{Column, Group, Merging, Statistic};

use super::MACHANAVAJJHALA;
use crate::{Arguments, Error, Facts, Model, Parameter, Setting, Target};

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
    uses: &[],
    reference: false,
    kind: Merging::UnionMonotone,
    stored: true,
    published_level: None,
    counts_records: false,
    statistic: |setting| Ok(Box::new(DistinctLDiversity::of_setting(setting)?)),
};

/// The number of different sensitive values of a group.
///
/// ```
/// use haggle_cube::{Group, Statistic, ValueCount};
/// use haggle_privacy::{DistinctLDiversity, Target};
///
/// let hours = DistinctLDiversity::on(Target { position: 0, name: "hours".into() });
/// let values = [(40, 2), (45, 1), (50, 1)].map(|(code, count)| ValueCount { code, count });
/// assert_eq!(hours.of(&Group { records: 4, values: &values }), 3.0);
/// assert_eq!(hours.column().id, "distinct-l-diversity:on=hours");
/// ```
#[derive(Debug, Clone)]
pub struct DistinctLDiversity {
    column: Column,
}

impl DistinctLDiversity {
    /// Builds the statistic on an attribute of which only the name is known.
    pub fn on(target: Target) -> Self {
        let facts = Facts::plain(target, haggle_model::Dictionary::default(), Vec::new());
        let setting = Setting {
            model: &MODEL,
            negotiated: MODEL.threshold(),
            arguments: &Arguments::default(),
            facts: Some(&facts),
            unit: None,
        };
        Self { column: setting.column(&[]) }
    }

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
