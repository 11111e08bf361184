//! Work done within a database: groups counted and publications written by its own statements.
//!
//! The records of a database can be streamed as delimited text, so profiling and publishing treat
//! it like a file; counting goes to the server instead. Sessions only read, except for a table that
//! nobody sees until its promise is proved. Where an engine is larger than this machine, columns
//! are accounted for by the different records that it counts.

mod counting;
mod profile;
mod publishing;
mod scheme;

pub(crate) use counting::{grouped, grouped_into, look, values};
pub use profile::published_groups;
pub use publishing::{InDatabase, TableDraft};
pub(crate) use scheme::count;
