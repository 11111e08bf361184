//! `POST /api/risk`: what a scheme tells an attacker.

use std::time::Duration;

use haggle::inference::{RiskAsk, RiskInputs, RiskReport, risk as risk_of};
use haggle::{Ask, Engine, Progress, WithDeadline};

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// How long a strategy may search; the question cannot be given up.
const SEARCH_TIME_LIMIT: Duration = Duration::from_secs(1);

impl ExtraFields for RiskAsk {
    const FIELDS: &'static [&'static str] = &[
        "scheme",
        "strategy",
        "threshold",
        "sampling_fraction",
        "attacks",
        "on",
        "prior",
        "target",
        "rule_out",
        "alpha",
        "least_group",
        "delta",
        "epsilon",
        "rho1",
        "rho2",
        "moved",
        "known_values",
        "similar",
        "width",
        "knows",
        "key_size",
    ];
}

/// What a scheme tells an attacker: re-identification risk, attacks and beliefs
#[utoipa::path(post, path = "/api/risk", request_body = Asked<RiskAsk>, responses(
    (status = 200, body = RiskReport), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn risk(
    state: Shared,
    asked: Asked<RiskAsk>,
) -> Result<Json<RiskReport>, Failure> {
    let extra = asked.extra;
    let risk = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        if !ask.privacy.is_empty() {
            engine.prepare(ask, &[], progress)?;
        }
        // Files of the server are not read on request.
        let progress = &WithDeadline::after(progress, Some(SEARCH_TIME_LIMIT));
        let memory = engine.memory();
        let inputs = RiskInputs { memory, progress, ..RiskInputs::default() };
        risk_of(engine, ask, &extra, &inputs)
    };
    state.ask_aside(asked.qi, asked.ask, risk).await.map(Json)
}
