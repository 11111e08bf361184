//! What a project is: its file, the data it names, hierarchies, suggestions and the embedded demo.

pub mod columns;
pub mod covering;
pub mod demo;
pub mod facts;
pub mod files;
pub mod init;
pub mod meaning;
pub mod origin;
pub mod project;
mod repair;
pub mod setup;
mod stated;
pub mod suggest;
pub mod survey;
pub mod thresholds;
pub mod view;

pub use init::{Draft, Guess};
pub use project::Project;
pub use repair::repair_hierarchy;
pub use setup::TableSetup;
pub use suggest::Suggestion;
pub use view::save_hierarchy;
