//! The privacy models that can be negotiated: a catalog, one file per model.
//!
//! ```
//! let k = haggle_privacy::find("k-anonymity").unwrap();
//! assert!(k.threshold().check(10.0).is_ok());
//! assert!(k.threshold().check(1.0).is_err(), "k = 1 does not protect");
//! ```

mod catalog;
mod cover;
mod double;
mod exact;
mod memo;
mod models;
mod sensitive;
mod transport;

pub use catalog::{Arguments, Model, Parameter, ParameterOption, Setting};
pub use haggle_model::Error;
pub use models::*;
pub use sensitive::{
    ClassFunction, Conditional, DistanceKind, DontCare, Facts, Ground, NeverRuleOut, Possible,
    PossibleValues, Stated, StatedConditional, Target, Transform, security, security_of_values,
};
pub use transport::transported;

/// The model with this id.
pub fn find(id: &str) -> Option<&'static Model> {
    CATALOG.iter().copied().find(|model| model.id == id)
}
