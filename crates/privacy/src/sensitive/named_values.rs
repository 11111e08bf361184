//! Sets of sensitive values that a project names, or describes by how often they occur.
//!
//! After S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, section
//! 3.3: the don't-care set is there the y most frequent values of the table, and what should not be
//! ruled out is every value that occurs in the group.

use haggle_model::Problem;
use serde::{Deserialize, Serialize};

/// The values that may be disclosed.
///
/// ```
/// use haggle_privacy::DontCare;
///
/// let most: DontCare = DontCare::MostFrequent { most_frequent: 2 };
/// assert!(DontCare::default().is_empty() && !most.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DontCare {
    /// These values.
    Values(Vec<String>),
    /// This many of the most frequent values of the table; of equally frequent ones, the first in
    /// the order of the attribute.
    MostFrequent {
        /// How many.
        most_frequent: usize,
    },
}

impl Default for DontCare {
    fn default() -> Self {
        Self::Values(Vec::new())
    }
}

impl From<Vec<String>> for DontCare {
    fn from(values: Vec<String>) -> Self {
        Self::Values(values)
    }
}

impl DontCare {
    /// The values that are named.
    pub fn named(&self) -> &[String] {
        match self {
            Self::Values(values) => values,
            Self::MostFrequent { .. } => &[],
        }
    }

    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Values(values) if values.is_empty())
    }

    /// Returns by code whether a value is in the set; `counts` are the table's records of each.
    pub(super) fn resolve(
        &self,
        attribute: &str,
        values: &[&str],
        counts: &[u64],
    ) -> Result<Vec<bool>, Problem> {
        match self {
            Self::Values(named) => {
                Ok(values.iter().map(|value| named.iter().any(|n| n == value)).collect())
            }
            Self::MostFrequent { most_frequent } => most(attribute, *most_frequent, counts),
        }
    }
}

/// The most frequent codes, this many.
fn most(attribute: &str, number: usize, counts: &[u64]) -> Result<Vec<bool>, Problem> {
    let occurring = counts.iter().filter(|&&count| count > 0).count();
    if number == 0 || number >= occurring {
        let what = format!(
            "dont_care of '{attribute}' is its {number} most frequent values, and {occurring} occur"
        );
        return Err(Problem::new(what).fix("choose at least 1, and fewer than occur"));
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
    let mut members = vec![false; counts.len()];
    order.iter().take(number).for_each(|&code| members[code] = true);
    Ok(members)
}

/// The values that should stay possible for every person, as stated.
///
/// ```
/// use haggle_privacy::NeverRuleOut;
///
/// let named = NeverRuleOut::from(vec!["HIV".to_owned()]);
/// assert_eq!(named.named(), ["HIV"]);
/// assert!(NeverRuleOut::occurring().named().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NeverRuleOut {
    /// These values, in every group.
    Values(Vec<String>),
    /// A set that depends on the group.
    Rule(PossibleValues),
}

/// A set of values that depends on the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PossibleValues {
    /// Each value that occurs in the group.
    Occurring,
}

impl Default for NeverRuleOut {
    fn default() -> Self {
        Self::Values(Vec::new())
    }
}

impl From<Vec<String>> for NeverRuleOut {
    fn from(values: Vec<String>) -> Self {
        Self::Values(values)
    }
}

impl NeverRuleOut {
    /// Each value that occurs in the group.
    pub fn occurring() -> Self {
        Self::Rule(PossibleValues::Occurring)
    }

    /// The values that are named.
    pub fn named(&self) -> &[String] {
        match self {
            Self::Values(values) => values,
            Self::Rule(_) => &[],
        }
    }
}

/// The values that should stay possible for every person, by code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Possible {
    /// These, in every group; none if nothing is stated.
    Codes(Vec<u32>),
    /// Those of the group.
    Occurring,
}
