//! How data leaves the house: column accounting, writing, proof, repeating under a policy.

mod accounting;
pub mod check;
pub mod policy;
pub mod publish;
pub mod questions;
pub mod verification;
pub mod whole;

// What was published is looked at by the crate below.
use haggle_assess::{anatomy, distance, manifest, measure, publications, verify};

pub use check::{check, check_within};
pub use policy::check_policy;
pub use publish::builder::Publication;
pub use publish::{
    PublishOptions, PublishTarget, RecordOrder, Replace, SqlForm, SqlScript, preview_of, publish,
};
pub use verification::{Verification, verify};
pub use whole::{risk, whole_of};
