//! How many records the values of columns single out: each column alone, several together, whole
//! records. One scan counts all of it in bounded memory (`Profiler`).

mod crowds;
mod layout;
mod others;
mod profiler;
mod tally;

pub use crowds::Crowds;
pub use layout::{ProfileLayout, TallyLimits};
pub use others::{ColumnScan, Meanings, count_others};
pub use profiler::{CountedRecords, Profiler};
pub use tally::{ColumnTally, JointColumns};

/// Values that fewer records share single people out, where a request has no k.
pub const DEFAULT_K: u64 = 5;
