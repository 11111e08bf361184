//! What is answered, with stable field names.

use std::collections::BTreeMap;

use haggle_model::Error;
use serde::Serialize;

use crate::{Account, Ask, Obtained, Offer, Relaxation, Relaxations};

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
    /// What would have to be relaxed, where no scheme meets it; empty where one does.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Relaxation>))]
    pub relaxations: Relaxations,
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
    /// How many schemes were evaluated.
    pub visited: u64,
    /// How long the search took, in microseconds.
    pub micros: u64,
    /// The version of these fields.
    pub version: u32,
}

impl Answer {
    /// The version of the fields of an answer. In version 1 relaxations were a map by kind.
    pub const VERSION: u32 = 2;

    /// Returns the scheme that meets the request; an error if none does.
    pub fn exact(&self) -> Result<&Offer, Error> {
        self.exact.as_ref().ok_or_else(|| {
            Error::new("no scheme meets this request", "accept a relaxation, or ask for less")
        })
    }

    /// Returns the relaxations; an error if the request is met as it is.
    pub fn relaxations(&self) -> Result<&Relaxations, Error> {
        if self.exact.is_some() {
            let what = "nothing has to be relaxed: a scheme meets this request";
            return Err(Error::new(what, "use that scheme"));
        }
        Ok(&self.relaxations)
    }

    /// Whether nothing at all can be offered. A search that was stopped before it found anything does
    /// not say so.
    pub fn is_no(&self) -> bool {
        let something =
            self.exact.is_some() || self.relaxations.iter().any(Relaxation::is_possible);
        !something && !self.is_stopped()
    }

    /// Whether the search was stopped, so that there may be more than was found.
    pub fn is_stopped(&self) -> bool {
        self.obtained.as_ref().is_some_and(|o| !o.proven && o.partial.is_none())
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::PartialKnown;

    /// An answer that offers nothing.
    fn no() -> Answer {
        Answer {
            outcome: Outcome::Relaxed,
            asked: Ask::k(10),
            account: Account::from_counts(0, 100),
            exact: None,
            runners_up: Vec::new(),
            relaxations: Relaxations::default(),
            range: None,
            obtained: None,
            counted_from: None,
            approximate: Vec::new(),
            visited: 1,
            micros: 1,
            version: Answer::VERSION,
        }
    }

    #[test]
    fn outcomes_are_written_as_words() {
        let outcomes = serde_json::to_value([Outcome::Exact, Outcome::Relaxed]).unwrap();
        assert_eq!(outcomes, json!(["exact", "relaxed"]));
    }

    #[test]
    fn only_a_finished_search_without_an_offer_says_no() {
        let partial = PartialKnown::new("any".into(), 10.0, 6, 60);
        let partial = Obtained { partial: Some(partial), ..Obtained::on_demand(true, 6) };
        for (answer, is_no, is_stopped) in [
            (no(), true, false),
            (Answer { exact: Some(Offer::sample()), ..no() }, false, false),
            (Answer { obtained: Some(Obtained::on_demand(false, 9)), ..no() }, true, false),
            (Answer { obtained: Some(Obtained::on_demand(true, 9)), ..no() }, false, true),
            (Answer { obtained: Some(partial), ..no() }, true, false),
        ] {
            assert_eq!((answer.is_no(), answer.is_stopped()), (is_no, is_stopped), "{answer:?}");
        }
    }
}
