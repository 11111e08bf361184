//! `POST /api/study`: what a threshold costs at each height.

use haggle::reports::Study;
use haggle::{Ask, Engine, Progress};

use super::Json;
use crate::body::{Asked, Nothing};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// What a threshold costs at each height
#[utoipa::path(post, path = "/api/study", request_body = Asked<Nothing>, responses(
    (status = 200, body = Study), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn study(state: Shared, asked: Asked<Nothing>) -> Result<Json<Study>, Failure> {
    let heights = |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        engine.study_in_full(ask)
    };
    state.ask(asked.qi, asked.ask, heights).await.map(Json)
}
