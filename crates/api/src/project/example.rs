//! A value before and after generalization.

use serde::Serialize;

/// How one attribute appears under a scheme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The attribute.
    pub attribute: String,
    /// Its level.
    pub level: u8,
    /// Its most general level.
    pub top: u8,
    /// A value as recorded: a frequent one that looks different at the level, if there is one.
    pub recorded: String,
    /// What is published of the value at the level.
    pub generalized: String,
    /// How many different values there are at the level.
    pub values: usize,
}
