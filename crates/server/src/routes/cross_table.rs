//! `POST /api/cross-table`: records and suppressed records by the recorded values of attributes.

use haggle::reports::CrossTable;
use haggle::{Ask, Engine, Progress, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// Which scheme, and what records are counted by.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct CountedBy {
    /// The scheme; that of the answer if not given.
    #[serde(default)]
    #[schema(value_type = Option<Vec<u8>>)]
    scheme: Option<Scheme>,
    /// One attribute or two: quasi-identifiers, or one of them sensitive.
    by: Vec<String>,
}

impl ExtraFields for CountedBy {
    const FIELDS: &'static [&'static str] = &["scheme", "by"];
}

/// Records, and those that a scheme suppresses, by the recorded values of one attribute or two; for the
/// curator, not for publication
#[utoipa::path(post, path = "/api/cross-table", request_body = Asked<CountedBy>, responses(
    (status = 200, body = CrossTable), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn cross_table(
    state: Shared,
    asked: Asked<CountedBy>,
) -> Result<Json<CrossTable>, Failure> {
    let CountedBy { scheme, by } = asked.extra;
    let table = move |engine: &Engine, ask: &Ask, _: &dyn Progress| {
        let by: Vec<&str> = by.iter().map(String::as_str).collect();
        engine.cross_table(ask, &engine.named_or_best(ask, scheme.as_ref())?, &by)
    };
    state.ask_aside(asked.qi, asked.ask, table).await.map(Json)
}
