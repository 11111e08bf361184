//! Values to codes while reading, and what is done about those that are missing.

use std::borrow::Cow;

use haggle_model::{Dictionary, UNKNOWN, is_unmatched, unmatched};

/// What happens to a record with a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnMissing {
    /// Missing is a value of its own.
    Value,
    /// The record is left out.
    Drop,
    /// Missing matches nothing, not even another missing value: as a quasi-identifier below the top
    /// it makes its record a group of its own, and it is not a sensitive value.
    Unmatched,
    /// Reading fails.
    #[default]
    Error,
}

/// Which fields count as missing, and what follows.
#[derive(Debug, Clone)]
pub struct Missing {
    /// Fields that are just this, blanks aside.
    pub marks: Vec<String>,
    /// What happens to such records.
    pub policy: OnMissing,
}

impl Default for Missing {
    fn default() -> Self {
        Self { marks: vec![String::new()], policy: OnMissing::default() }
    }
}

impl Missing {
    /// Returns the label of all missing values where they are a value of their own.
    pub fn label(&self) -> &str {
        self.marks.iter().find(|mark| !mark.is_empty()).map_or("?", String::as_str)
    }

    pub(crate) fn is(&self, field: &str) -> bool {
        self.marks.iter().any(|mark| mark == field)
    }
}

/// What a column's missing values are counted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Whatever was recorded.
    Recorded,
    /// One value for all of them.
    Labelled,
    /// A value for each of them.
    Unique,
    /// No value.
    Unknown,
}

impl Gap {
    /// The value that a field of the record on this line is counted as.
    pub(crate) fn value<'f>(self, field: &'f str, missing: &'f Missing, line: u64) -> Cow<'f, str> {
        if self == Self::Recorded || !missing.is(field) {
            return field.into();
        }
        match self {
            Self::Recorded => field.into(),
            Self::Labelled => missing.label().into(),
            Self::Unique => unmatched(line).into(),
            Self::Unknown => UNKNOWN.into(),
        }
    }
}

/// How often the text of a value is held, in dictionaries and hierarchies.
const COPIES: usize = 5;

/// The values of a column and the line on which each occurs first.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The values.
    pub dictionary: Dictionary,
    /// By code, the line of the first occurrence, as [`Table::place`](crate::Table::place)
    /// understands it.
    pub first_line: Vec<u64>,
    /// Where values are missing that match nothing, as lines in ascending order.
    pub missing: Vec<u64>,
}

impl Values {
    pub(crate) fn code(&mut self, value: &str, line: u64) -> u32 {
        let code = self.dictionary.code_or_add(value);
        if code as usize == self.first_line.len() {
            self.first_line.push(line);
        }
        code
    }

    /// Returns the bytes that the values need, with this many for each in addition to its text.
    pub(crate) fn bytes(&self, each: usize) -> usize {
        each * self.dictionary.len() + COPIES * self.dictionary.text_bytes()
    }

    /// All values of several lists, in their natural order, with the earliest lines.
    pub(crate) fn union<'a>(lists: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut all = Dictionary::default();
        let values = lists.clone().flat_map(|list| list.dictionary.values());
        for value in values.filter(|value| !is_unmatched(value)) {
            all.code_or_add(value);
        }
        let dictionary = all.sorted();
        let mut first_line = vec![u64::MAX; dictionary.len()];
        let mut missing = Vec::new();
        let values = lists.flat_map(|list| list.dictionary.values().zip(&list.first_line));
        for (value, &line) in values.filter(|(value, _)| *value != UNKNOWN) {
            match dictionary.code(value) {
                Some(code) => {
                    let first = &mut first_line[code as usize];
                    *first = line.min(*first);
                }
                None => missing.push(line),
            }
        }
        missing.sort_unstable();
        Self { dictionary, first_line, missing }
    }

    /// The labels of missing values that match nothing.
    pub fn unmatched(&self) -> impl Iterator<Item = String> {
        self.missing.iter().map(|&line| unmatched(line))
    }
}
