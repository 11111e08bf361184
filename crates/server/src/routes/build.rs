//! `POST /api/build`: the same as `/api/lattice`, with progress on the way.

use axum::response::Response;
use haggle::reports::LatticeOverview;
use serde::Serialize;
use utoipa::ToSchema;

use crate::body::Qi;
use crate::engines::Waiting;
use crate::failure::{ErrorBody, Failure, ProblemList};
use crate::state::Shared;
use crate::stream::{UnderwayLine, stream};

/// The last line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BuildEnded {
    /// The lattice is built.
    Done(Box<LatticeOverview>),
    /// Building it failed.
    Error(ProblemList),
}

/// The lattice of some quasi-identifiers, with progress; closing the connection stops the work
#[utoipa::path(post, path = "/api/build", request_body = Qi, responses(
    (status = 200, content_type = "application/x-ndjson", body = inline(BuildLine)),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn build(state: Shared, Qi { qi }: Qi) -> Result<Response, Failure> {
    let waiting = state.served.current()?.engines.wait(qi);
    Ok(stream(waiting.steps(), last(waiting)))
}

async fn last(waiting: Waiting) -> BuildEnded {
    match waiting.made().await {
        Ok(engine) => BuildEnded::Done(engine.overview().into()),
        Err(failure) => BuildEnded::Error(failure.into_body().error),
    }
}

/// A line of the answer.
#[derive(ToSchema)]
#[serde(untagged)]
#[allow(dead_code)] // it says what a line may be
pub(crate) enum BuildLine {
    /// On the way.
    UnderwayLine(UnderwayLine),
    /// The last.
    BuildEnded(BuildEnded),
}
