//! How well classes are predicted.

use super::Cases;

/// How often predictions are right.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// The share of records that are predicted correctly.
    pub accuracy: f64,
    /// The mean, over the classes that occur, of that share within the class.
    pub balanced_accuracy: f64,
}

impl Score {
    /// Compares predictions, one for each case, with the classes; none without records.
    pub fn compare(cases: &Cases, predicted: &[u32]) -> Option<Self> {
        let mut right = vec![0_u64; cases.classes];
        for (case, &class) in cases.iter().zip(predicted) {
            right[case.class as usize] += if case.class == class { case.records } else { 0 };
        }
        let all = cases.by_class();
        let records: u64 = all.iter().sum();
        let shares = right.iter().zip(&all).filter(|&(_, &n)| n > 0);
        let shares: Vec<f64> = shares.map(|(&right, &n)| right as f64 / n as f64).collect();
        (records > 0).then(|| Self {
            accuracy: right.iter().sum::<u64>() as f64 / records as f64,
            balanced_accuracy: shares.iter().sum::<f64>() / shares.len() as f64,
        })
    }
}
