//! `POST /api/scheme`: one scheme looked at closely.

use haggle::{Pinned, Scheme};
use serde::Deserialize;

use super::Json;
use crate::body::{Asked, Extra};
use crate::failure::Failure;
use crate::state::Shared;

/// Which scheme.
#[derive(Debug, Deserialize)]
pub(super) struct Which {
    scheme: Scheme,
}

impl Extra for Which {
    const FIELDS: &'static [&'static str] = &["scheme"];
}

pub(super) async fn scheme(state: Shared, asked: Asked<Which>) -> Result<Json<Pinned>, Failure> {
    let scheme = asked.extra.scheme;
    let pinned = state.ask(asked.qi, asked.ask, move |engine, ask| engine.pinned(ask, &scheme));
    pinned.await.map(Json)
}
