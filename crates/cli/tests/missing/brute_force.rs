//! Twelve records with gaps, and what every policy makes of them, counted record by record.

use std::collections::{BTreeMap, BTreeSet};

/// Age, sex and disease of twelve people. Age is missing in 3, 4 and 11, sex in 5, the disease in
/// 6, 11 and 12: in a quasi-identifier alone, in the sensitive attribute alone, and in both.
pub(crate) const RECORDS: [[&str; 3]; 12] = [
    ["34", "f", "flu"],
    ["34", "f", "gout"],
    ["?", "f", "flu"],
    ["", "f", "flu"],
    ["36", "?", "flu"],
    ["36", "f", "?"],
    ["36", "m", "flu"],
    ["41", "m", "flu"],
    ["41", "m", "gout"],
    ["47", "m", "asthma"],
    ["?", "m", "?"],
    ["47", "m", ""],
];

/// The top levels of age and sex.
pub(crate) const TOPS: [usize; 2] = [2, 1];

pub(crate) fn is_missing(field: &str) -> bool {
    ["?", ""].contains(&field)
}

/// What is done about missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    Value,
    Drop,
    Unmatched,
}

impl Policy {
    pub(crate) const ALL: [Self; 3] = [Self::Value, Self::Drop, Self::Unmatched];

    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Drop => "drop",
            Self::Unmatched => "unmatched",
        }
    }

    /// The records that count, with their numbers.
    pub(crate) fn records(self) -> impl Iterator<Item = (usize, [&'static str; 3])> {
        let stays = move |record: &[&str; 3]| {
            self != Self::Drop || !record.iter().any(|field| is_missing(field))
        };
        RECORDS.into_iter().enumerate().filter(move |(_, record)| stays(record))
    }

    /// What a field of a record looks like at a level; what matches nothing is named by its record.
    pub(crate) fn look(self, attribute: usize, level: usize, field: &str, record: usize) -> String {
        if level == TOPS[attribute] {
            return "*".into();
        }
        match self {
            Self::Unmatched if is_missing(field) => format!("nobody else than {record}"),
            _ if is_missing(field) => "?".into(),
            _ if level == 1 => format!("{}0-{}9", &field[..1], &field[..1]),
            _ => field.into(),
        }
    }

    /// What is written of a field that is not recoded: where missing is a value, every mark alike.
    pub(crate) fn written(self, field: &str) -> String {
        if self == Self::Value && is_missing(field) { "?".into() } else { field.into() }
    }

    /// The groups of some attributes at some levels: records, and different diseases.
    pub(crate) fn groups(self, scheme: &[(usize, usize)]) -> BTreeMap<Vec<String>, Group> {
        let mut groups: BTreeMap<Vec<String>, Group> = BTreeMap::new();
        for (number, record) in self.records() {
            let look = |&(attribute, level): &(usize, usize)| {
                self.look(attribute, level, record[attribute], number)
            };
            let group = groups.entry(scheme.iter().map(look).collect()).or_default();
            group.add(self, number, record[2]);
        }
        groups
    }

    /// These records as one group.
    pub(crate) fn group_of(self, numbers: &[usize]) -> Group {
        let mut group = Group::default();
        for (number, record) in self.records().filter(|(number, _)| numbers.contains(number)) {
            group.add(self, number, record[2]);
        }
        group
    }

    /// The records whose group fails.
    pub(crate) fn suppressed(self, scheme: &[(usize, usize)], model: Model) -> Vec<usize> {
        let groups = self.groups(scheme).into_values();
        let mut failing: Vec<usize> =
            groups.filter(|group| !model.passes(group)).flat_map(|group| group.records).collect();
        failing.sort_unstable();
        failing
    }
}

#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) records: Vec<usize>,
    pub(crate) diseases: BTreeSet<&'static str>,
}

impl Group {
    fn add(&mut self, policy: Policy, number: usize, disease: &'static str) {
        self.records.push(number);
        match disease {
            disease if !is_missing(disease) => drop(self.diseases.insert(disease)),
            _ if policy == Policy::Value => drop(self.diseases.insert("?")),
            _ => (),
        }
    }
}

/// A threshold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Model {
    K(usize),
    L(usize),
}

impl Model {
    pub(crate) fn of(self, group: &Group) -> usize {
        match self {
            Self::K(_) => group.records.len(),
            Self::L(_) => group.diseases.len(),
        }
    }

    pub(crate) fn threshold(self) -> usize {
        let (Self::K(threshold) | Self::L(threshold)) = self;
        threshold
    }

    pub(crate) fn passes(self, group: &Group) -> bool {
        self.of(group) >= self.threshold()
    }

    /// As arguments.
    pub(crate) fn asked(self) -> [String; 2] {
        let name = match self {
            Self::K(_) => "--k",
            Self::L(_) => "--l",
        };
        [name.into(), self.threshold().to_string()]
    }
}

/// All schemes of some attributes, as pairs of attribute and level.
pub(crate) fn schemes(attributes: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let mut schemes = vec![Vec::new()];
    for &attribute in attributes {
        let climb = |scheme: Vec<(usize, usize)>| {
            (0..=TOPS[attribute]).map(move |level| [&scheme[..], &[(attribute, level)]].concat())
        };
        schemes = schemes.into_iter().flat_map(climb).collect();
    }
    schemes
}

/// A scheme's levels as an argument.
pub(crate) fn levels(scheme: &[(usize, usize)]) -> String {
    scheme.iter().map(|(_, level)| level.to_string()).collect::<Vec<_>>().join(",")
}
