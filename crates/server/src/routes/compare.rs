//! `POST /api/compare`: every strategy on one request; `GET /api/strategies`: the catalog.

use std::time::Duration;

use haggle::{Ask, CompareOptions, Comparison, Engine, Judge, Progress, StrategyEntry};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, Extra};
use crate::failure::{Failure, Told};
use crate::state::Shared;

/// What is compared.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Contenders {
    /// The measures to tell; strategies look at the first.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    measures: Vec<Judge>,
    /// The strategies; all if none is named.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    strategies: Vec<String>,
}

impl Extra for Contenders {
    const FIELDS: &'static [&'static str] = &["measures", "strategies"];
}

/// How long each strategy may search.
const PATIENCE: Duration = Duration::from_secs(1);

/// Every strategy on one request: what it finds, loses and takes
#[utoipa::path(post, path = "/api/compare", request_body = Asked<Contenders>, responses(
    (status = 200, body = Comparison), (status = "4XX", body = Told),
))]
pub(crate) async fn compare(
    state: Shared,
    asked: Asked<Contenders>,
) -> Result<Json<Comparison>, Failure> {
    let Contenders { measures, strategies } = asked.extra;
    let compare = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        let options = CompareOptions { measures, strategies, patience: PATIENCE, progress };
        engine.compare(ask, &options)
    };
    state.ask_aside(asked.qi, asked.ask, compare).await.map(Json)
}

/// The strategies
#[utoipa::path(get, path = "/api/strategies", responses(
    (status = 200, body = Vec<StrategyEntry>), (status = "4XX", body = Told),
))]
pub(crate) async fn strategies() -> Json<Vec<StrategyEntry>> {
    Json(haggle::strategies())
}
