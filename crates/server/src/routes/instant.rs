//! `POST /api/predict` and `POST /api/instant`: predicted from a summary at once, then counted until a
//! promise is kept; `POST /api/firm`: one scheme counted.

use std::sync::Arc;

use haggle::reports::{CountedScheme, InstantAnswer, InstantPrediction};
use haggle::search::{Instant, InstantAsk};
use haggle::{Progress, Scheme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::body::{Asked, Nothing};
use crate::failure::{ErrorBody, Failure};
use crate::state::{Shared, State, WantedWork};

/// What the search may take.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct InstantLimits {
    /// The largest number of scans.
    #[serde(default)]
    max_scans: Option<usize>,
}

/// Which scheme is counted.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct SchemeToCount {
    /// The scheme.
    #[schema(value_type = Vec<u8>)]
    scheme: Scheme,
}

/// What every scheme is predicted to suppress, and which one is worth counting; nothing is counted
#[utoipa::path(post, path = "/api/predict", request_body = Asked<Nothing>, responses(
    (status = 200, body = InstantPrediction), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn predict(
    state: Shared,
    asked: Asked<Nothing>,
) -> Result<Json<InstantPrediction>, Failure> {
    let ask = InstantAsk { ask: asked.ask, ..InstantAsk::default() };
    let prediction =
        |instant: &mut Instant, ask: &InstantAsk, _: &dyn Progress| instant.prediction(ask);
    answer(state.0, asked.qi, ask, prediction).await.map(Json)
}

/// The best candidates counted, one scan each, until one keeps its promise
#[utoipa::path(post, path = "/api/instant", request_body = Asked<InstantLimits>, responses(
    (status = 200, body = InstantAnswer), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn instant(
    state: Shared,
    asked: Asked<InstantLimits>,
) -> Result<Json<InstantAnswer>, Failure> {
    let max_scans = asked.extra.max_scans.unwrap_or(usize::MAX);
    let ask = InstantAsk { ask: asked.ask, max_scans, ..InstantAsk::default() };
    answer(state.0, asked.qi, ask, Instant::find).await.map(Json)
}

/// One scheme counted in one scan, so that its figures are exact
#[utoipa::path(post, path = "/api/firm", request_body = Asked<SchemeToCount>, responses(
    (status = 200, body = CountedScheme), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn firm(
    state: Shared,
    asked: Asked<SchemeToCount>,
) -> Result<Json<CountedScheme>, Failure> {
    let scheme = asked.extra.scheme;
    let ask = InstantAsk { ask: asked.ask, ..InstantAsk::default() };
    let count = move |instant: &mut Instant, ask: &InstantAsk, progress: &dyn Progress| {
        instant.count_scheme(ask, &scheme, progress)
    };
    answer(state.0, asked.qi, ask, count).await.map(Json)
}

/// Asks a summary on a worker thread; work that is no longer awaited is not begun.
async fn answer<T: Send + 'static>(
    state: Arc<State>,
    qi: Option<Vec<String>>,
    ask: InstantAsk,
    question: impl FnOnce(&mut Instant, &InstantAsk, &dyn Progress) -> Result<T, haggle::Error>
    + Send
    + 'static,
) -> Result<T, Failure> {
    let wanted = WantedWork(state.underway.begin());
    let steps = wanted.0.clone();
    let served = state.served.current()?;
    let work =
        move || served.instants.ask(qi, &ask, &*steps, |instant| question(instant, &ask, &*steps));
    state.work(work).await
}
