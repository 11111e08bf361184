//! The cube and its lattices against plain counting.

mod brute_force;
mod change;
mod common;
mod estimate;
mod large_counts;
mod limits;
mod partial;
mod store;
mod wide;
