//! Counting records: the plan, each thread's tally, and their combined result.

mod faults;
mod marginals;
mod plan;
mod scanned;
mod tally;
mod worker;

pub use marginals::{Look, Marginals};
pub use plan::Plan;
pub use scanned::Scanned;
pub(crate) use scanned::{finish, gather, some_left, watched_code};
pub use tally::RecordCount;
pub(crate) use tally::Tally;
pub(crate) use worker::CountWorker;
