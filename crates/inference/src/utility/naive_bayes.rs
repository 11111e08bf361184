//! Naive Bayes on categories, from the counts of the training records.
//!
//! The score of class c for values v is ln((n(c) + 1) / (n + C)) plus, for each attribute a,
//! ln((n(a, v, c) + 1) / (n(c) + V)), with V the number of values of a; the greatest wins, of equal
//! ones the first.

use super::{Cases, Classifier};

pub(super) const PREDICTOR: Classifier = Classifier {
    id: "naive-bayes",
    definition: "Naive Bayes on categories, with one record added to the count of each.",
    predict,
};

fn predict(training: &Cases, others: &Cases) -> Result<Vec<u32>, String> {
    let model = NaiveBayes::of(training.to_learn_from()?);
    Ok(others.iter().map(|case| model.class(case.values)).collect())
}

struct NaiveBayes {
    /// By class.
    prior: Vec<f64>,
    /// By attribute, value and class.
    given: Vec<Vec<f64>>,
}

impl NaiveBayes {
    fn of(training: &Cases) -> Self {
        let (classes, by_class) = (training.classes, training.by_class());
        let all = training.records() as f64 + classes as f64;
        let prior = by_class.iter().map(|&n| ((n as f64 + 1.0) / all).ln()).collect();
        let given = training.values.iter().enumerate().map(|(attribute, &values)| {
            let mut counts = vec![0_u64; values * classes];
            for case in training.iter() {
                let value = case.values[attribute] as usize;
                counts[value * classes + case.class as usize] += case.records;
            }
            let share = |(place, &n): (usize, &u64)| {
                let of_class = by_class[place % classes] as f64 + values as f64;
                ((n as f64 + 1.0) / of_class).ln()
            };
            counts.iter().enumerate().map(share).collect()
        });
        Self { prior, given: given.collect() }
    }

    fn class(&self, values: &[u32]) -> u32 {
        let classes = self.prior.len();
        let score = |class: usize| {
            let given = self.given.iter().zip(values);
            let sum: f64 = given.map(|(of, &value)| of[value as usize * classes + class]).sum();
            self.prior[class] + sum
        };
        let scores: Vec<f64> = (0..classes).map(score).collect();
        let best = (0..classes).rev().max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        best.unwrap_or(0) as u32
    }
}
