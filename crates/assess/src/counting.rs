//! What is counted of a table or of a published file: its groups, and what its columns single out.

pub mod anatomy;
pub mod column_counts;
pub mod measure;

pub use anatomy::SensitiveTable;
