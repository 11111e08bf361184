//! A scheme that is possible, and what it costs.

use std::collections::BTreeMap;

use haggle_model::Scheme;
use serde::{Serialize, Serializer};

use crate::threshold::by_name;
use crate::{Privacy, Threshold};

/// A scheme that is possible, and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offer {
    /// The levels, in the order of the quasi-identifiers.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The levels by name.
    #[serde(serialize_with = "in_order")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, u8>))]
    pub levels: Vec<(String, u8)>,
    /// The sum of the levels.
    pub height: u32,
    /// How many records it suppresses.
    pub suppressed: u64,
    /// The thresholds it meets, by model.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub privacy: Vec<(String, Threshold)>,
    /// The weakest statistics among the groups it keeps, by model.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub attained: Vec<(String, Threshold)>,
    /// The thresholds it meets as a request states them: complete, so that they can be asked for.
    pub thresholds: Vec<Privacy>,
    /// What it loses, by the measure asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub loss: BTreeMap<String, f64>,
    /// The standard errors of losses that are estimates.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub loss_error: BTreeMap<String, f64>,
}

fn in_order<S: Serializer>(levels: &[(String, u8)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(levels.iter().map(|(name, level)| (name, level)))
}

#[cfg(test)]
impl Offer {
    /// A scheme of three attributes for tests.
    pub(crate) fn sample() -> Self {
        let levels = [("workclass", 1), ("age", 1), ("race", 0)];
        Self {
            scheme: Scheme::new([1, 1, 0]),
            levels: levels.map(|(name, level)| (name.to_owned(), level)).into(),
            height: 2,
            suppressed: 170,
            privacy: vec![("k-anonymity".into(), Threshold::One(10.0))],
            attained: vec![("k-anonymity".into(), Threshold::One(12.0))],
            thresholds: crate::Ask::k(10).privacy,
            loss: BTreeMap::from([("lm".into(), 0.11)]),
            loss_error: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_scheme_is_written_with_the_names_of_the_contract() {
        let written = serde_json::to_value(Offer::sample()).unwrap();
        let expected = json!({
            "scheme": [1, 1, 0],
            "levels": {"age": 1, "race": 0, "workclass": 1},
            "height": 2,
            "suppressed": 170,
            "privacy": {"k-anonymity": 10},
            "attained": {"k-anonymity": 12},
            "thresholds": [{"model": "k-anonymity", "k": 10}],
            "loss": {"lm": 0.11},
        });
        assert_eq!(written, expected);
        let text = serde_json::to_string(&Offer::sample()).unwrap();
        assert!(text.contains(r#""levels":{"workclass":1,"age":1,"race":0}"#), "{text}");
    }
}
