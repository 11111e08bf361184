//! The values of an attribute and the small numbers that stand for them.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Values by code and codes by value; codes are given in the order of arrival.
///
/// ```
/// use haggle_model::Dictionary;
///
/// let mut diseases = Dictionary::default();
/// assert_eq!(diseases.code_or_add("flu"), 0);
/// assert_eq!(diseases.code_or_add("asthma"), 1);
/// assert_eq!(diseases.code_or_add("flu"), 0);
/// assert_eq!(diseases.value(1), "asthma");
/// assert_eq!(diseases.sorted().code("asthma"), Some(0));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Box<str>>", into = "Vec<Box<str>>")]
pub struct Dictionary {
    values: Vec<Box<str>>,
    codes: FxHashMap<Box<str>, u32>,
}

impl Dictionary {
    /// The code of a value, which is added if it is new.
    pub fn code_or_add(&mut self, value: &str) -> u32 {
        if let Some(&code) = self.codes.get(value) {
            return code;
        }
        let code = self.values.len() as u32;
        self.values.push(value.into());
        self.codes.insert(value.into(), code);
        code
    }

    /// The code of a value, if it is known.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.codes.get(value).copied()
    }

    /// The value of a code of this dictionary.
    pub fn value(&self, code: u32) -> &str {
        &self.values[code as usize]
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values in the order of their codes.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(AsRef::as_ref)
    }

    /// The same values in their natural order: by number where all are numbers, else by letter.
    /// The order of arrival depends on how the input was split; this one does not.
    pub fn sorted(&self) -> Self {
        let mut values = self.values.clone();
        if values.iter().all(|value| value.parse::<f64>().is_ok()) {
            values.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.cmp(b)));
        } else {
            values.sort_unstable();
        }
        values.into()
    }
}

fn number(value: &str) -> f64 {
    value.parse().unwrap_or(f64::NAN)
}

impl From<Vec<Box<str>>> for Dictionary {
    fn from(values: Vec<Box<str>>) -> Self {
        let mut dictionary = Self::default();
        for value in &values {
            dictionary.code_or_add(value);
        }
        dictionary
    }
}

impl From<Dictionary> for Vec<Box<str>> {
    fn from(dictionary: Dictionary) -> Self {
        dictionary.values
    }
}
