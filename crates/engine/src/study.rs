//! What is asked about a lattice or one of its schemes, next to a request.

pub mod cross_table;
pub mod grouping;
pub mod overview;
pub mod pinned;
pub mod pricing;
pub mod schemes;
pub mod studies;
pub mod why;
