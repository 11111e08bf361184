//! The values of an attribute and the small numbers that stand for them.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::DateFormat;

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

    /// The same values in their natural order: by number where all are numbers, by day where all
    /// are dates of one format and of no other, else by letter. The order of arrival depends on
    /// how the input was split; this one does not.
    ///
    /// ```
    /// use haggle_model::Dictionary;
    ///
    /// let mut born = Dictionary::default();
    /// for date in ["24.12.1960", "3.1.1971", "4.10.1960"] {
    ///     born.code_or_add(date);
    /// }
    /// assert_eq!(born.sorted().values().collect::<Vec<_>>(), ["4.10.1960", "24.12.1960", "3.1.1971"]);
    /// ```
    pub fn sorted(&self) -> Self {
        let mut values = self.values.clone();
        values.sort_unstable();
        let numbers: Result<Vec<f64>, _> = values.iter().map(|value| value.parse()).collect();
        match (numbers, date_format(&values)) {
            (Ok(numbers), _) => sorted_by(values, numbers, f64::total_cmp),
            (_, Some(format)) => {
                let days = values.iter().map(|value| format.day(value)).collect();
                sorted_by(values, days, Ord::cmp)
            }
            _ => values,
        }
        .into()
    }
}

/// The values in the order of their keys; those with equal keys stay in order.
fn sorted_by<K>(
    values: Vec<Box<str>>,
    keys: Vec<K>,
    order: impl Fn(&K, &K) -> Ordering,
) -> Vec<Box<str>> {
    let mut keyed: Vec<(K, Box<str>)> = keys.into_iter().zip(values).collect();
    keyed.sort_by(|(a, _), (b, _)| order(a, b));
    keyed.into_iter().map(|(_, value)| value).collect()
}

/// The format of all dates, if there is but one that they may be in.
fn date_format(values: &[Box<str>]) -> Option<DateFormat> {
    let reads_all = |format: &DateFormat| values.iter().all(|value| format.reads(value));
    let mut formats = DateFormat::known().into_iter().filter(reads_all);
    formats.next().filter(|_| formats.next().is_none())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(values: &[&str]) -> Vec<String> {
        let mut dictionary = Dictionary::default();
        for value in values {
            dictionary.code_or_add(value);
        }
        dictionary.sorted().values().map(String::from).collect()
    }

    #[test]
    fn numbers_are_sorted_by_number() {
        assert_eq!(sorted(&["10", "9", "-1", "9.5", "09"]), ["-1", "09", "9", "9.5", "10"]);
        assert_eq!(sorted(&["10", "9", "?"]), ["10", "9", "?"]);
        assert!(sorted(&[]).is_empty());
    }

    #[test]
    fn dates_are_sorted_by_day_where_it_is_clear_which() {
        assert_eq!(
            sorted(&["2.1.2020", "11.1.2019", "1.2.2020"]),
            ["11.1.2019", "2.1.2020", "1.2.2020"]
        );
        assert_eq!(sorted(&["9/30/2020", "10/1/2019"]), ["10/1/2019", "9/30/2020"]);
        assert_eq!(sorted(&["30/9/2020", "1/10/2020"]), ["30/9/2020", "1/10/2020"]);
        // Of May or of June? By letter, then.
        assert_eq!(
            sorted(&["6/5/2020", "5/6/2021", "10/1/2019"]),
            ["10/1/2019", "5/6/2021", "6/5/2020"]
        );
        assert_eq!(sorted(&["2020-02-01", "2019-12-31"]), ["2019-12-31", "2020-02-01"]);
        assert_eq!(sorted(&["31.2.2020", "1.1.2021"]), ["1.1.2021", "31.2.2020"]);
    }
}
