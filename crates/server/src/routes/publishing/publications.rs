//! `GET /api/publications`: the receipts of what was published.

use crate::failure::ErrorBody;
use crate::routes::Json;
use crate::state::Shared;
use crate::storage::Receipt;

/// What this and earlier servers of the project published, newest first
#[utoipa::path(get, path = "/api/publications", responses(
    (status = 200, body = Vec<Receipt>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn publications(state: Shared) -> Json<Vec<Receipt>> {
    Json(state.receipts.newest_first(|id| state.publications.has(id)))
}
