//! What an analyst can still do with a publication: summaries, associations, models, rules.

mod cases;
mod classes;
mod decision_tree;
mod hold_out;
mod logistic_regression;
mod majority;
mod naive_bayes;
mod rules;
mod score;
mod summary;

pub use cases::{Case, Cases};
pub use classes::Classes;
pub use hold_out::HoldOut;
pub use rules::{AssociationRule, RuleLimits, RuleSet};
pub use score::Score;
pub use summary::{Association, association, entropy};

/// A way to predict the class of a record.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Classifier {
    /// The name in JSON.
    pub id: &'static str,
    /// How it is trained.
    pub definition: &'static str,
    /// Learns from training records, and predicts the class of each of the other cases.
    pub predict: fn(&Cases, &Cases) -> Result<Vec<u32>, String>,
}

/// All predictors, the simplest first.
pub const CATALOG: &[&Classifier] = &[
    &majority::PREDICTOR,
    &naive_bayes::PREDICTOR,
    &logistic_regression::PREDICTOR,
    &decision_tree::PREDICTOR,
];

/// How records become numbers, in a sentence for reports.
pub const ENCODING: &str = "Each published value of a quasi-identifier is a category. Naive Bayes \
     counts categories (with one record added to each). Logistic regression has one coefficient for \
     each category and class. The decision tree sees the position of the \
     category in its hierarchy. A held-out record keeps its recorded class, and each of its \
     quasi-identifiers is replaced by the published value that contains it. Suppressed training \
     records are left out; held-out records are never suppressed.";
