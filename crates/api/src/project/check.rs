//! What a check of a project and its data found.

use haggle_model::Role;
use serde::Serialize;

/// What a project and its data are, found sound.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The records of the table.
    pub records: u64,
    /// The records left out because a value was missing.
    pub dropped: u64,
    /// How many files the table is made of.
    pub files: usize,
    /// How fields are separated, as detected or stated; nothing separates those of Parquet.
    pub separator: Option<char>,
    /// Whether the first record names the columns.
    pub header: bool,
    /// The attributes that count.
    pub attributes: Vec<AttributeReport>,
    /// What the curator should look at.
    pub notes: Vec<String>,
}

/// What was found of an attribute.
#[derive(Debug, Clone, Serialize)]
pub struct AttributeReport {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// How many different values occur.
    pub values: usize,
    /// How many levels its hierarchy has above the recorded values; 0 without one.
    pub levels: u8,
    /// Where the hierarchy comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
}
