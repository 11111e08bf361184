//! `GET /api/data` and `GET /api/hierarchy/{attribute}`: the data and its hierarchies for display.

use axum::extract::Path;
use haggle::Silent;
use haggle::reports::{Columns, HierarchyView};

use super::Json;
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// The columns of the data, and the distribution of their values
#[utoipa::path(get, path = "/api/data", responses(
    (status = 200, body = Columns), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn data(state: Shared) -> Result<Json<Columns>, Failure> {
    let served = state.served.current()?;
    let project = served.project.clone();
    let look = || state.work(move || project.columns());
    Ok(Json(served.columns.get_or_try_init(look).await?.clone()))
}

/// A hierarchy as a tree with counts
#[utoipa::path(get, path = "/api/hierarchy/{attribute}",
    params(("attribute" = String, Path, description = "the attribute")),
    responses((status = 200, body = HierarchyView), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn hierarchy(
    state: Shared,
    Path(attribute): Path<String>,
) -> Result<Json<HierarchyView>, Failure> {
    let project = state.served.current()?.project.clone();
    state.work(move || project.hierarchy(&attribute, &Silent)).await.map(Json)
}
