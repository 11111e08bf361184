//! A decision tree of the library `smartcore`.
//!
//! The library weighs all rows alike, so records that are alike are repeated; of very many training
//! records an even selection is used.

use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters,
};

use super::{Case, Cases, Classifier};

/// At most this many training records are used.
const MOST_RECORDS: u64 = 20_000;
/// Of this many cases classes are predicted at once, because their numbers take memory.
const AT_ONCE: usize = 10_000;
const DEPTH: u16 = 10;
const LEAST_IN_LEAF: usize = 20;

pub(super) const PREDICTOR: Classifier = Classifier {
    id: "decision-tree",
    definition: "A decision tree by the Gini index, at most 10 deep and with at least 20 records in each leaf, on at most 20,000 training records.",
    predict,
};

type Matrix = DenseMatrix<f64>;

fn predict(training: &Cases, others: &Cases) -> Result<Vec<u32>, String> {
    if let Some(only) = only_class(training.to_learn_from()?) {
        return Ok(vec![only; others.len()]);
    }
    let parameters = DecisionTreeClassifierParameters {
        max_depth: Some(DEPTH),
        min_samples_leaf: LEAST_IN_LEAF,
        seed: Some(0),
        ..DecisionTreeClassifierParameters::default()
    };
    let (rows, classes) = expanded(training)?;
    let tree = DecisionTreeClassifier::fit(&rows, &classes, parameters);
    let tree = tree.map_err(|error| error.to_string())?;
    let others: Vec<Case<'_>> = others.iter().collect();
    let mut predicted = Vec::with_capacity(others.len());
    for some in others.chunks(AT_ONCE) {
        let classes = tree.predict(&matrix(some)?).map_err(|error| error.to_string())?;
        predicted.extend(classes);
    }
    Ok(predicted)
}

/// The class of all training records if they have only one: the library refuses that.
fn only_class(training: &Cases) -> Option<u32> {
    let first = training.iter().next()?.class;
    training.iter().all(|case| case.class == first).then_some(first)
}

/// The training records as rows; of more than can be used, an even selection.
fn expanded(training: &Cases) -> Result<(Matrix, Vec<u32>), String> {
    let all = training.records();
    let used = u128::from(all.min(MOST_RECORDS));
    let place = |records: u64| (u128::from(records) * used / u128::from(all)) as u64;
    let (mut rows, mut before) = (Vec::new(), 0_u64);
    for case in training.iter() {
        let times = place(before + case.records) - place(before);
        before += case.records;
        rows.extend((0..times).map(|_| case));
    }
    let classes = rows.iter().map(|case| case.class).collect();
    Ok((matrix(&rows)?, classes))
}

/// Cases as numbers: the position of each value in its hierarchy.
fn matrix(cases: &[Case<'_>]) -> Result<Matrix, String> {
    let row = |case: &Case<'_>| case.values.iter().map(|&value| f64::from(value)).collect();
    let rows: Vec<Vec<f64>> = cases.iter().map(row).collect();
    DenseMatrix::from_2d_vec(&rows).map_err(|error| error.to_string())
}
