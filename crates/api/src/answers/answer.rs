//! What is answered, with stable field names.

use std::collections::BTreeMap;

use haggle_model::Scheme;
use serde::{Serialize, Serializer};

use crate::{Account, Ask, Obtained, Privacy, Threshold};

/// Whether the request can be met as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A scheme meets all of it.
    Exact,
    /// None does; something has to be relaxed.
    Relaxed,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Whether the request can be met.
    pub outcome: Outcome,
    /// What was asked, in full; it can be asked again as it stands.
    pub asked: Ask,
    /// What became of the records; where a scheme meets the request, those it suppresses as well.
    pub account: Account,
    /// The best scheme that meets it.
    pub exact: Option<Offer>,
    /// The next best by the loss asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runners_up: Vec<Offer>,
    /// What would have to be relaxed, where no scheme meets it.
    pub relaxations: Option<Offers>,
    /// What is possible within the range of acceptable values, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeAnswer>,
    /// How it was obtained, if not every scheme was annotated beforehand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtained: Option<Obtained>,
    /// The levels from which on groups were counted, by name, if not as recorded: schemes below are
    /// not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_from: Option<BTreeMap<String, u8>>,
    /// The models whose numbers are approximate: bounds on the safe side, so that a group that fails
    /// might pass if it could be computed exactly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approximate: Vec<String>,
    /// How many schemes' annotations were looked at.
    pub visited: u64,
    /// How long the search took, in microseconds.
    pub micros: u64,
}

impl Answer {
    /// Whether nothing at all can be offered. A search that was stopped before it found anything does
    /// not say so.
    pub fn is_no(&self) -> bool {
        let nothing =
            self.exact.is_none() && self.relaxations.as_ref().is_none_or(Offers::is_empty);
        nothing && !self.is_stopped()
    }

    /// Whether the search was stopped, so that there may be more than was found.
    pub fn is_stopped(&self) -> bool {
        self.obtained.as_ref().is_some_and(|o| !o.proven && o.partial.is_none())
    }
}

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

/// What is possible within a range of acceptable values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RangeAnswer {
    /// The model.
    pub model: String,
    /// The number that has a range.
    pub parameter: &'static str,
    /// The weakest acceptable value.
    pub weakest: u64,
    /// The strongest value of the range.
    pub strongest: u64,
    /// The strongest value that is possible: the answer is at it. None if not even the weakest one
    /// is; then the weakest one is what would have to be relaxed for.
    pub possible: Option<u64>,
    /// What schemes are compared by: the height, or the loss that is to be least.
    pub by: String,
    /// The values that are worth their price with their schemes, the strongest first: at every
    /// stronger value of the range the best scheme is worse.
    pub points: Vec<Offer>,
}

impl RangeAnswer {
    /// Returns the value that the answer is at.
    pub fn settled(&self) -> u64 {
        self.possible.unwrap_or(self.weakest)
    }
}

/// What would have to be relaxed, each with the reason where there is nothing to offer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offers {
    /// More records suppressed.
    pub suppression: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppression_reason: Option<String>,
    /// Levels beyond the maximum.
    pub height: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_reason: Option<String>,
    /// A weaker threshold: the first of `privacy_each` that is possible.
    pub privacy: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy_reason: Option<String>,
    /// Where several numbers are asked for: how far each alone would have to be relaxed.
    #[serde(skip_serializing_if = "are_few")]
    pub privacy_each: Vec<PrivacyOffer>,
    /// One attribute left out; best first.
    pub attribute: Vec<AttributeOffer>,
    /// Why none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_reason: Option<String>,
    /// Several attributes left out together, where no part of the set is enough; the smallest sets
    /// first, then best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<AttributesOffer>,
}

impl Offers {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.suppression.is_none()
            && self.height.is_none()
            && self.privacy.is_none()
            && self.attribute.is_empty()
            && self.attributes.is_empty()
    }
}

/// How far one number would have to be relaxed, with the others kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PrivacyOffer {
    /// The position of the model among those asked for.
    #[serde(skip)]
    pub position: usize,
    /// The model.
    pub model: String,
    /// Its parameter that gives.
    pub parameter: &'static str,
    /// The value offered, if there is one.
    pub value: Option<f64>,
    /// What is possible then.
    pub offer: Option<Offer>,
    /// Why nothing can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is possible without one attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributeOffer {
    /// The attribute to leave out.
    pub attribute: String,
    /// What is possible then.
    #[serde(flatten)]
    pub offer: Offer,
}

/// What is possible without several attributes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributesOffer {
    /// The attributes to leave out.
    pub attributes: Vec<String>,
    /// What is possible then.
    #[serde(flatten)]
    pub offer: Offer,
}

/// A single one is in `privacy` already.
fn are_few(each: &[PrivacyOffer]) -> bool {
    each.len() < 2
}

fn in_order<S: Serializer>(levels: &[(String, u8)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(levels.iter().map(|(name, level)| (name, level)))
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
    use serde_json::json;

    use super::*;
    use crate::PartialKnown;

    fn offer() -> Offer {
        let levels = [("workclass", 1), ("age", 1), ("race", 0)];
        Offer {
            scheme: Scheme::new([1, 1, 0]),
            levels: levels.map(|(name, level)| (name.to_owned(), level)).into(),
            height: 2,
            suppressed: 170,
            privacy: vec![("k-anonymity".into(), Threshold::One(10.0))],
            attained: vec![("k-anonymity".into(), Threshold::One(12.0))],
            thresholds: Ask::k(10).privacy,
            loss: BTreeMap::from([("lm".into(), 0.11)]),
            loss_error: BTreeMap::new(),
        }
    }

    /// An answer that offers nothing.
    fn no() -> Answer {
        Answer {
            outcome: Outcome::Relaxed,
            asked: Ask::k(10),
            account: Account::of(0, 100),
            exact: None,
            runners_up: Vec::new(),
            relaxations: None,
            range: None,
            obtained: None,
            counted_from: None,
            approximate: Vec::new(),
            visited: 1,
            micros: 1,
        }
    }

    #[test]
    fn a_scheme_is_written_with_the_names_of_the_contract() {
        let written = serde_json::to_value(offer()).unwrap();
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
        let text = serde_json::to_string(&offer()).unwrap();
        assert!(text.contains(r#""levels":{"workclass":1,"age":1,"race":0}"#), "{text}");
        let outcomes = serde_json::to_value([Outcome::Exact, Outcome::Relaxed]).unwrap();
        assert_eq!(outcomes, json!(["exact", "relaxed"]));
    }

    #[test]
    fn only_a_finished_search_without_an_offer_says_no() {
        let partial = PartialKnown::new("any".into(), 10.0, 6, 60);
        let partial = Obtained { partial: Some(partial), ..Obtained::on_demand(true, 6) };
        for (answer, is_no, is_stopped) in [
            (no(), true, false),
            (Answer { exact: Some(offer()), ..no() }, false, false),
            (Answer { obtained: Some(Obtained::on_demand(false, 9)), ..no() }, true, false),
            (Answer { obtained: Some(Obtained::on_demand(true, 9)), ..no() }, false, true),
            (Answer { obtained: Some(partial), ..no() }, true, false),
        ] {
            assert_eq!((answer.is_no(), answer.is_stopped()), (is_no, is_stopped), "{answer:?}");
        }
    }
}
