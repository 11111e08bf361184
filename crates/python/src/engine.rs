//! A lattice that answers questions, from any number of threads.

use std::path::PathBuf;
use std::sync::Arc;

use haggle::catalog::{ESTIMATORS, find_estimator};
use haggle::search::Selection;
use haggle::{Error, Levels, Options, Progress, Way};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::catalogs::json;
use crate::problem::malformed;
use crate::project::Project;
use crate::questions::NamedQuestion;
use crate::{publication, questions, work};

/// Chooses the schemes of a partial lattice unless another is named.
const ESTIMATOR: &str = "lambda";

/// How a lattice is opened.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    qi: Option<Vec<String>>,
    from_level: Option<Levels>,
    memory: Option<usize>,
    on_demand: Option<bool>,
    /// Per cent of each height.
    partial: Option<f64>,
    estimator: Option<String>,
    #[serde(default)]
    annotate_maximum: bool,
}

impl Opening {
    fn way(&self) -> Result<Way, Error> {
        if let Some(percent) = self.partial {
            let name = self.estimator.as_deref().unwrap_or(ESTIMATOR);
            let estimator = find_estimator(name).ok_or_else(|| {
                let known: Vec<&str> = ESTIMATORS.iter().map(|estimator| estimator.id).collect();
                let what = format!("there is no estimator '{name}'");
                Error::new(what, format!("choose from: {}", known.join(", ")))
            })?;
            return Ok(Way::Partial(Selection::new(estimator, percent)?));
        }
        Ok(match self.on_demand {
            None => Way::Auto,
            Some(true) => Way::OnDemand,
            Some(false) => Way::Full,
        })
    }

    /// What the engine is opened with. A partial lattice is a choice, which a stored lattice is not
    /// used for.
    fn options<'a>(&self, progress: &'a dyn Progress) -> Result<Options<'a>, Error> {
        let (way, usual) = (self.way()?, Options::default());
        Ok(Options {
            qi: self.qi.clone(),
            from_level: self.from_level.clone(),
            memory: self.memory.unwrap_or(usual.memory),
            stored: self.partial.is_none(),
            annotate_maximum: self.annotate_maximum,
            way,
            progress,
            ..usual
        })
    }
}

/// The annotated lattice of a project.
#[pyclass(frozen, module = "haggle._haggle")]
pub(crate) struct Engine {
    pub(crate) engine: Arc<haggle::Engine>,
    /// None for a lattice file alone.
    project: Option<Py<Project>>,
}

#[pymethods]
impl Engine {
    /// Builds the lattice of a project as a body says.
    #[new]
    #[pyo3(signature = (project, body, progress = None))]
    fn new(
        py: Python<'_>,
        project: Py<Project>,
        body: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let opening: Opening = serde_json::from_str(body).map_err(|error| malformed(&error))?;
        let opened = project.get().project.clone();
        let engine = work::with_progress(py, progress.as_ref(), |progress| {
            haggle::Engine::open(&opened, &opening.options(progress)?)
        })?;
        Ok(Self { engine: engine.into(), project: Some(project) })
    }

    /// Opens a lattice file, with the project next to it if there is one.
    #[staticmethod]
    #[pyo3(signature = (path, body, progress = None))]
    fn load(py: Python<'_>, path: &str, body: &str, progress: Option<Py<PyAny>>) -> PyResult<Self> {
        let opening: Opening = serde_json::from_str(body).map_err(|error| malformed(&error))?;
        let engine = work::with_progress(py, progress.as_ref(), |progress| {
            haggle::Engine::open(path, &opening.options(progress)?)
        })?;
        let project = engine.project().cloned().map(|project| Py::new(py, Project { project }));
        Ok(Self { engine: engine.into(), project: project.transpose()? })
    }

    /// The answer to a question, both as JSON.
    #[pyo3(signature = (question, body, progress = None))]
    fn question(
        &self,
        py: Python<'_>,
        question: &str,
        body: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        let asked = work::quickly(py, || NamedQuestion::read(question, body))?;
        if progress.is_none() && asked.is_quick(engine) {
            return work::quickly(py, || asked.answer(engine, &haggle::Silent));
        }
        work::with_progress(py, progress.as_ref(), |progress| asked.answer(engine, progress))
    }

    /// Writes the report that a body describes into a file; its text.
    #[pyo3(signature = (body, path, force = false, progress = None))]
    fn write_report(
        &self,
        py: Python<'_>,
        body: &str,
        path: PathBuf,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        work::with_progress(py, progress.as_ref(), |progress| {
            questions::write_report(engine, body, path, force, progress)
        })
    }

    /// Publishes what a body describes; the report or the refusal as JSON.
    #[pyo3(signature = (output, private, body, progress = None))]
    fn publish(
        &self,
        py: Python<'_>,
        output: PathBuf,
        private: PathBuf,
        body: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        work::with_progress(py, progress.as_ref(), |progress| {
            publication::publish(engine, output, private, body, progress)
        })
    }

    /// Publishes into a table of the project's database; the report or the refusal as JSON.
    #[pyo3(signature = (table, body, manifest = None, progress = None))]
    fn publish_table(
        &self,
        py: Python<'_>,
        table: &str,
        body: &str,
        manifest: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        work::with_progress(py, progress.as_ref(), |progress| {
            publication::publish_table(engine, table, manifest.as_deref(), body, progress)
        })
    }

    /// Writes the statements that publish in an SQL engine; the report or the refusal as JSON.
    #[pyo3(signature = (output, body, progress = None))]
    fn publish_sql(
        &self,
        py: Python<'_>,
        output: PathBuf,
        body: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        work::with_progress(py, progress.as_ref(), |progress| {
            publication::publish_sql(engine, output, body, progress)
        })
    }

    /// Repeats the publication of a private manifest on the records of this lattice; a limit on
    /// suppressed records is JSON.
    #[pyo3(signature = (policy, output, private, max_suppressed = None, progress = None))]
    fn repeat(
        &self,
        py: Python<'_>,
        policy: PathBuf,
        output: PathBuf,
        private: PathBuf,
        max_suppressed: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        let limit = max_suppressed.map(serde_json::from_str).transpose();
        let limit = limit.map_err(|error| malformed(&error))?;
        work::with_progress(py, progress.as_ref(), |progress| {
            publication::repeat(engine, &policy, (output, private), limit, progress)
        })
    }

    /// Writes the lattice to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let engine = &self.engine;
        work::with_progress(py, None, |_| engine.save(&path))
    }

    /// The quasi-identifiers, in order.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.engine.attributes().into_iter().map(str::to_owned).collect()
    }

    /// How many records are counted.
    #[getter]
    fn records(&self) -> u64 {
        self.engine.records()
    }

    /// What became of the records, as JSON.
    #[getter]
    fn account(&self) -> PyResult<String> {
        json(&self.engine.account())
    }

    /// How the lattice was built, as JSON.
    #[getter]
    fn built(&self) -> PyResult<String> {
        json(self.engine.built())
    }

    /// The request that applies where none is made, as JSON.
    #[getter]
    fn defaults(&self) -> PyResult<String> {
        json(self.engine.defaults())
    }

    /// The project, unless the lattice comes from a lattice file alone.
    #[getter]
    fn project(&self, py: Python<'_>) -> Option<Py<Project>> {
        self.project.as_ref().map(|project| project.clone_ref(py))
    }

    /// What the user should know about how the lattice was opened.
    #[getter]
    fn notice(&self) -> Option<String> {
        self.engine.notice().map(str::to_owned)
    }
}
