//! Tables that others made: whether they keep a promise, and what they promise.

use std::path::PathBuf;

use haggle::frames::Input;
use haggle::inference::{RiskAsk, RiskInputs};
use haggle::publishing::Inspection;
use haggle::queries::{FileQueries, QueryAsk};
use haggle::{Ask, Error};
use pyo3::prelude::*;

use crate::catalogs::json;
use crate::engine::Engine;
use crate::frame::Frame;
use crate::problem::malformed;
use crate::project::Project;
use crate::questions::split;
use crate::work;

/// Bytes for counting.
const MEMORY: usize = 4 << 30;

/// A table and what its columns mean.
struct Looked<'a> {
    file: Option<PathBuf>,
    frame: Option<&'a Frame>,
    project: Option<&'a Project>,
    qi: Option<Vec<String>>,
    sensitive: Option<Vec<String>>,
}

impl Looked<'_> {
    fn open(self) -> Result<Inspection, Error> {
        let Self { file, frame, project, qi, sensitive } = self;
        let project = project.map(|project| &project.project);
        match (file, frame) {
            (_, Some(frame)) => {
                let input = Input::frame(frame.records.clone());
                Inspection::over(input, project, qi, sensitive, MEMORY)
            }
            (Some(file), None) => Inspection::open(&file, project, qi, sensitive, MEMORY),
            (None, None) => {
                Err(Error::new("there is nothing to look at", "give a file or a frame"))
            }
        }
    }
}

/// Whether a file or a frame keeps a promise, as JSON; and whether it does.
#[pyfunction]
#[pyo3(signature = (request, file = None, frame = None, project = None, qi = None, sensitive = None))]
pub(crate) fn verify(
    py: Python<'_>,
    request: &str,
    file: Option<PathBuf>,
    frame: Option<&Frame>,
    project: Option<&Project>,
    qi: Option<Vec<String>>,
    sensitive: Option<Vec<String>>,
) -> PyResult<(bool, String)> {
    let ask: Ask = serde_json::from_str(request).map_err(|error| malformed(&error))?;
    let looked = Looked { file, frame, project, qi, sensitive };
    let verdict = work::with_progress(py, None, |_| {
        let inspection = looked.open()?;
        inspection.verify(&inspection.with_other_thresholds(&ask).privacy)
    })?;
    Ok((verdict.is_yes(), json(&verdict)?))
}

/// Every statistic of a file or a frame, as JSON.
#[pyfunction]
#[pyo3(signature = (file = None, frame = None, project = None, qi = None, sensitive = None))]
pub(crate) fn assess(
    py: Python<'_>,
    file: Option<PathBuf>,
    frame: Option<&Frame>,
    project: Option<&Project>,
    qi: Option<Vec<String>>,
    sensitive: Option<Vec<String>>,
) -> PyResult<String> {
    let looked = Looked { file, frame, project, qi, sensitive };
    json(&work::with_progress(py, None, |_| looked.open()?.assess())?)
}

/// What a file or a frame tells an attacker, as JSON.
#[pyfunction]
#[pyo3(signature = (body, file = None, frame = None, project = None, qi = None, sensitive = None))]
pub(crate) fn risk(
    py: Python<'_>,
    body: &str,
    file: Option<PathBuf>,
    frame: Option<&Frame>,
    project: Option<&Project>,
    qi: Option<Vec<String>>,
    sensitive: Option<Vec<String>>,
) -> PyResult<String> {
    let looked = Looked { file, frame, project, qi, sensitive };
    let report = work::with_progress(py, None, |progress| {
        let (request, ask) = split::<RiskAsk>(body)?;
        let population = ask.population.clone();
        let inputs = RiskInputs { population, files: true, memory: MEMORY, progress };
        looked.open()?.risk(&request, &ask, &inputs)
    })?;
    json(&report)
}

/// The answer that a published file gives to a query, as JSON.
#[pyfunction]
#[pyo3(signature = (file, body, engine = None, qi = None))]
pub(crate) fn query_file(
    py: Python<'_>,
    file: PathBuf,
    body: &str,
    engine: Option<&Engine>,
    qi: Option<Vec<String>>,
) -> PyResult<String> {
    let ask: QueryAsk = serde_json::from_str(body).map_err(|error| malformed(&error))?;
    let engine = engine.map(|engine| &*engine.engine);
    let answer = work::with_progress(py, None, |progress| {
        FileQueries::open(&file, engine, qi, MEMORY)?.answer(&ask, progress)
    })?;
    json(&answer)
}
