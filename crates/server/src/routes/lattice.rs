//! `POST /api/lattice`: the lattice of some quasi-identifiers, built if it does not exist yet.

use haggle::reports::LatticeOverview;

use super::Json;
use crate::body::Qi;
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// The lattice of some quasi-identifiers
#[utoipa::path(post, path = "/api/lattice", request_body = Qi, responses(
    (status = 200, body = LatticeOverview), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn lattice(
    state: Shared,
    Qi { qi }: Qi,
) -> Result<Json<LatticeOverview>, Failure> {
    Ok(Json(state.served.current()?.engines.get(qi).await?.overview()))
}
