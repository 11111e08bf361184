//! The columns of a table.

use haggle_model::Role;
use serde::Serialize;

/// The columns of a project's data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Columns {
    /// The records, before any is left out for a missing value.
    pub records: u64,
    /// The columns, in the order of the table.
    pub attributes: Vec<ColumnView>,
}

/// A column and its values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnView {
    /// Its name.
    pub name: String,
    /// Its role.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// How many different values it has; an estimate beyond some thousands.
    pub distinct: u64,
    /// How many records have none.
    pub missing: u64,
    /// How many records have which value, the most frequent values separately, in the values' order;
    /// of identifiers none is reported.
    pub distribution: Vec<ValueRecords>,
    /// Whether it has a hierarchy to look at.
    pub hierarchy: bool,
}

/// A value and how many records have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValueRecords {
    /// The value; none for all other values together.
    pub value: Option<String>,
    /// Its records.
    pub records: u64,
}
