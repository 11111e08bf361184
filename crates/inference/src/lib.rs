//! What a publication tells: an analyst who queries it, and an attacker who knows a person in it.
//!
//! A publication is seen as [`PublishedGroups`]: the same for a scheme or any other recoding before it
//! is published and for a published file.

pub mod attacks;
pub mod belief;
pub mod groups;
pub mod query;
pub mod risk;
pub mod shadows;
pub mod utility;
pub mod workload;

pub use groups::{JointCounts, PublishedGroup, PublishedGroups, Suppression};
pub use haggle_model::Error;
pub use query::{Domain, Knowledge, Query, QueryOutcome, QueryTally, Reader};
