//! `POST /api/setup/{id}/…`: a plan checked and priced, a hierarchy pasted, the project file saved, the
//! project served.

use axum::extract::Path;
use haggle::Error;
use haggle::setup::{HierarchyRule, PlanCheck, SetupPlan, SetupSource, price};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Json;
use super::{draft, without_folder, work};
use crate::body::JsonBody;
use crate::failure::{ErrorBody, Failure};
use crate::private_files::write_private;
use crate::state::Shared;

/// The project file of a plan, and what the plan costs: records dropped and suppressed, and the loss of
/// the best answer
#[utoipa::path(post, path = "/api/setup/{id}/check",
    params(("id" = String, Path, description = "the table")), request_body = SetupPlan,
    responses((status = 200, body = PlanCheck), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn check(
    state: Shared,
    Path(id): Path<String>,
    JsonBody(plan): JsonBody<SetupPlan>,
) -> Result<Json<PlanCheck>, Failure> {
    let (draft, memory) = (draft(&state, &id)?, state.memory);
    let checked = work(&state, move |steps| {
        let checked = || {
            let text = draft.setup.text(&plan)?;
            let (missing, price) = price(&draft.setup.project(&plan)?, memory, steps)?;
            draft.remember(plan.clone());
            Ok(PlanCheck { text, missing, price })
        };
        let private = draft.folder.as_ref().map(|folder| folder.path().to_owned());
        checked().map_err(|error| match private {
            Some(private) => without_folder(error, &private),
            None => error,
        })
    });
    checked.await.map(Json)
}

/// A hierarchy as text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PastedHierarchy {
    /// The column that it is for.
    column: String,
    /// A row for each value, the levels separated by `;` or `,`.
    text: String,
}

/// A pasted hierarchy as a rule.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReadHierarchy {
    /// The rule; none if the text has no level between the values and `*`.
    hierarchy: Option<HierarchyRule>,
}

/// A hierarchy file that was pasted, as a rule of the project file
#[utoipa::path(post, path = "/api/setup/{id}/hierarchy",
    params(("id" = String, Path, description = "the table")), request_body = PastedHierarchy,
    responses((status = 200, body = ReadHierarchy), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn hierarchy(
    state: Shared,
    Path(id): Path<String>,
    JsonBody(pasted): JsonBody<PastedHierarchy>,
) -> Result<Json<ReadHierarchy>, Failure> {
    let draft = draft(&state, &id)?;
    let read = move || draft.setup.pasted(&pasted.column, &pasted.text);
    Ok(Json(ReadHierarchy { hierarchy: state.work(read).await? }))
}

/// A plan to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedPlan {
    /// The plan.
    plan: SetupPlan,
    /// Whether a project file that is there already may be replaced.
    #[serde(default)]
    replace: bool,
}

/// Where a project was saved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedProject {
    /// The project file.
    file: String,
}

/// Saves the project file next to the data; comments are kept
#[utoipa::path(post, path = "/api/setup/{id}/save",
    params(("id" = String, Path, description = "the table")), request_body = SavedPlan,
    responses((status = 200, body = SavedProject), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn save(
    state: Shared,
    Path(id): Path<String>,
    JsonBody(SavedPlan { plan, replace }): JsonBody<SavedPlan>,
) -> Result<Json<SavedProject>, Failure> {
    let draft = draft(&state, &id)?;
    if !matches!(draft.source, SetupSource::Given | SetupSource::Project) {
        let what = "a table that was sent has no folder to save its project in";
        let fix = "download the project file, and put it next to the table";
        return Err(Error::new(what, fix).into());
    }
    let saved = state.work(move || draft.setup.save(&plan, replace)).await?;
    Ok(Json(SavedProject { file: saved.display().to_string() }))
}

/// The project that is served now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ServedName {
    /// Its name.
    name: String,
}

/// Serves the project of a plan from now on; sessions go on
#[utoipa::path(post, path = "/api/setup/{id}/serve",
    params(("id" = String, Path, description = "the table")), request_body = SetupPlan,
    responses((status = 200, body = ServedName), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn serve(
    state: Shared,
    Path(id): Path<String>,
    JsonBody(plan): JsonBody<SetupPlan>,
) -> Result<Json<ServedName>, Failure> {
    let draft = draft(&state, &id)?;
    let project = draft.setup.project(&plan)?;
    if draft.folder.is_some() {
        let text = draft.setup.text(&plan)?;
        write_private(&project.file, text.as_bytes()).map_err(|_| Failure::internal())?;
    }
    let name = project.name();
    state.served.replace(project)?;
    draft.remember(plan);
    state.drafts.serve(&draft.id);
    Ok(Json(ServedName { name }))
}
