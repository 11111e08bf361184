//! What an attacker believes about one person after seeing a publication.
//!
//! S.-Y. Hsu, "Database Anonymization and Protections of Sensitive Attributes", 2008, sections 3.1
//! and 3.2. For a target with quasi-identifiers q₀ in a group q₀*, theorem 3.1.3 gives
//! β(q₀, s) ∝ n(q₀*, s)·f(s|q₀)/f(s|q₀*), where n is counted in the publication, after suppression,
//! and f is the [`Prior`]. What the attacker knows of the target alone is a factor α(s).

mod exposure;
mod locate;
mod posterior;
mod prior;

pub use exposure::{BeliefLimits, Exposure, GroupExposure, exposure};
pub use locate::Locator;
pub use posterior::{Attacker, TargetBelief};
pub use prior::{JointPrior, MarginalPrior, Prior};
