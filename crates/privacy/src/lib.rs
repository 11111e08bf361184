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

pub use catalog::{Arguments, Choice, Model, Parameter, Setting};
pub use haggle_model::Error;
pub use models::*;
pub use sensitive::{
    ClassFunction, Distance, Facts, Ground, Stated, Target, security, security_of_values,
};

/// The model with this id.
pub fn find(id: &str) -> Option<&'static Model> {
    CATALOG.iter().copied().find(|model| model.id == id)
}
