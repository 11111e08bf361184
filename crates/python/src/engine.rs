//! A lattice that answers questions, from any number of threads.

use std::path::PathBuf;
use std::sync::Arc;

use haggle::Way;
use pyo3::prelude::*;

use crate::catalogs::json;
use crate::project::Project;
use crate::{publication, questions, work};

/// The annotated lattice of a project.
#[pyclass(frozen, module = "haggle._haggle")]
pub(crate) struct Engine {
    pub(crate) engine: Arc<haggle::Engine>,
    pub(crate) project: Py<Project>,
}

#[pymethods]
impl Engine {
    /// Builds the lattice of a project.
    #[new]
    #[pyo3(signature = (project, qi = None, memory = None, on_demand = None, progress = None))]
    fn new(
        py: Python<'_>,
        project: Py<Project>,
        qi: Option<Vec<String>>,
        memory: Option<usize>,
        on_demand: Option<bool>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let opened = project.get().project.clone();
        let engine = work::with_progress(py, progress.as_ref(), |progress| {
            let mode = match on_demand {
                None => Way::Auto,
                Some(true) => Way::OnDemand,
                Some(false) => Way::Full,
            };
            let mut builder = haggle::Engine::builder(&opened).mode(mode).progress(progress);
            if let Some(qi) = qi {
                builder = builder.qi(qi);
            }
            if let Some(memory) = memory {
                builder = builder.memory(memory);
            }
            builder.open()
        })?;
        Ok(Self { engine: engine.into(), project })
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
        if progress.is_none() && questions::is_quick(engine, question, body) {
            let answer = || questions::answer(engine, question, body, &haggle::Silent);
            return work::quickly(py, answer);
        }
        let answer =
            |progress: &dyn haggle::Progress| questions::answer(engine, question, body, progress);
        work::with_progress(py, progress.as_ref(), answer)
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

    /// Repeats the publication of a private manifest on the records of this lattice.
    #[pyo3(signature = (policy, output, private, progress = None))]
    fn repeat(
        &self,
        py: Python<'_>,
        policy: PathBuf,
        output: PathBuf,
        private: PathBuf,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let engine = &self.engine;
        work::with_progress(py, progress.as_ref(), |progress| {
            publication::repeat(engine, &policy, output, private, progress)
        })
    }

    /// What a publication would look like, with its first rows, as JSON.
    fn preview(&self, py: Python<'_>, body: &str, rows: usize) -> PyResult<String> {
        let engine = &self.engine;
        work::with_progress(py, None, |progress| publication::preview(engine, body, rows, progress))
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

    /// The project.
    #[getter]
    fn project(&self, py: Python<'_>) -> Py<Project> {
        self.project.clone_ref(py)
    }
}
