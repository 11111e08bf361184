//! `POST /api/why`: what a scheme suppresses, and which level would help.

use haggle::reports::Why;
use haggle::{Ask, Engine, Judge, Progress, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// Which scheme, and what attributes are judged by.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct About {
    /// The scheme; that of the answer if not given.
    #[serde(default)]
    #[schema(value_type = Option<Vec<u8>>)]
    scheme: Option<Scheme>,
    /// The loss measure.
    #[serde(default = "Judge::plain")]
    #[schema(value_type = Option<String>)]
    loss: Judge,
}

impl ExtraFields for About {
    const FIELDS: &'static [&'static str] = &["scheme", "loss"];
}

/// What a scheme suppresses, and which level would help
#[utoipa::path(post, path = "/api/why", request_body = Asked<About>, responses(
    (status = 200, body = Why), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn why(state: Shared, asked: Asked<About>) -> Result<Json<Why>, Failure> {
    let About { scheme, loss } = asked.extra;
    let why = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        engine.why(ask, &engine.named_or_best(ask, scheme.as_ref())?, &loss)
    };
    state.ask_aside(asked.qi, asked.ask, why).await.map(Json)
}
