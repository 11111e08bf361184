//! The body of a request: a request as on the command line and the route's own fields, in one flat
//! object.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use bytes::Bytes;
use haggle::Ask;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::failure::Failure;

/// The largest valid request is much smaller.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// How long receiving a body may take; of a table that is sent, each part of it.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The fields of a route in addition to a request.
pub(crate) trait ExtraFields: DeserializeOwned {
    /// Its fields; every other is the request's.
    const FIELDS: &'static [&'static str];
}

/// Nothing more than a request.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Nothing {}

impl ExtraFields for Nothing {
    const FIELDS: &'static [&'static str] = &[];
}

/// A request, the quasi-identifiers it is about, and what the route adds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Asked<E> {
    /// The quasi-identifiers, in order; the project's if not given.
    pub(crate) qi: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) ask: Ask,
    #[serde(flatten)]
    pub(crate) extra: E,
}

impl<S: Send + Sync, E: ExtraFields> FromRequest<S> for Asked<E> {
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
        let fields = |body: &[u8]| {
            let ObjectFields(fields) = serde_json::from_slice(or_empty(body))?;
            serde_json::from_str(&serde_json::to_string(&fields)?)
        };
        fields(&body).map_err(|error| malformed(&error))
    }
}

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
async fn read(body: Body) -> Result<Bytes, Failure> {
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

/// No body means the project's default request.
fn or_empty(body: &[u8]) -> &[u8] {
    if body.is_empty() { b"{}" } else { body }
}

fn malformed(error: &serde_json::Error) -> Failure {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    let fix = r#"write it as in {"privacy": {"k-anonymity": 10}, "max_suppressed": "1%"}"#;
    Failure::new(StatusCode::BAD_REQUEST, what, fix)
}

/// The route's own fields are taken out; what is left must be a request.
fn parse<E: ExtraFields>(body: &[u8]) -> Result<Asked<E>, serde_json::Error> {
    let ObjectFields(mut rest) = serde_json::from_slice(or_empty(body))?;
    let qi = rest.remove("qi").map(|qi| serde_json::from_str(qi.get())).transpose()?.flatten();
    let own = |name: &&str| Some(((*name).to_owned(), rest.remove(*name)?));
    let own: BTreeMap<_, _> = E::FIELDS.iter().filter_map(own).collect();
    let again = |fields: BTreeMap<String, Box<RawValue>>| serde_json::to_string(&fields);
    Ok(Asked {
        qi,
        extra: serde_json::from_str(&again(own)?)?,
        ask: serde_json::from_str(&again(rest)?)?,
    })
}

/// The fields of an object as they were written; one given twice is refused.
struct ObjectFields(BTreeMap<String, Box<RawValue>>);

impl<'de> Deserialize<'de> for ObjectFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Once;

        impl<'de> Visitor<'de> for Once {
            type Value = ObjectFields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the fields of a request")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObjectFields, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if fields.contains_key(&name) {
                        return Err(A::Error::custom(format!("'{name}' is given twice")));
                    }
                    fields.insert(name, value);
                }
                Ok(ObjectFields(fields))
            }
        }

        deserializer.deserialize_map(Once)
    }
}
