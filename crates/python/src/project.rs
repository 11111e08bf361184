//! A project: a file, the embedded data, or a frame with what its columns are.

use std::path::{Path, PathBuf};

use haggle::frames::Input;
use haggle::reports::By;
use haggle::search::{ChangeFiles, Instant, InstantAsk, InstantOptions, Optimizations, Predictor};
use haggle::setup::{Draft, check_within, repair_hierarchy, save_hierarchy};
use haggle::{Ask, Error, Options, Progress, Role, Way, WithDeadline};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::Value;

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

    /// Writes the hierarchy of an attribute into a file.
    fn export_hierarchy(
        &self,
        py: Python<'_>,
        attribute: &str,
        path: PathBuf,
        force: bool,
    ) -> PyResult<()> {
        work::with_progress(py, None, |progress| {
            save_hierarchy(&self.project.hierarchy(attribute, progress)?, &path, force)
        })
    }

    /// The hierarchy with values merged where they are more uncertain than the value above, as JSON;
    /// in a file as well, if one is named.
    #[pyo3(signature = (attribute, path = None, force = false))]
    fn repair_hierarchy(
        &self,
        py: Python<'_>,
        attribute: &str,
        path: Option<PathBuf>,
        force: bool,
    ) -> PyResult<String> {
        let repaired = work::with_progress(py, None, |progress| {
            let repaired = repair_hierarchy(&self.project.hierarchy(attribute, progress)?);
            if let Some(path) = &path {
                save_hierarchy(&repaired.hierarchy, path, force)?;
            }
            Ok(repaired)
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
        let answer = work::with_progress(py, progress.as_ref(), |progress| {
            let (ask, wanted) = questions::split::<WantedInstant>(body)?;
            let (options, ask) = (wanted.options(progress), wanted.ask(ask)?);
            let finding = WithDeadline::after(progress, wanted.time_limit()?);
            let mut instant = Instant::open(&self.project, &ask, &options)?;
            let mut answer = instant.find(&ask, &finding)?;
            if wanted.compare {
                let (qi, way) = (wanted.qi.clone(), Way::Full);
                let options = Options { qi, way, progress, ..Options::default() };
                answer.optimum = haggle::Engine::open(&self.project, &options)?.optimum(&ask)?;
            }
            Ok(answer)
        })?;
        json(&answer)
    }

    /// Adds the records of files to the stored lattice and deletes others; the account as JSON.
    #[pyo3(signature = (add, delete, output = None))]
    fn update(
        &self,
        py: Python<'_>,
        add: Vec<PathBuf>,
        delete: Vec<PathBuf>,
        output: Option<PathBuf>,
    ) -> PyResult<String> {
        let updated = work::with_progress(py, None, |progress| {
            let options = Options { progress, way: Way::Full, ..Options::default() };
            let files = ChangeFiles { add, delete };
            let (engine, mut updated) = haggle::Engine::updated(&self.project, &files, &options)?;
            let before = haggle::Engine::open(&self.project, &options)?;
            updated.revealed =
                haggle::publishing::revealed_by_update(&self.project, &before, &engine)?;
            if let Some(path) = output.or_else(|| self.project.lattice_path()) {
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
    predictor: Option<String>,
    #[serde(default)]
    without: Vec<String>,
    max_scans: Option<usize>,
    time_limit: Option<f64>,
    #[serde(default)]
    compare: bool,
}

impl WantedInstant {
    fn options<'a>(&self, progress: &'a dyn Progress) -> InstantOptions<'a> {
        let usual = InstantOptions::default();
        InstantOptions {
            qi: self.qi.clone(),
            summary: self.summary.clone().unwrap_or_else(|| usual.summary.clone()),
            sample: self.sample.unwrap_or(usual.sample),
            seed: self.seed.unwrap_or(usual.seed),
            memory: MEMORY,
            progress,
            ..usual
        }
    }

    fn ask(&self, ask: Ask) -> Result<InstantAsk, Error> {
        let by = match (self.probability, self.expected) {
            (Some(probability), _) => By::Probability(probability),
            (None, Some(expected)) => By::Expectation(Some(expected)),
            (None, None) => By::Limit,
        };
        let predictor = self.predictor.as_deref().map(str::parse::<Predictor>).transpose()?;
        Ok(InstantAsk {
            ask,
            by,
            predictor: predictor.unwrap_or_default(),
            optimizations: self.optimizations()?,
            max_scans: self.max_scans.unwrap_or(usize::MAX),
        })
    }

    fn time_limit(&self) -> Result<Option<std::time::Duration>, Error> {
        let Some(seconds) = self.time_limit else { return Ok(None) };
        let limit = std::time::Duration::try_from_secs_f64(seconds).map_err(|_| {
            Error::new(format!("{seconds} is not a time limit"), "give seconds from 0 on")
        })?;
        Ok(Some(limit))
    }

    fn optimizations(&self) -> Result<Optimizations, Error> {
        let mut used = Optimizations::ALL;
        for name in &self.without {
            match name.as_str() {
                "hybrid" => used.hybrid = false,
                "expo" => used.expo = false,
                "sd-cut" => used.sd_cut = false,
                "limit" => used.limit = false,
                "max" => used.max = false,
                _ => {
                    let what = format!("there is no shortcut '{name}'");
                    return Err(Error::new(what, "leave out hybrid, expo, sd-cut, limit or max"));
                }
            }
        }
        Ok(used)
    }
}

/// Guesses roles and hierarchies for a frame, for files or for a table of a database: the draft as
/// JSON, and its project file.
#[pyfunction]
#[pyo3(signature = (frame = None, paths = None, table = None, output = None))]
pub(crate) fn suggest(
    py: Python<'_>,
    frame: Option<&Frame>,
    paths: Option<Vec<PathBuf>>,
    table: Option<&str>,
    output: Option<PathBuf>,
) -> PyResult<(String, String)> {
    let input = frame.map(|frame| Input::frame(frame.records.clone()));
    let paths = paths.unwrap_or_default();
    let output = output.as_deref();
    let draft = work::with_progress(py, None, |progress| match (&input, table, &paths[..]) {
        (Some(input), ..) => Draft::over(input, Path::new(""), MEMORY, progress),
        (None, Some(table), [url]) => {
            Draft::in_database(MEMORY, &url.to_string_lossy(), table, output, true, progress)
        }
        (None, ..) => Draft::within(MEMORY, &paths, output, true, progress),
    })?;
    Ok((json(&draft)?, draft.text().to_owned()))
}
