//! `GET /api/models`, `/api/measures`, `/api/strategies` and `/api/questions`: the catalogs.

use haggle::catalog::{MEASURES, MODELS, Measure, Model, StrategyEntry};
use haggle::questions::{QuestionEntry, Reveals};
use utoipa::ToSchema;

use super::Json;
use crate::failure::ErrorBody;
use crate::state::Shared;

/// The privacy models
#[utoipa::path(get, path = "/api/models", responses(
    (status = 200, body = Vec<haggle::schema::ModelEntry>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn models() -> Json<&'static [&'static Model]> {
    Json(MODELS)
}

/// The loss measures
#[utoipa::path(get, path = "/api/measures", responses(
    (status = 200, body = Vec<haggle::schema::MeasureEntry>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn measures() -> Json<&'static [&'static Measure]> {
    Json(MEASURES)
}

/// The strategies
#[utoipa::path(get, path = "/api/strategies", responses(
    (status = 200, body = Vec<StrategyEntry>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn strategies() -> Json<Vec<StrategyEntry>> {
    Json(haggle::catalog::strategies())
}

/// A question of the catalog.
#[derive(ToSchema)]
#[schema(as = QuestionEntry)]
#[allow(dead_code)] // it says what an entry holds
pub(crate) struct ListedQuestion {
    /// Its id: it is asked by `POST /api/ID`.
    id: String,
    /// What it answers.
    title: String,
    /// What its answer may reveal of the table.
    reveals: Reveals,
    /// Whether it writes files.
    writes: bool,
    /// Whether it takes a request as well as its own fields.
    takes_request: bool,
    /// Its fields in addition to those of a request.
    fields: Vec<String>,
    /// Its fields that name files.
    files: Vec<String>,
    /// Bodies for the embedded table.
    examples: Vec<String>,
    /// The media types of its answer.
    media_types: Vec<String>,
}

/// The questions
#[utoipa::path(get, path = "/api/questions", responses(
    (status = 200, body = Vec<ListedQuestion>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn questions(state: Shared) -> Json<Vec<QuestionEntry>> {
    Json(state.questions.iter().copied().collect())
}
