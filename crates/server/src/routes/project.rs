//! `GET /api/project`: what the project is.

use haggle::ProjectOverview;

use super::Json;
use crate::failure::Failure;
use crate::state::Shared;

pub(super) async fn project(state: Shared) -> Result<Json<ProjectOverview>, Failure> {
    let engine = state.engines.get(None).await?;
    Ok(Json(state.project.overview(&engine)))
}
