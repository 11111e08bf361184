//! What a plan costs: records dropped, records suppressed, information lost.

use haggle_model::Scheme;
use serde::Serialize;

/// A plan as a project file, and what it would cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanCheck {
    /// The project file.
    pub text: String,
    /// What the policies for missing values cost.
    pub missing: MissingPrice,
    /// What the default request costs.
    pub price: PlanPrice,
}

/// Records that are left out because a value is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MissingPrice {
    /// All records of the table.
    pub records: u64,
    /// Records with a missing value in a quasi-identifier or sensitive column: what dropping them
    /// loses.
    pub incomplete: u64,
    /// Records that the chosen policy leaves out.
    pub dropped: u64,
}

/// What the default request costs with these hierarchies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlanPrice {
    /// How many schemes there are.
    pub schemes: usize,
    /// Records in groups that are smaller than k while nothing is generalized.
    pub unprotected: u64,
    /// The k of the request.
    pub k: u64,
    /// Whether a scheme meets the request.
    pub possible: bool,
    /// The scheme that loses least, if one meets the request.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// How many records that scheme suppresses; if none meets the request, the fewest that any
    /// scheme would suppress.
    pub suppressed: Option<u64>,
    /// What that scheme loses, by the measure `lm`: 0 is nothing, 1 is everything.
    pub loss: Option<f64>,
    /// The negotiated quasi-identifiers, level by level.
    pub attributes: Vec<AttributePrice>,
}

/// A negotiated quasi-identifier, level by level.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributePrice {
    /// Its name.
    pub name: String,
    /// Its levels, from the values as recorded.
    pub levels: Vec<LevelPrice>,
    /// Its level in the scheme that loses least.
    pub level: Option<u8>,
}

/// One level of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelPrice {
    /// How many values it has.
    pub values: usize,
    /// Records whose value at this level fewer than k share.
    pub unprotected: u64,
    /// A few recorded values as they look here; the same ones at every level.
    pub examples: Vec<String>,
}
