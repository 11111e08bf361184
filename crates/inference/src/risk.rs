//! How far records can be picked out: by group sizes, in a population, and by sets of columns.

mod contribution;
mod known;
mod reidentification;
mod rows;
mod sampled;
mod singling;
mod sizes;
mod uniqueness;

pub use contribution::{Contribution, contributions};
pub use known::{KnownAttributes, knowing_at_most};
pub use reidentification::{AttackerRisk, journalist, journalist_in_sample, marketer, prosecutor};
pub use rows::CodedRows;
pub use sampled::expected_risk;
pub use singling::{ColumnScore, KeySet, SinglingOut, singling_out};
pub use sizes::Sizes;
pub use uniqueness::{ESTIMATORS, PopulationSample, UniquenessEstimator, dankar_choice};
