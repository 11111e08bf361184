//! The privacy models that can be negotiated: a catalog, one file a model.
//!
//! ```
//! let k = haggle_privacy::find("k-anonymity").unwrap();
//! assert!(k.threshold().check(10.0).is_ok());
//! assert!(k.threshold().check(1.0).is_err(), "k = 1 protects nobody");
//! ```

mod catalog;
mod models;

pub use catalog::{Error, Model, Parameter, Target};
pub use models::{CATALOG, DistinctLDiversity, KAnonymity, KAnonymityOfUnits};

/// The model with this id.
pub fn find(id: &str) -> Option<&'static Model> {
    CATALOG.iter().copied().find(|model| model.id == id)
}
