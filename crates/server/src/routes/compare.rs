//! `POST /api/compare`: every strategy on one request, with progress on the way; `GET /api/strategies`: the catalog.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use haggle::catalog::StrategyEntry;
use haggle::reports::Comparison;
use haggle::search::CompareOptions;
use haggle::{Error, Judge, Progress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure, ProblemList};
use crate::state::{Shared, State, WantedWork};
use crate::steps::WorkSteps;
use crate::stream::{UnderwayLine, stream};

/// What is compared.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Contenders {
    /// The measures to report; strategies minimize the first.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    measures: Vec<Judge>,
    /// The strategies; all if none is named.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>)]
    strategies: Vec<String>,
    /// How long each strategy may search, in seconds; until it is done if not given.
    #[serde(default)]
    time_limit: Option<f64>,
}

impl ExtraFields for Contenders {
    const FIELDS: &'static [&'static str] = &["measures", "strategies", "time_limit"];
}

impl Contenders {
    fn options(self, progress: &dyn Progress) -> Result<CompareOptions<'_>, Error> {
        let Self { measures, strategies, time_limit } = self;
        let time_limit = time_limit.map(Duration::try_from_secs_f64).transpose().map_err(|_| {
            Error::new("the time limit is not a number of seconds", "give one such as 1.5")
        })?;
        Ok(CompareOptions { measures, strategies, time_limit, progress })
    }
}

/// The last line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CompareEnded {
    /// What each strategy found.
    Done(Box<Comparison>),
    /// They could not be compared.
    Error(ProblemList),
}

/// Every strategy on one request: what it finds, loses and takes, with progress; closing the
/// connection stops the work
#[utoipa::path(post, path = "/api/compare", request_body = Asked<Contenders>, responses(
    (status = 200, content_type = "application/x-ndjson", body = inline(CompareLines)),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn compare(state: Shared, asked: Asked<Contenders>) -> Response {
    let steps = state.underway.begin();
    stream(steps.clone(), last(state.0, asked, steps))
}

async fn last(state: Arc<State>, asked: Asked<Contenders>, steps: Arc<WorkSteps>) -> CompareEnded {
    match compared(&state, asked, steps).await {
        Ok(comparison) => CompareEnded::Done(comparison.into()),
        Err(failure) => CompareEnded::Error(failure.into_body().error),
    }
}

async fn compared(
    state: &State,
    asked: Asked<Contenders>,
    steps: Arc<WorkSteps>,
) -> Result<Comparison, Failure> {
    let engine = state.served.current()?.engines.get(asked.qi).await?;
    let wanted = WantedWork(steps);
    let steps = wanted.0.clone();
    let work = move || engine.compare(&asked.ask, &asked.extra.options(&*steps)?);
    state.work(work).await
}

/// A line of the answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code)] // it says what a line may be
pub(crate) enum CompareLines {
    /// On the way.
    UnderwayLine(UnderwayLine),
    /// The last.
    CompareEnded(CompareEnded),
}

/// The strategies
#[utoipa::path(get, path = "/api/strategies", responses(
    (status = 200, body = Vec<StrategyEntry>), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn strategies() -> Json<Vec<StrategyEntry>> {
    Json(haggle::catalog::strategies())
}
