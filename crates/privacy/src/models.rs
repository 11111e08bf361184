//! The catalog: a new model is a new file here and a line in the list.

mod distinct_l_diversity;
mod k_anonymity;

pub use distinct_l_diversity::DistinctLDiversity;
pub use k_anonymity::{KAnonymity, KAnonymityOfUnits};

use crate::Model;

/// Every model, in the order in which they are listed to users.
pub const CATALOG: &[&Model] = &[&k_anonymity::MODEL, &distinct_l_diversity::MODEL];
