//! What a publication tells, planned or written: its manifests, what its columns single out, what it
//! keeps of a promise, the risk of being found in it, the answers to queries, and what can still be
//! mined.

mod counting;
mod file;

pub mod assess;
mod examined;
pub mod publications;
pub mod published;
pub mod queries;
pub mod questions;
pub mod risk;
pub mod security;
pub mod utility;

pub use counting::*;
pub use file::*;
pub use publications::PublicationRecord;
pub use published::{AttainedAlone, PublishedAssociation, PublishedRecords};
pub use queries::FileQueries;
pub use risk::{RiskInputs, revealed_by_update};
