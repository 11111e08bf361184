//! Why an answer is as it is: what suppression and loss come from.

use haggle_model::Scheme;
use serde::Serialize;

use crate::{Account, Ask};

/// What a scheme suppresses, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Why {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The thresholds asked for, in full.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
    /// All records.
    pub records: u64,
    /// The records suppressed.
    pub suppressed: u64,
    /// The groups that fail.
    pub failing_groups: u64,
    /// Published values hit hardest, by attribute.
    pub kinds: Vec<SuppressedValue>,
    /// Single levels up or down and what they would suppress; the best first.
    pub changes: Vec<Change>,
    /// The measure of the losses.
    pub measure: String,
    /// What the scheme loses by it.
    pub loss: f64,
    /// The standard error of that, if it is an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_error: Option<f64>,
    /// What each attribute costs; what stands in the way most first.
    pub attributes: Vec<AttributeCost>,
}

/// What an attribute costs under a scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttributeCost {
    /// The attribute.
    pub attribute: String,
    /// Its level.
    pub level: u8,
    /// What the publication loses in this attribute alone.
    pub loss: f64,
    /// What would be suppressed if it were left out, the others as they are.
    pub suppressed_without: u64,
}

/// A published value and how many of its records are suppressed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SuppressedValue {
    /// The attribute.
    pub attribute: String,
    /// The value as it would be published.
    pub value: String,
    /// Its records.
    pub records: u64,
    /// Those of them that are suppressed.
    pub suppressed: u64,
}

/// A scheme one level away.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Change {
    /// The attribute that would change.
    pub attribute: String,
    /// Its new level.
    pub level: u8,
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// What it would suppress.
    pub suppressed: u64,
}
