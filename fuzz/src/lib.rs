//! Fuzz targets: input from outside is read or refused, and what was read keeps its promises.
//!
//! A target is a function over bytes that panics if a property fails. The same targets run as
//! ordinary tests over seeds and damaged copies of them (`cargo test -p haggle-fuzz`), and under
//! libFuzzer, guided by coverage (`make fuzz`).

mod fixture;
mod properties;
mod run;
mod seeds;
mod targets;

pub use properties::Verdict;
pub use run::{Failed, run};
pub use seeds::seeds;
pub use targets::{TARGETS, Target, find};
