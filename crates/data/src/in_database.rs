//! Work done within a database: groups counted and publications written by its own statements.

mod counting;
mod publishing;
mod scheme;

pub(crate) use counting::{grouped, grouped_into, look};
pub use publishing::{InDatabase, TableDraft};
pub(crate) use scheme::count;
