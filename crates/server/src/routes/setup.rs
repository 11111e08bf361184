//! `/api/setup…`: setting up a project on the page, from a table to a project that is served.

use std::sync::Arc;

use axum::extract::Path;
use axum::http::StatusCode;
use haggle::setup::{SetupSource, SetupTable, SetupValues};
use haggle::{Error, Problem};
use serde::Serialize;
use utoipa::ToSchema;

use super::Json;
use crate::failure::{ErrorBody, Failure};
use crate::state::{Shared, State, WantedWork};
use crate::steps::WorkSteps;
use crate::storage::StoredDraft;

pub(crate) mod opening;
pub(crate) mod planning;

/// What can be set up.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SetupStatus {
    /// Whether there is no project that could be negotiated.
    needed: bool,
    /// The table that the server was started with.
    table: Option<String>,
    /// The project that is served, if its file can be changed.
    project: Option<String>,
    /// The largest table that can be sent, in bytes.
    upload_limit: u64,
    /// The tables that are being set up, the newest last.
    tables: Vec<SetupEntry>,
}

/// A table that is being set up.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SetupEntry {
    /// What requests about it name it by.
    id: String,
    /// The name of its file or table.
    name: String,
    /// Where it comes from.
    source: SetupSource,
}

/// What can be set up
#[utoipa::path(get, path = "/api/setup", responses(
    (status = 200, body = SetupStatus), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn status(state: Shared) -> Json<SetupStatus> {
    let served = state.served.last();
    let table = state.drafts.table.as_ref().and_then(|table| table.file_name());
    let own = served.as_ref().filter(|served| served.project.file.exists());
    let entry = |draft: Arc<StoredDraft>| SetupEntry {
        id: draft.id.clone(),
        name: draft.name.clone(),
        source: draft.source,
    };
    Json(SetupStatus {
        needed: served.is_none(),
        table: table.map(|name| name.to_string_lossy().into_owned()),
        project: own.map(|served| served.project.name()),
        upload_limit: state.drafts.upload_limit,
        tables: state.drafts.all().into_iter().map(entry).collect(),
    })
}

/// A table that is being set up: its columns with guesses and reasons, and the plan to begin with
#[utoipa::path(get, path = "/api/setup/{id}",
    params(("id" = String, Path, description = "the table")),
    responses((status = 200, body = SetupTable), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn table(
    state: Shared,
    Path(id): Path<String>,
) -> Result<Json<SetupTable>, Failure> {
    Ok(Json(draft(&state, &id)?.table()))
}

/// The values of a column and how many records have each; none of a column that names people
#[utoipa::path(get, path = "/api/setup/{id}/values/{column}",
    params(
        ("id" = String, Path, description = "the table"),
        ("column" = String, Path, description = "the column"),
    ),
    responses((status = 200, body = SetupValues), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn values(
    state: Shared,
    Path((id, column)): Path<(String, String)>,
) -> Result<Json<SetupValues>, Failure> {
    let draft = draft(&state, &id)?;
    state.work(move || draft.setup.values(&column)).await.map(Json)
}

/// What was removed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiscardedTable {
    /// Whether its project was served; the one that the server was started with is served again.
    was_served: bool,
}

/// Removes a table that is being set up, with the file that was sent
#[utoipa::path(post, path = "/api/setup/{id}/discard",
    params(("id" = String, Path, description = "the table")),
    responses((status = 200, body = DiscardedTable), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn discard(
    state: Shared,
    Path(id): Path<String>,
) -> Result<Json<DiscardedTable>, Failure> {
    let was_served = state.drafts.discard(&*draft(&state, &id)?);
    if was_served {
        state.served.restore();
    }
    Ok(Json(DiscardedTable { was_served }))
}

/// The table of an id.
fn draft(state: &State, id: &str) -> Result<Arc<StoredDraft>, Failure> {
    state.drafts.get(id).ok_or_else(|| {
        let what = "there is no such table to set up";
        let fix = "open it again; old tables make room for new ones";
        Failure::new(StatusCode::NOT_FOUND, what, fix)
    })
}

/// Names files as the client does, not by the private folder that they are in.
fn without_folder(error: Error, folder: &std::path::Path) -> Error {
    let renamed = |mut problem: Problem| {
        let private = problem.at.file.take_if(|file| file.starts_with(folder));
        if let Some(name) = private.as_ref().and_then(|file| file.file_name()) {
            problem.at.file = Some(name.into());
        }
        problem
    };
    error.map_problems(renamed)
}

/// Long work, which is cancelled when nobody waits for it.
async fn work<T: Send + 'static>(
    state: &State,
    work: impl FnOnce(&WorkSteps) -> Result<T, Error> + Send + 'static,
) -> Result<T, Failure> {
    let wanted = WantedWork(state.underway.begin());
    let steps = wanted.0.clone();
    state.work(move || work(&steps)).await
}
