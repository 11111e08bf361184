//! The body of a request: a request as on the command line and the route's own fields, in one flat
//! object.

use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use bytes::Bytes;
use haggle::Ask;
use haggle::questions::BodyFields;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::failure::Failure;

/// The largest valid request is much smaller.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// How long receiving a body may take; of a table that is sent, each part of it.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// A request, the quasi-identifiers it is about, and what a route adds that is no question of the
/// catalog.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Asked<E> {
    /// The quasi-identifiers, in order; the project's if not given.
    pub(crate) qi: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) ask: Ask,
    #[serde(flatten)]
    pub(crate) extra: E,
}

/// Nothing more than a request.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Nothing {}

impl<S: Send + Sync, E: DeserializeOwned> FromRequest<S> for Asked<E> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        parse(&read(request.into_body()).await?).map_err(|error| malformed(&error))
    }
}

/// The quasi-identifiers alone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Qi {
    /// In order; the project's if not given.
    #[serde(default)]
    pub(crate) qi: Option<Vec<String>>,
}

impl<S: Send + Sync> FromRequest<S> for Qi {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let body = read(request.into_body()).await?;
        let qi = BodyFields::parse(&body)
            .and_then(haggle::questions::BodyFields::split::<Self, NoFields>);
        qi.map(|(qi, NoFields {})| qi).map_err(|error| malformed(&error))
    }
}

/// No field at all.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFields {}

/// A body of its own form. Its values are never quoted: they may be secrets or parts of the data.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let body = read(request.into_body()).await?;
        serde_json::from_slice(&body).map(Self).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let what = format!("the body is not of the form that is needed here ({place})");
            Failure::new(StatusCode::BAD_REQUEST, &what, "see /api/openapi.json for its form")
        })
    }
}

/// The whole body, if it is not too long and not too slow.
pub(crate) async fn read(body: Body) -> Result<Bytes, Failure> {
    // What is announced to be too long is not waited for.
    if body.size_hint().lower() > MOST_BYTES as u64 {
        return Err(too_long());
    }
    let whole = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, MOST_BYTES).collect()).await;
    let whole = whole.map_err(|_| too_slow())?;
    let whole = whole.map_err(|error| {
        if error.downcast_ref::<LengthLimitError>().is_some() {
            return too_long();
        }
        Failure::new(StatusCode::BAD_REQUEST, "the body is incomplete", "send it again")
    })?;
    Ok(whole.to_bytes())
}

fn too_long() -> Failure {
    let fix = "send a request, not data";
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long", fix)
}

/// A client that does not send what it announced.
pub(crate) fn too_slow() -> Failure {
    let fix = "send it at once";
    Failure::new(StatusCode::REQUEST_TIMEOUT, "receiving the body took too long", fix)
}

pub(crate) fn malformed(error: &serde_json::Error) -> Failure {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    let fix = r#"write it as in {"privacy": {"k-anonymity": 10}, "max_suppressed": "1%"}"#;
    Failure::new(StatusCode::BAD_REQUEST, what, fix)
}

/// The route's own fields are taken out; what is left must be a request.
fn parse<E: DeserializeOwned>(body: &[u8]) -> Result<Asked<E>, serde_json::Error> {
    let mut fields = BodyFields::parse(body)?;
    let qi = fields.take("qi")?;
    let (extra, ask) = fields.split()?;
    Ok(Asked { qi, ask, extra })
}
