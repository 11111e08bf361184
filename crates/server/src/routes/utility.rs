//! `POST /api/utility`: what an analyst can still do with a scheme.

use haggle::utility::{UtilityAsk, UtilityReport};
use haggle::{Ask, Engine, Progress};

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

impl ExtraFields for UtilityAsk {
    const FIELDS: &'static [&'static str] = &[
        "scheme",
        "strategy",
        "target",
        "held_out",
        "seed",
        "support",
        "confidence",
        "rule_length",
    ];
}

/// What an analyst can still do with a scheme: summaries, associations, models and rules
#[utoipa::path(post, path = "/api/utility", request_body = Asked<UtilityAsk>, responses(
    (status = 200, body = UtilityReport), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn utility(
    state: Shared,
    asked: Asked<UtilityAsk>,
) -> Result<Json<UtilityReport>, Failure> {
    let extra = asked.extra;
    let utility = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        haggle::utility::utility(engine, ask, &extra, progress)
    };
    state.ask_aside(asked.qi, asked.ask, utility).await.map(Json)
}
