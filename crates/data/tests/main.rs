//! Tables read and written, in every format.

mod boxes;
mod common;
mod errors;
mod formats;
mod from_levels;
mod large_counts;
#[cfg(feature = "parquet")]
mod parquet;
mod unmatched;
