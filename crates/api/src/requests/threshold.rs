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

/// Writes thresholds as a map, in the order in which they were asked for.
pub fn by_name<S: Serializer>(
    values: &[(String, Threshold)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_written_as_asked_and_read_again() {
        let several = [("c", 1.5), ("l", 3.0)].map(|(name, value)| (name.to_owned(), value));
        for (threshold, words, json) in [
            (Threshold::One(10.0), "10", "10"),
            (Threshold::One(0.25), "0.25", "0.25"),
            (Threshold::Several(several.into()), "c = 1.5, l = 3", r#"{"c":1.5,"l":3}"#),
        ] {
            assert_eq!(threshold.to_string(), words);
            assert_eq!(serde_json::to_string(&threshold).unwrap(), json);
            assert_eq!(serde_json::from_str::<Threshold>(json).unwrap(), threshold);
        }
    }
}
