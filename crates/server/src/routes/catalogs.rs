//! `GET /api/models` and `GET /api/measures`: the catalogs.

use haggle::{MEASURES, MODELS, Measure, Model};

use super::Json;

pub(super) async fn models() -> Json<&'static [&'static Model]> {
    Json(MODELS)
}

pub(super) async fn measures() -> Json<&'static [&'static Measure]> {
    Json(MEASURES)
}
