//! A project: a file, the embedded data, or a frame with what its columns are.

use std::path::{Path, PathBuf};

use haggle::frames::Input;
use haggle::reports::By;
use haggle::search::{ChangeFiles, Instant, InstantAsk, InstantOptions};
use haggle::setup::{Draft, check_within, repair_hierarchy};
use haggle::{Options, Role};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::catalogs::json;
use crate::frame::Frame;
use crate::problem::malformed;
use crate::{questions, work};

/// Bytes for the values that occur, unless stated.
const MEMORY: usize = 4 << 30;

/// A project as it is stated; nothing of the data was counted yet.
#[pyclass(frozen, module = "haggle._haggle")]
pub(crate) struct Project {
    pub(crate) project: haggle::Project,
}

#[pymethods]
impl Project {
    /// Opens a `haggle.toml`, its folder, or `demo:adult`.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let project = work::quickly(py, || haggle::Project::open(&path))?;
        Ok(Self { project })
    }

    /// The project of this text over a frame, with this folder for what it writes.
    #[staticmethod]
    fn of(py: Python<'_>, text: &str, folder: PathBuf, frame: &Frame) -> PyResult<Self> {
        let input = Input::frame(frame.records.clone());
        let read = || Ok(haggle::Project::from_text(text, &folder)?.over(input));
        Ok(Self { project: work::quickly(py, read)? })
    }

    /// The project of this text over the files that it names, in this folder.
    #[staticmethod]
    fn of_files(py: Python<'_>, text: &str, folder: PathBuf) -> PyResult<Self> {
        let project = work::quickly(py, || haggle::Project::from_text(text, &folder))?;
        Ok(Self { project })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> String {
        self.project.name()
    }

    /// Where it is.
    #[getter]
    fn location(&self) -> String {
        self.project.location()
    }

    /// The quasi-identifiers that are counted unless others are asked for.
    #[getter]
    fn quasi_identifiers(&self) -> Vec<String> {
        self.project.default_qi()
    }

    /// The attributes of a role: identifier, quasi-identifier, sensitive or insensitive.
    fn named(&self, role: &str) -> PyResult<Vec<String>> {
        let role: Role = serde_json::from_value(Value::from(role)).map_err(|e| malformed(&e))?;
        Ok(self.project.named(role))
    }

    /// Reads everything and reports it, or every problem at once, as JSON.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let report = work::with_progress(py, None, |progress| {
            check_within(&self.project, MEMORY, progress)
        })?;
        json(&report)
    }

    /// The hierarchy of an attribute over the data, as JSON.
    fn hierarchy(&self, py: Python<'_>, attribute: &str) -> PyResult<String> {
        let view =
            work::with_progress(py, None, |progress| self.project.hierarchy(attribute, progress))?;
        json(&view)
    }

    /// The hierarchy with values merged where they are more uncertain than the value above, as JSON.
    fn repair_hierarchy(&self, py: Python<'_>, attribute: &str) -> PyResult<String> {
        let repaired = work::with_progress(py, None, |progress| {
            Ok(repair_hierarchy(&self.project.hierarchy(attribute, progress)?))
        })?;
        let view = serde_json::json!({
            "merged": repaired.merged, "levels": repaired.hierarchy.levels,
            "rows": repaired.hierarchy.rows,
        });
        json(&view)
    }

    /// A hierarchy that suits an attribute's values, as JSON.
    fn suggest_hierarchy(&self, py: Python<'_>, attribute: &str) -> PyResult<String> {
        let suggestion =
            work::with_progress(py, None, |progress| self.project.suggest(attribute, progress))?;
        json(&suggestion)
    }

    /// How long building the lattice would take, as JSON.
    #[pyo3(signature = (qi = None))]
    fn estimate(&self, py: Python<'_>, qi: Option<Vec<String>>) -> PyResult<String> {
        let estimate = work::with_progress(py, None, |progress| {
            haggle::Engine::estimate(&self.project, &Options { qi, progress, ..Options::default() })
        })?;
        json(&estimate)
    }

    /// An anonymization from a summary, with one scan or few; both as JSON.
    #[pyo3(signature = (body, progress = None))]
    fn instant(&self, py: Python<'_>, body: &str, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let body: Map<String, Value> = serde_json::from_str(body).map_err(|e| malformed(&e))?;
        let answer = work::with_progress(py, progress.as_ref(), |progress| {
            let fields =
                ["qi", "summary", "sample", "seed", "probability", "expected", "max_scans"];
            let (ask, wanted) = questions::split::<WantedInstant>(body, &fields)?;
            let WantedInstant { qi, summary, sample, seed, .. } = &wanted;
            let defaults = InstantOptions::default();
            let options = InstantOptions {
                qi: qi.clone(),
                summary: summary.clone().unwrap_or_else(|| defaults.summary.clone()),
                sample: sample.unwrap_or(defaults.sample),
                seed: seed.unwrap_or(defaults.seed),
                memory: MEMORY,
                progress,
                ..defaults
            };
            let by = match (wanted.probability, wanted.expected) {
                (Some(probability), _) => By::Probability(probability),
                (None, Some(expected)) => By::Expectation(Some(expected)),
                (None, None) => By::Limit,
            };
            let max_scans = wanted.max_scans.unwrap_or(usize::MAX);
            let ask = InstantAsk { ask, by, max_scans, ..InstantAsk::default() };
            Instant::open(&self.project, &ask, &options)?.find(&ask)
        })?;
        json(&answer)
    }

    /// Adds the records of files to the stored lattice and deletes others; the account as JSON.
    fn update(&self, py: Python<'_>, add: Vec<PathBuf>, delete: Vec<PathBuf>) -> PyResult<String> {
        let updated = work::with_progress(py, None, |progress| {
            let options = Options { progress, ..Options::default() };
            let files = ChangeFiles { add, delete };
            let (engine, mut updated) = haggle::Engine::updated(&self.project, &files, &options)?;
            let before = haggle::Engine::open(&self.project, &options)?;
            updated.revealed =
                haggle::publishing::revealed_by_update(&self.project, &before, &engine)?;
            if let Some(path) = self.project.lattice_path() {
                engine.save(&path)?;
            }
            Ok(updated)
        })?;
        json(&updated)
    }
}

#[derive(Deserialize)]
struct WantedInstant {
    qi: Option<Vec<String>>,
    summary: Option<String>,
    sample: Option<usize>,
    seed: Option<u64>,
    probability: Option<f64>,
    expected: Option<f64>,
    max_scans: Option<usize>,
}

/// Guesses roles and hierarchies for a frame or a file: the draft as JSON, and its project file.
#[pyfunction]
#[pyo3(signature = (frame = None, paths = None))]
pub(crate) fn suggest(
    py: Python<'_>,
    frame: Option<&Frame>,
    paths: Option<Vec<PathBuf>>,
) -> PyResult<(String, String)> {
    let input = frame.map(|frame| Input::frame(frame.records.clone()));
    let draft = work::with_progress(py, None, |progress| match (&input, &paths) {
        (Some(input), _) => Draft::over(input, Path::new(""), MEMORY, progress),
        (None, paths) => {
            let paths = paths.as_deref().unwrap_or_default();
            Draft::within(MEMORY, paths, None, true, progress)
        }
    })?;
    Ok((json(&draft)?, draft.text().to_owned()))
}
