//! A publication before it is written.

use serde::Serialize;

use crate::{ColumnPlan, ValueRecords, Weakened};

/// What a publication would look like.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preview {
    /// The columns that would be published.
    pub columns: Vec<String>,
    /// The first records.
    pub rows: Vec<PreviewRow>,
    /// What becomes of each quasi-identifier.
    pub attributes: Vec<PreviewAttribute>,
    /// What becomes of every column of the table.
    pub plan: ColumnPlan,
    /// The records that would be suppressed.
    pub suppressed: u64,
    /// The records that would be published with `*` in every quasi-identifier.
    pub starred: u64,
    /// The records counted.
    pub records: u64,
    /// Thresholds of the project that would not be kept.
    pub weaker: Vec<Weakened>,
}

/// A record before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PreviewRow {
    /// As recorded.
    pub before: Vec<String>,
    /// As published; none if it is left out.
    pub after: Option<Vec<String>>,
}

/// A quasi-identifier before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PreviewAttribute {
    /// Its name.
    pub name: String,
    /// How many records have which value as recorded.
    pub before: Vec<ValueRecords>,
    /// How many published records have which value.
    pub after: Vec<ValueRecords>,
    /// What is lost in this attribute alone, from 0 to 1.
    pub loss: f64,
}
