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
mod catalog;
mod measures;

pub use basis::Basis;
pub use catalog::Measure;
pub use haggle_model::Error;
pub use measures::CATALOG;

/// The measure with this id.
pub fn find(id: &str) -> Option<&'static Measure> {
    CATALOG.iter().copied().find(|measure| measure.id == id)
}
