//! `POST /api/suppressed`: what every scheme suppresses, as numbers of four bytes.

use axum::http::header;
use axum::response::IntoResponse;
use haggle::Engine;

use crate::body::{Asked, Nothing};
use crate::failure::Failure;
use crate::state::Shared;

pub(super) async fn suppressed(
    state: Shared,
    asked: Asked<Nothing>,
) -> Result<impl IntoResponse, Failure> {
    let costs = state.ask(asked.qi, asked.ask, Engine::suppressed).await?;
    let bytes: Vec<u8> = costs.iter().flat_map(|cost| cost.to_le_bytes()).collect();
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes))
}
