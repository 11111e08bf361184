//! Work done within a database: groups counted and publications written by its own statements.

mod counting;
mod profile;
mod publishing;
mod scheme;

pub(crate) use counting::{grouped, grouped_into, look, values};
pub use profile::published_groups;
pub use publishing::{InDatabase, TableDraft};
pub(crate) use scheme::count;
