//! How data leaves the house: column accounting, writing, proof, manifests, verification.

pub mod accounting;
pub mod anatomy;
pub mod assess;
pub mod check;
pub mod distance;
pub mod file_queries;
pub mod file_recoding;
pub mod manifest;
pub mod measure;
pub mod policy;
pub mod publications;
pub mod publish;
pub mod published;
pub mod reading;
pub mod risk;
pub mod verdict;
pub mod verification;
pub mod verify;
pub mod whole;

pub use anatomy::SensitiveTable;
pub use check::{check, check_within};
pub use distance::PublishedDistance;
pub use file_queries::FileQueries;
pub use file_recoding::FileRecoding;
pub use manifest::{Combination, Manifest, PrivateManifest, input_hashes};
pub use policy::check_policy;
pub use publications::PublicationRecord;
pub use publish::builder::Publication;
pub use publish::{
    Choice, PublishOptions, PublishTarget, RecordOrder, Replace, SqlForm, SqlScript, preview_of,
    publish,
};
pub use published::{AttainedAlone, PublishedAssociation, PublishedRecords};
pub use risk::{RiskInputs, revealed_by_update};
pub use verdict::{Assessment, Reference, Verdict};
pub use verification::{Verification, verify};
pub use verify::Inspection;
pub use whole::{risk, whole_of};
