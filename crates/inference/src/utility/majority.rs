//! The baseline: the most frequent class for every record.

use super::{Cases, Classifier};

pub(super) const PREDICTOR: Classifier = Classifier {
    id: "majority",
    definition: "The most frequent class of the training records; of equally frequent ones the first.",
    predict,
};

fn predict(training: &Cases, others: &Cases) -> Result<Vec<u32>, String> {
    Ok(vec![most_frequent(&training.to_learn_from()?.by_class()); others.len()])
}

/// The class with most records; of equal ones the first.
pub(super) fn most_frequent(records: &[u64]) -> u32 {
    let best = (0..records.len()).rev().max_by_key(|&class| records[class]);
    best.unwrap_or(0) as u32
}
