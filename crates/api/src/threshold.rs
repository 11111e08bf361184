//! Thresholds of privacy models, as they are asked for and attained.

use std::collections::BTreeMap;
use std::fmt;

use haggle_model::numerals::number;
use serde::{Deserialize, Serialize, Serializer};

/// What is asked or attained of a model: a number, or several by name.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Threshold {
    /// Of a model with one parameter.
    One(f64),
    /// Of a model with several.
    Several(BTreeMap<String, f64>),
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(value) => f.write_str(&number(*value)),
            Self::Several(values) => {
                let one = |(name, value): (&String, &f64)| format!("{name} = {}", number(*value));
                f.write_str(&values.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A number that is written without a fraction if it is whole, as it was asked for.
pub struct Plain(pub f64);

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 1e15 {
            return serializer.serialize_i64(self.0 as i64);
        }
        serializer.serialize_f64(self.0)
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(value) => Plain(*value).serialize(serializer),
            Self::Several(values) => {
                serializer.collect_map(values.iter().map(|(name, value)| (name, Plain(*value))))
            }
        }
    }
}
