//! Numbers of sensitive values that depend on a quasi-identifier: a prior f(s|q), or what an attacker
//! knows of persons, α(q,s).
//!
//! After S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, theorem
//! 3.1.3 and section 3.2.

use haggle_model::Dictionary;
use serde::{Deserialize, Serialize};

/// A number of each sensitive value, for each value of a quasi-identifier, as stated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatedConditional {
    /// The quasi-identifier; none if the numbers are the same for everyone.
    pub given: Option<String>,
    /// By value of the quasi-identifier, of any level, the numbers by sensitive value.
    pub rows: Vec<(String, Vec<(String, f64)>)>,
}

impl StatedConditional {
    /// Builds numbers that are the same for everyone.
    pub fn for_everyone(numbers: Vec<(String, f64)>) -> Self {
        Self { given: None, rows: vec![(String::new(), numbers)] }
    }

    /// Returns the numbers of these values, some number where none is stated. Other values that are
    /// named are left out.
    pub fn among(&self, values: &Dictionary, otherwise: f64) -> Conditional {
        let row = |(label, numbers): &(String, Vec<(String, f64)>)| {
            let of = |value: &str| numbers.iter().find(|(v, _)| v == value).map(|(_, n)| *n);
            let numbers = values.values().map(|value| of(value).unwrap_or(otherwise));
            (label.clone(), numbers.collect())
        };
        Conditional { given: self.given.clone(), rows: self.rows.iter().map(row).collect() }
    }
}

/// Stated numbers by the code of the sensitive value, perhaps different by quasi-identifier.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    /// The quasi-identifier; none if the numbers are the same for everyone.
    pub given: Option<String>,
    /// By value of the quasi-identifier, the number of each sensitive value.
    pub rows: Vec<(String, Vec<f64>)>,
}
