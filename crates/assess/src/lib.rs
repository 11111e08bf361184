//! What a publication tells, planned or written: its manifests, what its columns single out, what it
//! keeps of a promise, the risk of being found in it, the answers to queries, and what can still be
//! mined.

pub mod anatomy;
pub mod assess;
pub mod column_counts;
pub mod distance;
mod examined;
pub mod file_queries;
pub mod file_recoding;
pub mod manifest;
pub mod measure;
pub mod publications;
pub mod published;
pub mod queries;
pub mod questions;
mod reading;
mod resolved;
pub mod risk;
pub mod security;
pub mod utility;
pub mod verdict;
pub mod verify;

pub use anatomy::SensitiveTable;
pub use distance::PublishedDistance;
pub use file_queries::FileQueries;
pub use file_recoding::FileRecoding;
pub use manifest::{Combination, Manifest, PrivateManifest, input_hashes};
pub use publications::PublicationRecord;
pub use published::{AttainedAlone, PublishedAssociation, PublishedRecords};
pub use risk::{RiskInputs, revealed_by_update};
pub use verdict::{Assessment, Reference, Verdict};
pub use verify::Inspection;
