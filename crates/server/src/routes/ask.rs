//! `POST /api/ask`: the best scheme for a request, or what would have to be relaxed.

use haggle::{Answer, Ask, Engine, Progress};

use super::Json;
use crate::body::{Asked, Nothing};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// The best scheme for a request, or what would have to be relaxed
#[utoipa::path(post, path = "/api/ask", request_body = Asked<Nothing>, responses(
    (status = 200, body = Answer), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn ask(state: Shared, asked: Asked<Nothing>) -> Result<Json<Answer>, Failure> {
    let answer = |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &engine.measures(ask), progress)?;
        engine.ask_with(ask, progress)
    };
    state.ask(asked.qi, asked.ask, answer).await.map(Json)
}
