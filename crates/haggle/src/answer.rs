//! What is answered, with stable field names.

use haggle_model::Scheme;
use haggle_search::{Answer as Found, Negotiation, Relaxations, Request, Solution};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Whether the request can be met as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A scheme meets all of it.
    Exact,
    /// None does; something has to give.
    Relaxed,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// Whether the request can be met.
    pub outcome: Outcome,
    /// The best scheme that meets it.
    pub exact: Option<Offer>,
    /// What would have to give, where no scheme meets it.
    pub relaxations: Option<Offers>,
    /// How many schemes' annotations were looked at.
    pub visited: u64,
    /// How long the search took, in microseconds.
    pub micros: u64,
}

impl Answer {
    /// Whether nothing at all can be offered.
    pub fn is_no(&self) -> bool {
        self.exact.is_none() && self.relaxations.as_ref().is_none_or(Offers::is_empty)
    }
}

/// A scheme that can be had and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Offer {
    /// The levels, in the order of the quasi-identifiers.
    pub scheme: Scheme,
    /// The levels by name.
    #[serde(serialize_with = "in_order")]
    pub levels: Vec<(String, u8)>,
    /// The sum of the levels.
    pub height: u32,
    /// How many records it suppresses.
    pub suppressed: u64,
    /// The threshold it meets.
    #[serde(serialize_with = "numbers")]
    pub privacy: Vec<(String, f64)>,
    /// The weakest statistic among the groups it keeps.
    #[serde(serialize_with = "numbers")]
    pub attained: Vec<(String, f64)>,
}

/// What would have to give, each with the reason where there is nothing to offer.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// A weaker threshold.
    pub privacy: Option<Offer>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy_reason: Option<String>,
    /// One attribute left out; best first.
    pub attribute: Vec<AttributeOffer>,
    /// Why none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute_reason: Option<String>,
}

impl Offers {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.suppression.is_none()
            && self.height.is_none()
            && self.privacy.is_none()
            && self.attribute.is_empty()
    }
}

/// What can be had by leaving out one attribute.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttributeOffer {
    /// The attribute to leave out.
    pub attribute: String,
    /// What then can be had.
    #[serde(flatten)]
    pub offer: Offer,
}

/// What is needed to put a search's findings into words and names.
pub(crate) struct Wording<'a> {
    pub(crate) attributes: Vec<&'a str>,
    pub(crate) model: &'a str,
    pub(crate) request: &'a Request,
    pub(crate) weakest: String,
}

impl Wording<'_> {
    pub(crate) fn answer(&self, found: Negotiation, micros: u64) -> Answer {
        let visited = found.visited;
        match found.answer {
            Found::Exact(solution) => Answer {
                outcome: Outcome::Exact,
                exact: Some(self.offer(&solution)),
                relaxations: None,
                visited,
                micros,
            },
            Found::Relaxed(relaxations) => Answer {
                outcome: Outcome::Relaxed,
                exact: None,
                relaxations: Some(self.offers(&relaxations)),
                visited,
                micros,
            },
        }
    }

    pub(crate) fn offer(&self, solution: &Solution) -> Offer {
        let levels = solution.scheme.levels().iter().map(|&level| level.into());
        Offer {
            levels: self.attributes.iter().map(|&name| name.to_owned()).zip(levels).collect(),
            height: solution.scheme.height(),
            suppressed: solution.suppressed,
            privacy: vec![(self.model.into(), solution.threshold)],
            attained: vec![(self.model.into(), solution.attained)],
            scheme: solution.scheme.clone(),
        }
    }

    fn offers(&self, relaxations: &Relaxations) -> Offers {
        let threshold = self.request.requirement.threshold;
        let limit = self.request.limit;
        let caps = &self.request.caps;
        let model = self.model;
        let offer = |solution: &Option<Solution>| solution.as_ref().map(|s| self.offer(s));
        let reason = |missing: bool, why: String| missing.then_some(why);
        Offers {
            suppression: offer(&relaxations.suppression),
            suppression_reason: reason(
                relaxations.suppression.is_none(),
                format!(
                    "under {caps} no group reaches {model} = {threshold}, so no record would be left"
                ),
            ),
            height: offer(&relaxations.height),
            height_reason: reason(
                relaxations.height.is_none(),
                format!(
                    "no scheme at all reaches {model} = {threshold} with at most {limit} suppressed"
                ),
            ),
            privacy: offer(&relaxations.privacy),
            privacy_reason: reason(
                relaxations.privacy.is_none(),
                format!("under {caps} even {} suppresses more than {limit}", self.weakest),
            ),
            attribute: relaxations.attribute.iter().map(|(i, s)| self.without(*i, s)).collect(),
            attribute_reason: reason(
                relaxations.attribute.is_empty(),
                "leaving out one attribute is not enough".into(),
            ),
        }
    }

    fn without(&self, position: usize, solution: &Solution) -> AttributeOffer {
        AttributeOffer { attribute: self.attributes[position].into(), offer: self.offer(solution) }
    }
}

fn in_order<S: Serializer>(levels: &[(String, u8)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(levels.iter().map(|(name, level)| (name, level)))
}

/// Whole numbers are written without a fraction, as they were asked for.
pub(crate) fn numbers<S: Serializer>(
    values: &[(String, f64)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(values.len()))?;
    for (name, value) in values {
        if value.fract() == 0.0 && value.abs() < 1e15 {
            map.serialize_entry(name, &(*value as i64))?;
        } else {
            map.serialize_entry(name, value)?;
        }
    }
    map.end()
}
