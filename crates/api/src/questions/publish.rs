//! What is published and how, as every front end asks for it.

use std::time::Duration;

use haggle_model::{Error, Scheme};
use serde::{Deserialize, Serialize};

use crate::{PublicationForm, RecodingChoice, SuppressedRecords, seconds};

/// What is published and how. Its fields stand next to those of a request in one flat object; where
/// the publication goes is stated by the front end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PublishRequest {
    /// The scheme; the exact answer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy that finds what is published; the lattice's answer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The result of a comparison that the strategy found; exactly that is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Whether suppressed records are grouped again at higher levels.
    pub refine: bool,
    /// Whether one table is published or two.
    pub form: PublicationForm,
    /// The columns that are published as recorded although they would be dropped; those that the
    /// project names if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_recorded: Option<Vec<String>>,
    /// What becomes of records whose group fails.
    pub suppress: SuppressedRecords,
    /// Whether the order of the table is kept; two releases that keep it can be joined by row number.
    pub keep_order: bool,
    /// The seed of the random order, which repeats it; keep it secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether a ' is written before text that spreadsheets take for a formula.
    pub spreadsheet_safe: bool,
    /// The name of a column that says which records were suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<String>,
    /// How many seconds the search for a recoding may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
}

impl PublishRequest {
    /// Returns which recoding is published.
    pub fn recoding(&self) -> RecodingChoice {
        RecodingChoice {
            scheme: self.scheme.clone(),
            strategy: self.strategy.clone(),
            result: self.result.clone(),
            refine: self.refine,
            form: self.form,
        }
    }

    /// Returns how long the search for a recoding may take, if that is limited.
    pub fn search_time(&self) -> Result<Option<Duration>, Error> {
        self.time_limit.map(seconds).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ask, BodyFields};

    #[test]
    fn a_body_is_split_into_what_is_published_and_its_request() {
        let body = r#"{"form": "anatomy", "suppress": "star", "max_suppressed": 3, "seed": 7}"#;
        let fields = BodyFields::parse(body.as_bytes()).unwrap();
        let (publish, ask) = fields.split::<PublishRequest, Ask>().unwrap();
        let expected = PublishRequest {
            form: PublicationForm::Anatomy,
            suppress: SuppressedRecords::Star,
            seed: Some(7),
            ..PublishRequest::default()
        };
        assert_eq!(publish, expected);
        assert!(ask.max_suppressed.is_some());
        assert_eq!(publish.recoding().form, PublicationForm::Anatomy);
    }

    #[test]
    fn a_time_limit_is_a_number_of_seconds() {
        let limited = |time_limit| PublishRequest { time_limit, ..PublishRequest::default() };
        let half = limited(Some(0.5)).search_time();
        assert_eq!(half.unwrap(), Some(Duration::from_millis(500)));
        assert!(limited(None).search_time().unwrap().is_none());
        assert!(limited(Some(-1.0)).search_time().is_err());
    }
}
