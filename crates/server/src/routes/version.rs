//! `GET /api/version`: a number that grows when the project's files change.

use serde::Serialize;
use utoipa::ToSchema;

use super::Json;
use crate::failure::ErrorBody;
use crate::state::Shared;

/// Which version of the project is served.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProjectVersion {
    /// Grows whenever a file of the project changed; 0 when the server starts.
    version: u64,
}

/// Which version of the project is served: a page that sees another number asks for everything again
#[utoipa::path(get, path = "/api/version", responses(
    (status = 200, body = ProjectVersion),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn version(state: Shared) -> Json<ProjectVersion> {
    Json(ProjectVersion { version: state.served.version() })
}
