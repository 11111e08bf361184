//! `POST /api/pareto`: the exact front of privacy against loss.

use std::slice;

use haggle::{Ask, Engine, Front, FrontAxes, Judge, Progress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// What privacy is weighed against.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Against {
    /// The loss measure.
    #[serde(default = "Judge::plain")]
    #[schema(value_type = Option<String>)]
    loss: Judge,
    /// Whether suppression is a third dimension.
    #[serde(default)]
    suppression: bool,
}

impl ExtraFields for Against {
    const FIELDS: &'static [&'static str] = &["loss", "suppression"];
}

/// The exact front of privacy against loss
#[utoipa::path(post, path = "/api/pareto", request_body = Asked<Against>, responses(
    (status = 200, body = Front), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn pareto(state: Shared, asked: Asked<Against>) -> Result<Json<Front>, Failure> {
    let Against { loss, suppression } = asked.extra;
    let front = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, slice::from_ref(&loss), progress)?;
        engine.front(ask, &loss, FrontAxes::with_suppression(suppression))
    };
    state.ask_aside(asked.qi, asked.ask, front).await.map(Json)
}
