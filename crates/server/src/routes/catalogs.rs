//! `GET /api/models`, `/api/measures`, `/api/strategies` and `/api/questions`: the catalogs.

use haggle::catalog::{MEASURES, MODELS, Measure, Model, StrategyEntry};
use haggle::questions::Reveals;
use serde::Serialize;
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
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListedQuestion {
    /// Its id: it is asked by `POST /api/ID`.
    id: &'static str,
    /// What it answers.
    title: &'static str,
    /// What its answer may reveal of the table.
    reveals: Reveals,
    /// Whether it writes files.
    writes: bool,
    /// Its fields in addition to those of a request.
    fields: &'static [&'static str],
}

/// The questions
#[utoipa::path(get, path = "/api/questions", responses(
    (status = 200, body = Vec<ListedQuestion>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn questions(state: Shared) -> Json<Vec<ListedQuestion>> {
    let listed = |entry: &haggle::questions::QuestionEntry| ListedQuestion {
        id: entry.id,
        title: entry.title,
        reveals: entry.reveals,
        writes: entry.writes,
        fields: (entry.fields)(),
    };
    Json(state.questions.iter().map(listed).collect())
}
