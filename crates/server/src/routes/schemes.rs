//! `POST /api/schemes` and `/api/losses`: what some schemes, or all, suppress and lose.

use axum::http::header;
use axum::response::IntoResponse;
use haggle::reports::SchemesReport;
use haggle::{Ask, Engine, Judge, Progress, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// Which schemes.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct NamedSchemes {
    /// The schemes, at most 1,024.
    #[schema(value_type = Vec<Vec<u8>>)]
    schemes: Vec<Scheme>,
    /// The loss measure.
    #[serde(default = "Judge::plain")]
    #[schema(value_type = Option<String>)]
    loss: Judge,
}

impl ExtraFields for NamedSchemes {
    const FIELDS: &'static [&'static str] = &["schemes", "loss"];
}

/// What some schemes suppress and lose; where schemes are annotated on demand, only these are
#[utoipa::path(post, path = "/api/schemes", request_body = Asked<NamedSchemes>, responses(
    (status = 200, body = SchemesReport), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn schemes(
    state: Shared,
    asked: Asked<NamedSchemes>,
) -> Result<Json<SchemesReport>, Failure> {
    let NamedSchemes { schemes, loss } = asked.extra;
    let costs = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        engine.schemes(ask, &schemes, &loss)
    };
    state.ask_aside(asked.qi, asked.ask, costs).await.map(Json)
}

/// The measure.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct ByMeasure {
    /// The loss measure.
    #[serde(default = "Judge::plain")]
    #[schema(value_type = Option<String>)]
    loss: Judge,
}

impl ExtraFields for ByMeasure {
    const FIELDS: &'static [&'static str] = &["loss"];
}

/// What every scheme loses: in the order of `/api/suppressed`, for each a number of four bytes
/// (floating point, the lowest byte first)
#[utoipa::path(post, path = "/api/losses", request_body = Asked<ByMeasure>, responses(
    (status = 200, content_type = "application/octet-stream", body = Vec<u8>),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn losses(
    state: Shared,
    asked: Asked<ByMeasure>,
) -> Result<impl IntoResponse, Failure> {
    let loss = asked.extra.loss;
    let losses = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, std::slice::from_ref(&loss), progress)?;
        engine.losses_of_all(ask, &loss)
    };
    let losses = state.ask_aside(asked.qi, asked.ask, losses).await?;
    let bytes: Vec<u8> = losses.iter().flat_map(|&loss| (loss as f32).to_le_bytes()).collect();
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes))
}
