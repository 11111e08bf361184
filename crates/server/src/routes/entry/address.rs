//! `POST /api/address`: an address that signs one more browser in.

use serde::Serialize;
use utoipa::ToSchema;

use crate::failure::{ErrorBody, Failure};
use crate::routes::Json;
use crate::state::Shared;

/// Where the page is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Address {
    /// Works once, within five minutes.
    address: String,
}

/// An address that signs one browser in, once
#[utoipa::path(post, path = "/api/address", responses(
    (status = 200, body = Address), (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn address(state: Shared) -> Result<Json<Address>, Failure> {
    let address = state.guard.codes.issue(&state.origin).map_err(|_| Failure::internal())?;
    Ok(Json(Address { address }))
}
