//! `GET /api/project`: what the project is.

use haggle::reports::ProjectOverview;

use super::Json;
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// What the project is
#[utoipa::path(get, path = "/api/project", responses(
    (status = 200, body = ProjectOverview), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn project(state: Shared) -> Result<Json<ProjectOverview>, Failure> {
    let served = state.served.current()?;
    let engine = served.engines.get(None).await?;
    Ok(Json(engine.project_overview(&served.project)))
}
