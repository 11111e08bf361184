//! What can be requested: thresholds, maximum levels, suppression, measures of loss, and which recoding
//! is meant.

mod amount;
pub mod ask;
mod choice;
mod judge;
pub mod privacy;
mod range;
mod request;
mod stricter;
pub mod threshold;

pub use amount::{Amount, percent};
pub use ask::{Ask, Defaults, Levels, RelaxHeight};
pub use choice::{Choice, PublicationForm, RecodingChoice};
pub use judge::{MeasureSpec, WorkloadFile};
pub use privacy::{Privacy, Value};
pub use range::AcceptableRange;
pub use request::Request;
pub use stricter::Weakened;
pub use threshold::Threshold;
