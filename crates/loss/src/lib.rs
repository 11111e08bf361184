//! Loss measures: a catalog, one file per measure.
//!
//! A measure weighs each group by numbers that add up (its payload), so that its value at any
//! threshold is computed from existing sums.
//!
//! ```
//! let lm = haggle_loss::find("lm").unwrap();
//! assert!(lm.monotone);
//! ```

mod basis;
mod blocks;
mod catalog;
mod measures;
mod workload;

pub use basis::Basis;
pub use catalog::{ExpectedFrom, Measure, MeasureOption};
pub use haggle_model::Error;
pub use measures::{CATALOG, FROM_GENERAL_VALUES};
pub use workload::{CountingRule, Workload};

/// The ids of the measures that can be expected from a summary: of all that follow from any
/// summary, and of those that need counted values if `counted`.
///
/// ```
/// assert!(haggle_loss::expected_from(false).contains(&"discernibility"));
/// assert!(!haggle_loss::expected_from(false).contains(&"entropy"));
/// ```
pub fn expected_from(counted: bool) -> Vec<&'static str> {
    let follows = |measure: &&&Measure| match measure.expected_from {
        ExpectedFrom::Nothing => false,
        ExpectedFrom::AnySummary => true,
        ExpectedFrom::CountedValues => counted,
    };
    CATALOG.iter().filter(follows).map(|measure| measure.id).collect()
}

/// The measure with this id.
pub fn find(id: &str) -> Option<&'static Measure> {
    CATALOG.iter().copied().find(|measure| measure.id == id)
}
