//! Multinomial logistic regression on categories, by accelerated gradient descent.
//!
//! Own code, because libraries work on dense matrices: `smartcore` takes half a minute for 10,000
//! records of six attributes, where few of the columns of a record are not 0.

use super::{Case, Cases, Classifier};

/// The weight of the squared coefficients, without which those of rare categories have no limit.
const RIDGE: f64 = 1.0;
const STEPS: usize = 300;

pub(super) const PREDICTOR: Classifier = Classifier {
    id: "logistic-regression",
    definition: "Multinomial logistic regression on categories with a ridge penalty of 1, by 300 steps of accelerated gradient descent.",
    predict,
};

fn predict(training: &Cases, others: &Cases) -> Result<Vec<u32>, String> {
    let model = FittedModel::trained(training.to_learn_from()?);
    Ok(others.iter().map(|case| model.class(case)).collect())
}

struct FittedModel {
    classes: usize,
    /// Where the coefficients of each attribute begin, in rows of one coefficient for each class;
    /// the first row is the intercept.
    starts: Vec<usize>,
    weights: Vec<f64>,
}

impl FittedModel {
    fn trained(training: &Cases) -> Self {
        let mut starts = Vec::new();
        let mut rows = 1;
        for values in &training.values {
            starts.push(rows);
            rows += values;
        }
        let classes = training.classes;
        let mut model = Self { classes, starts, weights: vec![0.0; rows * classes] };
        // The loss is the mean over records, whose gradient changes by at most this factor.
        let records = training.records() as f64;
        let steepness = 0.5 * (training.values.len() + 1) as f64 + RIDGE / records;
        let mut before = model.weights.clone();
        for step in 0..STEPS {
            // Nesterov: look ahead along the last change, then follow the gradient there.
            let momentum = step as f64 / (step as f64 + 3.0);
            let now = std::mem::take(&mut model.weights);
            let ahead = now.iter().zip(&before).map(|(now, last)| now + momentum * (now - last));
            model.weights = ahead.collect();
            let gradient = model.gradient(training, records);
            let weights = model.weights.iter_mut().zip(gradient);
            weights.for_each(|(weight, slope)| *weight -= slope / steepness);
            before = now;
        }
        model
    }

    /// The rows of coefficients that a case uses.
    fn rows<'c>(&'c self, case: Case<'c>) -> impl Iterator<Item = usize> + 'c {
        let own = self.starts.iter().zip(case.values).map(|(start, &value)| start + value as usize);
        std::iter::once(0).chain(own)
    }

    fn scores(&self, case: Case<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; self.classes];
        for row in self.rows(case) {
            let weights = &self.weights[row * self.classes..][..self.classes];
            scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
        }
        scores
    }

    fn gradient(&self, training: &Cases, records: f64) -> Vec<f64> {
        let mut gradient: Vec<f64> =
            self.weights.iter().map(|weight| RIDGE * weight / records).collect();
        for case in training.iter() {
            let share = case.records as f64 / records;
            let mut errors = softmax(self.scores(case));
            errors[case.class as usize] -= 1.0;
            for row in self.rows(case) {
                let slopes = &mut gradient[row * self.classes..][..self.classes];
                slopes.iter_mut().zip(&errors).for_each(|(slope, error)| *slope += share * error);
            }
        }
        gradient
    }

    fn class(&self, case: Case<'_>) -> u32 {
        let scores = self.scores(case);
        let best = (0..self.classes).rev().max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        best.unwrap_or(0) as u32
    }
}

/// The probability of each class.
fn softmax(scores: Vec<f64>) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = scores.into_iter().map(|score| (score - most).exp()).collect();
    let all: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / all).collect()
}
