//! How a request is answered.

pub mod answering;
pub mod ranges;
pub mod resolve;
pub mod thresholds;
pub mod wording;
