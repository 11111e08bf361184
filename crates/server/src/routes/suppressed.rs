//! `POST /api/suppressed`: what every scheme suppresses, as numbers of four bytes.

use axum::http::header;
use axum::response::IntoResponse;
use haggle::{Ask, Engine, Progress};

use crate::body::{Asked, Nothing};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// What every scheme suppresses: for each, in the order of levels, the last attribute's changing
/// fastest, a number of four bytes, the lowest first
#[utoipa::path(post, path = "/api/suppressed", request_body = Asked<Nothing>, responses(
    (status = 200, content_type = "application/octet-stream", body = Vec<u8>),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn suppressed(
    state: Shared,
    asked: Asked<Nothing>,
) -> Result<impl IntoResponse, Failure> {
    let costs = |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        engine.suppressed(ask)
    };
    let costs = state.ask(asked.qi, asked.ask, costs).await?;
    let bytes: Vec<u8> = costs.iter().flat_map(|cost| cost.to_le_bytes()).collect();
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes))
}
