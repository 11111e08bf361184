//! `POST /api/query`: what an analyst learns from a scheme, next to the truth.

use haggle::queries::{QueriedPublication, QueryAnswer, QueryAsk, QueryDomain, SuppressedRecords};
use haggle::{Ask, Engine, Progress, RecodingChoice, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// The query, and the scheme or strategy whose publication is asked. Without a threshold nothing is
/// suppressed: the project's default request does not apply.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct QueryOfScheme {
    /// The scheme.
    #[serde(default)]
    #[schema(value_type = Option<Vec<u8>>)]
    scheme: Option<Scheme>,
    /// The strategy whose recoding is asked, instead of a scheme.
    #[serde(default)]
    strategy: Option<String>,
    /// The condition; empty for all records.
    #[serde(default)]
    condition: String,
    /// The column whose distribution is asked for.
    #[serde(default)]
    of: Option<String>,
    /// A column for each of whose recorded values the query is asked too.
    #[serde(default)]
    group_by: Option<String>,
    /// Which recorded values a published value may stand for.
    #[serde(default)]
    domain: QueryDomain,
    /// What is published of suppressed records.
    #[serde(default)]
    suppress: SuppressedRecords,
}

impl ExtraFields for QueryOfScheme {
    const FIELDS: &'static [&'static str] =
        &["scheme", "strategy", "condition", "of", "group_by", "domain", "suppress"];
}

/// What an analyst learns from a scheme, next to the truth
#[utoipa::path(post, path = "/api/query", request_body = Asked<QueryOfScheme>, responses(
    (status = 200, body = QueryAnswer), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn query(
    state: Shared,
    asked: Asked<QueryOfScheme>,
) -> Result<Json<QueryAnswer>, Failure> {
    let QueryOfScheme { scheme, strategy, condition, of, group_by, domain, suppress } = asked.extra;
    let recoding = RecodingChoice::named(scheme.as_ref(), strategy.as_deref()).resolve()?;
    let query = QueryAsk { condition, of, group_by, domain };
    let answer = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        let publication = QueriedPublication {
            recoding: recoding.clone(),
            ask: ask.clone(),
            suppressed: suppress,
        };
        haggle::queries::query(engine, &publication, &query, progress)
    };
    state.ask_aside(asked.qi, asked.ask, answer).await.map(Json)
}
