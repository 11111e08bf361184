//! A published file: its manifests, how it is read, what it keeps of a promise, and the recoding of the
//! table that it is.

pub mod distance;
pub mod manifest;
pub(crate) mod reading;
mod recoding;
mod resolved;
pub mod verdict;
pub mod verify;

pub use distance::PublishedDistance;
pub use manifest::{Combination, Manifest, PrivateManifest, input_hashes};
pub use recoding::FileRecoding;
pub use verdict::{Assessment, Reference, Verdict};
pub use verify::Inspection;
