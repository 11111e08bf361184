//! `GET /api/models` and `GET /api/measures`: the catalogs.

use haggle::catalog::{MEASURES, MODELS, Measure, Model};

use super::Json;
use crate::failure::ErrorBody;

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
