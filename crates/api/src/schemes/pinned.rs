//! One scheme in detail.

use std::collections::BTreeMap;

use haggle_model::Scheme;
use serde::Serialize;

use crate::SchemeHistogram;
use crate::threshold::Threshold;
use crate::threshold::by_name;

/// A scheme in detail.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pinned {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// The sum of its levels.
    pub height: u32,
    /// The records it suppresses.
    pub suppressed: u64,
    /// Its groups, kept or not.
    pub groups: u64,
    /// The weakest statistics among the groups it keeps, by model; none if it keeps no group.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub attained: Vec<(String, Threshold)>,
    /// What each attribute looks like.
    pub examples: Vec<PinnedExample>,
    /// Rows composed of frequent values; none is a record.
    pub rows: Vec<ExampleRow>,
    /// The histogram of the model asked for; none where several are.
    pub histogram: Option<SchemeHistogram>,
    /// What it loses, by measure.
    pub loss: BTreeMap<String, f64>,
}

/// A value before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PinnedExample {
    /// The attribute.
    pub attribute: String,
    /// A value as recorded.
    pub recorded: String,
    /// The value as it would be published.
    pub published: String,
}

/// A row before and after, in the order of the quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExampleRow {
    /// The values as recorded.
    pub before: Vec<String>,
    /// The values as they would be published.
    pub after: Vec<String>,
}
