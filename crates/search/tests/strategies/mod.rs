//! The algorithms of the literature against brute force on records, and the privacy of every
//! result.

mod cells;
mod clique;
mod cuts;
mod levels;
mod promises;
mod sides;
