//! What a scheme destroys: a catalog of loss measures, one file a measure.
//!
//! A measure weighs each group by numbers that add up (its payload), so that its value at any
//! threshold is one look at sums that are already there.
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
