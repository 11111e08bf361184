//! k-anonymity: every record hides in a group of at least k.
//!
//! Definition: a group passes if it has at least k records. Formula: |g| ≥ k.
//! Citation: P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE
//! 13(6), 2001.
//!
//! Merging groups only makes them larger, so the model is union-monotone.

use haggle_cube::{Comparison, Group, Kind, Statistic};

use crate::{Model, Parameter};

pub(super) const MODEL: Model = Model {
    id: "k-anonymity",
    title: "k-anonymity",
    definition: "Every published record looks like at least k - 1 others in its quasi-identifiers.",
    formula: "|g| >= k",
    citation: "P. Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001",
    example: "Groups of 3, 3 and 4 records are 3-anonymous; at k = 4 the two groups of 3 are suppressed, 6 records.",
    parameters: &[Parameter {
        name: "k",
        meaning: "the fewest records a group may have",
        minimum: 2.0,
        maximum: 4_294_967_295.0,
        whole: true,
    }],
    sensitive: false,
    statistic: |unit| match unit {
        Some(unit) => Box::new(KAnonymityOfUnits { unit: unit.position }),
        None => Box::new(KAnonymity),
    },
};

/// The size of a group.
///
/// ```
/// use haggle_cube::{Group, Statistic};
/// use haggle_privacy::KAnonymity;
/// assert_eq!(KAnonymity.of(&Group { records: 4, values: &[] }), 4.0);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct KAnonymity;

impl Statistic for KAnonymity {
    fn id(&self) -> String {
        MODEL.id.into()
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        group.records as f64
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
}

/// The number of different persons in a group, where a person may have several records: k records
/// of one patient are no crowd.
///
/// ```
/// use haggle_cube::{Group, Statistic, ValueCount};
/// use haggle_privacy::KAnonymityOfUnits;
///
/// let patients = [(7, 3), (9, 1)].map(|(code, count)| ValueCount { code, count });
/// let persons = KAnonymityOfUnits { unit: 0 };
/// assert_eq!(persons.of(&Group { records: 4, values: &patients }), 2.0);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct KAnonymityOfUnits {
    /// The watched attribute that names the persons, by position.
    pub unit: usize,
}

impl Statistic for KAnonymityOfUnits {
    fn id(&self) -> String {
        MODEL.id.into()
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
        Some(self.unit)
    }
}
