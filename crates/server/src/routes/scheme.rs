//! `POST /api/scheme`: one scheme in detail.

use haggle::reports::Pinned;
use haggle::{Ask, Engine, Progress, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// Which scheme.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Which {
    /// The scheme.
    #[schema(value_type = Vec<u8>)]
    scheme: Scheme,
}

impl ExtraFields for Which {
    const FIELDS: &'static [&'static str] = &["scheme"];
}

/// One scheme in detail
#[utoipa::path(post, path = "/api/scheme", request_body = Asked<Which>, responses(
    (status = 200, body = Pinned), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn scheme(state: Shared, asked: Asked<Which>) -> Result<Json<Pinned>, Failure> {
    let scheme = asked.extra.scheme;
    let pinned = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        engine.pinned(ask, &scheme)
    };
    state.ask_aside(asked.qi, asked.ask, pinned).await.map(Json)
}
