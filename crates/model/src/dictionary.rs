//! The values of an attribute, and the numbers that represent them.

use std::cmp::Ordering;
use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
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
///
/// The text of all values is kept in one string, because tables may have millions of values.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Box<str>>", into = "Vec<Box<str>>")]
pub struct Dictionary {
    text: String,
    /// Where the value of each code ends in the text.
    ends: Vec<usize>,
    codes: HashTable<u32>,
}

impl Dictionary {
    /// Returns the code of a value, and adds the value if it is new.
    pub fn code_or_add(&mut self, value: &str) -> u32 {
        if let Some(code) = self.code(value) {
            return code;
        }
        let code = self.ends.len() as u32;
        let (text, ends) = (&mut self.text, &mut self.ends);
        text.push_str(value);
        ends.push(text.len());
        self.codes.insert_unique(hash(value), code, |&code| hash(at(text, ends, code)));
        code
    }

    /// Returns the code of a value that was added.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.codes.find(hash(value), |&code| self.value(code) == value).copied()
    }

    /// The value of a code of this dictionary.
    pub fn value(&self, code: u32) -> &str {
        at(&self.text, &self.ends, code)
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the dictionary has no values.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of all values' text.
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// The values in the order of their codes.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|code| self.value(code as u32))
    }

    /// Returns the same values in their natural order: numeric where all are numbers, by day where
    /// all are dates of exactly one format, else lexicographic. Unlike the order of arrival, this
    /// order does not depend on how the input was split.
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
        let mut values: Vec<&str> = self.values().collect();
        values.sort_unstable();
        let numbers: Result<Vec<f64>, _> = values.iter().map(|value| value.parse()).collect();
        let values = match (numbers, date_format(&values)) {
            (Ok(numbers), _) => sorted_by(values, numbers, f64::total_cmp),
            (_, Some(format)) => {
                let days = values.iter().map(|value| format.day(value)).collect();
                sorted_by(values, days, Ord::cmp)
            }
            _ => values,
        };
        Self::of(values)
    }

    fn of<'v>(values: impl IntoIterator<Item = &'v str>) -> Self {
        let mut dictionary = Self::default();
        for value in values {
            dictionary.code_or_add(value);
        }
        dictionary
    }
}

impl PartialEq for Dictionary {
    /// Compares values and their codes.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.ends == other.ends
    }
}

/// The value with this code.
fn at<'t>(text: &'t str, ends: &[usize], code: u32) -> &'t str {
    let position = code as usize;
    let start = if position == 0 { 0 } else { ends[position - 1] };
    &text[start..ends[position]]
}

fn hash(value: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(value.as_bytes());
    hasher.finish()
}

/// The values in the order of their keys; those with equal keys stay in order.
fn sorted_by<K>(values: Vec<&str>, keys: Vec<K>, order: impl Fn(&K, &K) -> Ordering) -> Vec<&str> {
    let mut keyed: Vec<(K, &str)> = keys.into_iter().zip(values).collect();
    keyed.sort_by(|(a, _), (b, _)| order(a, b));
    keyed.into_iter().map(|(_, value)| value).collect()
}

/// Returns the format of all dates, if exactly one format fits.
fn date_format(values: &[&str]) -> Option<DateFormat> {
    let reads_all = |format: &DateFormat| values.iter().all(|value| format.reads(value));
    let mut formats = DateFormat::known().into_iter().filter(reads_all);
    formats.next().filter(|_| formats.next().is_none())
}

impl From<Vec<Box<str>>> for Dictionary {
    fn from(values: Vec<Box<str>>) -> Self {
        Self::of(values.iter().map(AsRef::as_ref))
    }
}

impl From<Dictionary> for Vec<Box<str>> {
    fn from(dictionary: Dictionary) -> Self {
        dictionary.values().map(Into::into).collect()
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
    fn dates_are_sorted_by_day_where_the_format_is_unambiguous() {
        assert_eq!(
            sorted(&["2.1.2020", "11.1.2019", "1.2.2020"]),
            ["11.1.2019", "2.1.2020", "1.2.2020"]
        );
        assert_eq!(sorted(&["9/30/2020", "10/1/2019"]), ["10/1/2019", "9/30/2020"]);
        assert_eq!(sorted(&["30/9/2020", "1/10/2020"]), ["30/9/2020", "1/10/2020"]);
        // May or June? It is ambiguous, so the order is lexicographic.
        assert_eq!(
            sorted(&["6/5/2020", "5/6/2021", "10/1/2019"]),
            ["10/1/2019", "5/6/2021", "6/5/2020"]
        );
        assert_eq!(sorted(&["2020-02-01", "2019-12-31"]), ["2019-12-31", "2020-02-01"]);
        assert_eq!(sorted(&["31.2.2020", "1.1.2021"]), ["1.1.2021", "31.2.2020"]);
    }
}
