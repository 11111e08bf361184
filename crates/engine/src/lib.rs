//! How a request is answered: a table's annotated lattice, and every question that it answers.

pub mod boxes;
pub mod compare;
pub mod criterion;
pub mod engine;
pub mod estimate;
pub mod estimators;
pub mod freshness;
pub mod instant;
pub mod judging;
pub mod lattice_file;
pub mod on_demand;
pub mod overview;
pub mod pareto;
pub mod partial;
pub mod pinned;
pub mod recoded;
pub mod resolve;
pub mod results;
pub mod security;
pub mod strategies;
pub mod tables;
pub mod thresholds;
pub mod update;
pub mod why;
pub mod wording;
pub mod words;

pub use compare::CompareOptions;
pub use engine::{Engine, EngineBuilder, Options};
pub use instant::{Instant, InstantOptions};
pub use on_demand::Way;
pub use pareto::FrontAxes;
pub use strategies::{StrategyEntry, strategies};
pub use update::ChangeFiles;
