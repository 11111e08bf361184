//! What some schemes cost, side by side.

use haggle_model::Scheme;
use serde::Serialize;

/// What some schemes cost at the thresholds asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SchemesReport {
    /// The measure of the losses.
    pub measure: String,
    /// The schemes, in the order asked for.
    pub schemes: Vec<SchemeCost>,
}

/// What one scheme costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SchemeCost {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The sum of its levels.
    pub height: u32,
    /// The records it suppresses.
    pub suppressed: u64,
    /// What it loses.
    pub loss: f64,
}
