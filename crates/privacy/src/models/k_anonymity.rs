//! k-anonymity: every record is in a group of at least k.
//!
//! Definition: a group passes if it has at least k records; persons, if a person may have several
//! records, because k records of one patient do not protect that patient. Formula: |g| ≥ k.
//! Citation: P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE
//! 13(6), 2001.
//!
//! Merging groups only makes them larger, so the model is union-monotone.

use haggle_cube::{Column, Group, Merging, Statistic};

use crate::{Arguments, Model, Parameter, Setting, Target};

pub(super) const MODEL: Model = Model {
    id: "k-anonymity",
    title: "k-anonymity",
    definition: "Every published record looks like at least k - 1 others in its quasi-identifiers.",
    formula: "|g| >= k",
    citation: "P. Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001",
    example: "Groups of 3, 3 and 4 records are 3-anonymous; at k = 4 the two groups of 3 are suppressed, 6 records.",
    parameters: &[Parameter::count("k", "the minimum group size").usually(5.0)],
    choices: &[],
    sensitive: false,
    states: &[],
    uses: &[],
    reference: false,
    kind: Merging::UnionMonotone,
    stored: true,
    published_level: None,
    counts_records: false,
    statistic: |setting| Ok(Box::new(KAnonymity::of_setting(setting))),
};

/// The size of a group.
///
/// ```
/// use haggle_cube::{Group, Statistic, ValueCount};
/// use haggle_privacy::{KAnonymity, Target};
///
/// let patients = [(7, 3), (9, 1)].map(|(code, count)| ValueCount { code, count });
/// let group = Group { records: 4, values: &patients };
/// assert_eq!(KAnonymity::of_records().of(&group), 4.0);
/// let patient = Target { position: 0, name: "patient".into() };
/// assert_eq!(KAnonymity::of_persons(&patient).of(&group), 2.0);
/// ```
#[derive(Debug, Clone)]
pub struct KAnonymity {
    column: Column,
    persons: bool,
}

impl KAnonymity {
    /// Counts records.
    pub fn of_records() -> Self {
        Self::of(None)
    }

    /// Counts the distinct values of the attribute that identifies persons.
    pub fn of_persons(unit: &Target) -> Self {
        Self::of(Some(unit))
    }

    fn of(unit: Option<&Target>) -> Self {
        Self::of_setting(&Setting {
            model: &MODEL,
            negotiated: MODEL.threshold(),
            arguments: &Arguments::default(),
            facts: None,
            unit,
        })
    }

    fn of_setting(setting: &Setting<'_>) -> Self {
        let watches = setting.unit.map(|unit| unit.position);
        Self { column: Column { watches, ..setting.column(&[]) }, persons: watches.is_some() }
    }
}

impl Statistic for KAnonymity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        if self.persons { group.values.len() as f64 } else { group.records as f64 }
    }

    fn is_size(&self) -> bool {
        !self.persons
    }
}
