//! Distinct l-diversity: every group shows at least l different sensitive values.
//!
//! Definition: a group passes if its records have at least l different values of the sensitive
//! attribute. Formula: |{s : n(g,s) > 0}| ≥ l.
//! Citation: A. Machanavajjhala, J. Gehrke, D. Kifer, "l-diversity: privacy beyond k-anonymity",
//! ICDE 2006.
//!
//! Merging groups only adds values, so the model is union-monotone.

use haggle_cube::{Comparison, Group, Kind, Statistic};

use crate::{Model, Parameter, Target};

pub(super) const MODEL: Model = Model {
    id: "distinct-l-diversity",
    title: "distinct l-diversity",
    definition: "Every group of published records has at least l different values of the sensitive attribute.",
    formula: "|{ s : n(g,s) > 0 }| >= l",
    citation: "A. Machanavajjhala, J. Gehrke, D. Kifer: l-diversity: privacy beyond k-anonymity. ICDE 2006",
    example: "A group whose four records work 40, 50, 40 and 45 hours has 3 different values: it passes l = 3 and fails l = 4.",
    parameters: &[Parameter {
        name: "l",
        meaning: "the fewest different sensitive values a group may have",
        minimum: 2.0,
        maximum: 4_294_967_295.0,
        whole: true,
    }],
    sensitive: true,
    statistic: |target| {
        Box::new(DistinctLDiversity::on(target.expect("the model needs a sensitive attribute")))
    },
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
/// assert_eq!(hours.id(), "distinct-l-diversity:on=hours");
/// ```
#[derive(Debug, Clone)]
pub struct DistinctLDiversity {
    target: Target,
}

impl DistinctLDiversity {
    /// The model on this sensitive attribute.
    pub fn on(target: Target) -> Self {
        Self { target }
    }
}

impl Statistic for DistinctLDiversity {
    fn id(&self) -> String {
        format!("{}:on={}", MODEL.id, self.target.name)
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        group.values.len() as f64
    }

    fn comparison(&self) -> Comparison {
        Comparison::AtLeast
    }

    fn kind(&self) -> Kind {
        Kind::UnionMonotone
    }

    fn weakest(&self) -> f64 {
        MODEL.parameters[0].minimum
    }

    fn watches(&self) -> Option<usize> {
        Some(self.target.position)
    }
}
