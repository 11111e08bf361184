//! `POST /api/front`: the front at some thresholds, with progress on the way.

use std::sync::Arc;

use axum::response::Response;
use haggle::{Front, Judge};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure, ProblemList};
use crate::state::{Shared, State, WantedWork};
use crate::steps::WorkSteps;
use crate::stream::{UnderwayLine, stream};

/// Where the front is searched.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct FrontThresholds {
    /// The loss measure.
    #[serde(default = "Judge::plain")]
    #[schema(value_type = Option<String>)]
    loss: Judge,
    /// The thresholds at which the least loss is searched.
    #[serde(default)]
    thresholds: Vec<f64>,
}

impl ExtraFields for FrontThresholds {
    const FIELDS: &'static [&'static str] = &["loss", "thresholds"];
}

/// The last line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FrontEnded {
    /// The points.
    Done(Box<Front>),
    /// They could not be searched.
    Error(ProblemList),
}

/// The front of privacy against loss at some thresholds, of a lattice of any size, with progress;
/// closing the connection stops the work
#[utoipa::path(post, path = "/api/front", request_body = Asked<FrontThresholds>, responses(
    (status = 200, content_type = "application/x-ndjson", body = inline(FrontLines)),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn front(state: Shared, asked: Asked<FrontThresholds>) -> Response {
    let steps = state.underway.begin();
    stream(steps.clone(), last(state.0, asked, steps))
}

async fn last(
    state: Arc<State>,
    asked: Asked<FrontThresholds>,
    steps: Arc<WorkSteps>,
) -> FrontEnded {
    match searched(&state, asked, steps).await {
        Ok(front) => FrontEnded::Done(front.into()),
        Err(failure) => FrontEnded::Error(failure.into_body().error),
    }
}

async fn searched(
    state: &State,
    asked: Asked<FrontThresholds>,
    steps: Arc<WorkSteps>,
) -> Result<Front, Failure> {
    let engine = state.served.current()?.engines.get(asked.qi).await?;
    let wanted = WantedWork(steps);
    let steps = wanted.0.clone();
    let work = move || {
        let FrontThresholds { loss, thresholds } = asked.extra;
        engine.front_at(&asked.ask, &loss, &thresholds, &*steps)
    };
    state.work(work).await
}

/// A line of the answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code)] // it says what a line may be
pub(crate) enum FrontLines {
    /// On the way.
    UnderwayLine(UnderwayLine),
    /// The last.
    FrontEnded(FrontEnded),
}
