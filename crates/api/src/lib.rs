//! What can be asked and answered: requests, answers and reports as data.
//!
//! Nothing here reads data or searches. The command line, HTTP and other bindings share these types, so
//! the same request gives the same JSON everywhere.

mod requests;

mod answers;
mod project;
mod publications;
mod schemes;
pub mod setup;

mod question;
pub mod questions;
pub mod rows;
#[cfg(feature = "openapi")]
pub mod schema;

pub use answers::*;
pub use project::*;
pub use publications::*;
pub use question::{Asked, BodyFields, Described, Document, Question, Reveals, fields_of, seconds};
pub use questions::*;
pub use requests::*;
pub use schemes::*;

/// This version of haggle.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
