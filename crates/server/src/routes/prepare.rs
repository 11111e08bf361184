//! `POST /api/prepare`: builds what a request needs and does not exist yet, with progress on the
//! way.

use std::sync::Arc;

use axum::response::Response;
use haggle::Judge;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure, ProblemList};
use crate::state::{Shared, State, WantedWork};
use crate::steps::WorkSteps;
use crate::stream::{UnderwayLine, stream};

/// What else will be asked.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct ExpectedFront {
    /// A loss measure that a front will be of.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    loss: Option<Judge>,
}

impl ExtraFields for ExpectedFront {
    const FIELDS: &'static [&'static str] = &["loss"];
}

/// The last line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PrepareEnded {
    /// Everything is built; the next request is answered at once.
    Done(PreparedTables),
    /// Building it failed.
    Error(ProblemList),
}

/// What exists now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PreparedTables {
    /// How many schemes it describes.
    schemes: usize,
}

/// Builds what a request needs and does not exist yet, with progress; closing the connection stops
/// the work
#[utoipa::path(post, path = "/api/prepare", request_body = Asked<ExpectedFront>, responses(
    (status = 200, content_type = "application/x-ndjson", body = inline(PrepareLines)),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn prepare(state: Shared, asked: Asked<ExpectedFront>) -> Response {
    let steps = state.underway.begin();
    stream(steps.clone(), last_line(state.0, asked, steps))
}

async fn last_line(
    state: Arc<State>,
    asked: Asked<ExpectedFront>,
    steps: Arc<WorkSteps>,
) -> PrepareEnded {
    match prepared(&state, asked, steps).await {
        Ok(done) => PrepareEnded::Done(done),
        Err(failure) => PrepareEnded::Error(failure.into_body().error),
    }
}

async fn prepared(
    state: &State,
    asked: Asked<ExpectedFront>,
    steps: Arc<WorkSteps>,
) -> Result<PreparedTables, Failure> {
    let engine = state.served.current()?.engines.get(asked.qi).await?;
    let wanted = WantedWork(steps);
    let steps = wanted.0.clone();
    let work = move || {
        let mut measures = engine.measures(&asked.ask);
        measures.extend(asked.extra.loss);
        engine.prepare(&asked.ask, &measures, &*steps)?;
        Ok(PreparedTables { schemes: engine.built().schemes })
    };
    state.work(work).await
}

/// A line of the answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code)] // it says what a line may be
pub(crate) enum PrepareLines {
    /// On the way.
    UnderwayLine(UnderwayLine),
    /// The last.
    PrepareEnded(PrepareEnded),
}
