//! One question: a group, its table, the model's parameters and what is stated.

use std::collections::BTreeMap;

use super::number::Number;
use super::{Parameters, Stated};

/// A group to be judged by a model, with the quantities of the definitions.
pub(super) struct Case<'a> {
    parameters: &'a Parameters,
    pub(super) stated: &'a Stated,
    /// The group's records of each of its values.
    pub(super) group: BTreeMap<&'a str, usize>,
    /// All records of each value.
    pub(super) table: BTreeMap<&'a str, usize>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        parameters: &'a Parameters,
        stated: &'a Stated,
        group: &[&'a str],
        table: &[&'a str],
    ) -> Self {
        assert!(!group.is_empty(), "a group has records");
        Self { parameters, stated, group: counted(group), table: counted(table) }
    }

    /// n: how many records the group has.
    pub(super) fn records(&self) -> usize {
        self.group.values().sum()
    }

    /// q(s): the share of the group's records that have a value.
    pub(super) fn share(&self, value: &str) -> Number {
        Number::ratio(self.group.get(value).copied().unwrap_or(0), self.records())
    }

    /// The share of the group's records that have a value of a set.
    pub(super) fn share_within(&self, values: &[&str]) -> Number {
        let within = self.group.iter().filter(|(value, _)| values.contains(value));
        Number::ratio(within.map(|(_, count)| count).sum(), self.records())
    }

    /// p(s): the share of all records that have a value.
    pub(super) fn table_share(&self, value: &str) -> Number {
        let all = self.table.values().sum();
        Number::ratio(self.table.get(value).copied().unwrap_or(0), all)
    }

    /// The largest share of any value of the group.
    pub(super) fn largest_share(&self) -> Number {
        self.group.keys().map(|value| self.share(value)).fold(Number::ZERO, Number::max)
    }

    /// A parameter of the model.
    pub(super) fn number(&self, name: &str) -> Number {
        self.given(name).unwrap_or_else(|| panic!("parameter '{name}' is missing"))
    }

    /// A parameter of the model that may be left out.
    pub(super) fn given(&self, name: &str) -> Option<Number> {
        self.parameters.numbers.get(name).map(|&number| Number::written(number))
    }

    /// A parameter of the model that counts or numbers something.
    pub(super) fn whole(&self, name: &str) -> usize {
        match self.number(name) {
            Number::Fraction(number, 1) if number >= 0 => number as usize,
            other => panic!("parameter '{name}' is {}, not a whole number", other.value()),
        }
    }

    /// Whether a textual choice of the model is this word; it may be left out.
    pub(super) fn chose(&self, name: &str, word: &str) -> bool {
        self.parameters.choices.get(name).is_some_and(|chosen| chosen == word)
    }

    /// A textual choice of the model.
    pub(super) fn choice(&self, name: &str) -> &str {
        self.parameters.choices.get(name).unwrap_or_else(|| panic!("choice '{name}' is missing"))
    }
}

fn counted<'a>(values: &[&'a str]) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(*value).or_default() += 1;
    }
    counts
}

/// A set that is stated, to be compared with values of records.
pub(super) fn strs(values: &[String]) -> Vec<&str> {
    values.iter().map(String::as_str).collect()
}
