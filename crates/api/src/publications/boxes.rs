//! What was published in boxes found from statistics.

use serde::Serialize;

/// What M-INSTANT did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoxesReport {
    /// The summary that predicted.
    pub summary: String,
    /// The boxes in the end.
    pub boxes: usize,
    /// The boxes that were predicted to pass.
    pub predicted: usize,
    /// The probability that all of them do.
    pub probability: f64,
    /// How many times one was computed.
    pub predictions: u64,
    /// Merges of boxes that failed.
    pub merged: u64,
    /// Splits of boxes that were large.
    pub split: u64,
    /// The scans that counting took, as the data counted them; none if it is not at hand.
    pub scans: Option<u64>,
    /// The records suppressed.
    pub suppressed: u64,
    /// What is lost, by LM.
    pub lm: f64,
}
