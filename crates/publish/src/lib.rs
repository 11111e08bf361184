//! How data leaves the house: column accounting, writing, proof, manifests, verification.

pub mod accounting;
pub mod check;
pub mod distance;
pub mod manifest;
pub mod measure;
pub mod policy;
pub mod publications;
pub mod publish;
pub mod reading;
pub mod verdict;
pub mod verification;
pub mod verify;

pub use check::{check, check_within};
pub use distance::PublishedDistance;
pub use manifest::{Combination, Manifest, PrivateManifest};
pub use policy::check_policy;
pub use publications::PublicationRecord;
pub use publish::builder::Publication;
pub use publish::{
    Choice, Order, PublishOptions, Replace, preview, preview_of, publish, publish_table,
};
pub use verdict::{Assessment, Reference, Verdict};
pub use verification::{Verification, verify};
pub use verify::Inspection;
