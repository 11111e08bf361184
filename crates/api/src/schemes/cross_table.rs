//! Records and suppressed records by the recorded values of one attribute or two.

use haggle_model::Scheme;
use serde::Serialize;

use crate::Account;

/// How many records have which recorded values, and how many of them a scheme suppresses. It tells
/// about single groups of people: it is for the curator, not for publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CrossTable {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: Scheme,
    /// What became of the records.
    pub account: Account,
    /// The attributes: one, or two of which the second changes fastest.
    pub axes: Vec<TableAxis>,
    /// The records of each combination of recorded values.
    pub records: Vec<u64>,
    /// Those of them that are suppressed.
    pub suppressed: Vec<u64>,
}

/// An attribute of a cross-table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableAxis {
    /// The attribute.
    pub attribute: String,
    /// The values that occur, in the order of the hierarchy.
    pub recorded: Vec<String>,
    /// What is published instead, in the same order.
    pub published: Vec<PublishedRun>,
}

/// A published value, which stands for neighbouring recorded values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublishedRun {
    /// The value as it would be published.
    pub value: String,
    /// How many recorded values it stands for.
    pub recorded: usize,
}
