//! The catalogs of models, measures and strategies, from which the functions of the package are made.

use haggle::Privacy;
use haggle::catalog::{MEASURES, MODELS, strategies};
use haggle::questions::Questions;
use pyo3::prelude::*;
use serde::Serialize;

use crate::problem::{Failure, bad_input};

/// A catalog as JSON: models, measures, strategies or questions.
#[pyfunction]
pub(crate) fn catalog(name: &str) -> PyResult<String> {
    match name {
        "models" => json(MODELS),
        "measures" => json(MEASURES),
        "strategies" => json(&strategies()),
        "questions" => json(&Questions::default().iter().collect::<Vec<_>>()),
        _ => Err(bad_input(
            &format!("there is no catalog '{name}'"),
            "name models, measures, strategies or questions",
        )),
    }
}

/// A privacy model that is written as on the command line, as JSON; a model's name alone leaves its
/// numbers open.
#[pyfunction]
pub(crate) fn privacy(text: &str) -> PyResult<String> {
    if !text.contains([':', '=']) {
        return json(&serde_json::json!({ "model": text.trim() }));
    }
    let privacy: Privacy = text.parse().map_err(Failure::from)?;
    json(&privacy.spelled_out())
}

/// The version of haggle.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    haggle::VERSION
}

/// An answer as JSON.
pub(crate) fn json(answer: &(impl Serialize + ?Sized)) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| crate::problem::malformed(&error))
}
