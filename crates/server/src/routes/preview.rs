//! `POST /api/preview`: what a publication would look like, with its first rows.

use haggle::publishing::PublishOptions;
use haggle::reports::Preview;
use haggle::{Ask, Engine, Progress, PublicationForm, RecodingChoice, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use super::publish::FailingRecords;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// What is to be shown.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Shown {
    /// The scheme; that of the answer if not given.
    #[serde(default)]
    #[schema(value_type = Option<Vec<u8>>)]
    scheme: Option<Scheme>,
    /// The strategy that finds what is shown, if no scheme is named.
    #[serde(default)]
    strategy: Option<String>,
    /// The result of a comparison that the strategy found; exactly that is shown.
    #[serde(default)]
    result: Option<String>,
    /// Whether suppressed records are grouped again at higher levels.
    #[serde(default)]
    refine: bool,
    /// The columns that are published as recorded although they would be dropped; those that the
    /// project names if not given.
    #[serde(default)]
    as_recorded: Option<Vec<String>>,
    /// What becomes of records whose group fails.
    #[serde(default)]
    suppress: FailingRecords,
    /// How many rows, at most 50.
    #[serde(default = "few")]
    #[schema(value_type = Option<usize>)]
    rows: usize,
}

impl ExtraFields for Shown {
    const FIELDS: &'static [&'static str] =
        &["scheme", "strategy", "result", "refine", "as_recorded", "suppress", "rows"];
}

fn few() -> usize {
    10
}

/// What a publication would look like; the only answer but a download that shows records
#[utoipa::path(post, path = "/api/preview", request_body = Asked<Shown>, responses(
    (status = 200, body = Preview), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn preview(state: Shared, asked: Asked<Shown>) -> Result<Json<Preview>, Failure> {
    let served = state.served.current()?;
    let (project, memory) = (served.project.clone(), state.memory);
    let Shown { scheme, strategy, result, refine, as_recorded, suppress, rows } = asked.extra;
    let form = PublicationForm::Table;
    let choice = RecodingChoice { scheme, strategy, result, refine, form }.resolve()?;
    let preview = move |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        let asked = PublishOptions::new("", ask.clone());
        let options = PublishOptions {
            choice,
            as_recorded,
            suppress: suppress.into(),
            memory,
            progress,
            ..asked
        };
        haggle::publishing::preview_of(engine, &project, &options, rows)
    };
    let engine = served.engines.get(asked.qi).await?;
    state.aside(engine, asked.ask, preview).await.map(Json)
}
