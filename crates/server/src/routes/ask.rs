//! `POST /api/ask`: the best scheme for a request, or what would have to give.

use haggle::{Answer, Engine};

use super::Json;
use crate::body::{Asked, Nothing};
use crate::failure::Failure;
use crate::state::Shared;

pub(super) async fn ask(state: Shared, asked: Asked<Nothing>) -> Result<Json<Answer>, Failure> {
    state.ask(asked.qi, asked.ask, Engine::ask).await.map(Json)
}
