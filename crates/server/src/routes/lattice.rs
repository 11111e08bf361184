//! `POST /api/lattice`: the lattice of some quasi-identifiers, made if nobody asked before.

use haggle::LatticeOverview;

use super::Json;
use crate::body::Qi;
use crate::failure::Failure;
use crate::state::Shared;

pub(super) async fn lattice(
    state: Shared,
    Qi { qi }: Qi,
) -> Result<Json<LatticeOverview>, Failure> {
    Ok(Json(state.engines.get(qi).await?.overview()))
}
