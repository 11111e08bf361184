//! How a request is answered: a table's annotated lattice, and every question that it answers.
//!
//! A module uses only modules above its own in this list.

pub mod options;
pub mod resident;

pub mod criteria;
pub mod lattice;
pub mod recoding;

pub mod engine;

pub mod answer;
pub mod instant;
pub mod search;
pub mod study;
pub mod update;

pub mod questions;

pub mod catalog;

#[cfg(feature = "research")]
pub mod research;

pub use catalog::{Answered, AnyAsked, Asking, QuestionEntry};
pub use criteria::{criterion, failing};
pub use engine::{Engine, EngineBuilder, EngineSource};
pub use instant::{Instant, InstantOptions};
pub use options::{Options, QuestionCount, Way};
pub use recoding::recoded;
#[cfg(feature = "research")]
pub use research::{GroundRule, PokaOptions};
pub use search::compare::CompareOptions;
pub use search::pareto::FrontAxes;
pub use search::strategies::{LossUse, StrategyEntry, strategies};
pub use update::ChangeFiles;
