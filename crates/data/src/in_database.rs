//! Work done within a database: groups counted and publications written by its own statements.

mod counting;
mod publishing;
mod scheme;

pub(crate) use counting::{grouped, grouped_into, look};
pub use publishing::{Draft, InDatabase};
pub(crate) use scheme::count;
