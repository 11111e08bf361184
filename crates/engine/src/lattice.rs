//! The annotated lattice: how it is built, stored, read again and kept fresh.

pub mod cheaper;
pub mod estimate;
pub mod freshness;
pub mod lattice_file;
pub mod lattices;
pub mod on_demand;
pub mod partial;
pub mod store;
pub mod tables;
