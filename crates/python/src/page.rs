//! The negotiation page on a project, served from this process.

use std::sync::Mutex;
use std::thread::{self, JoinHandle};

use haggle_server::{Entrance, Server, Settings, StopSignal};
use pyo3::prelude::*;

use crate::problem::bad_input;
use crate::project::Project;
use crate::work::check_process;

/// A page that is served until it is stopped.
#[pyclass(frozen, module = "haggle._haggle")]
pub(crate) struct Page {
    entrance: Entrance,
    token: String,
    stop: StopSignal,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[pymethods]
impl Page {
    /// Serves the page of a project to this machine.
    #[new]
    #[pyo3(signature = (project, qi = None, port = 0))]
    fn new(project: &Project, qi: Option<Vec<String>>, port: u16) -> PyResult<Self> {
        check_process()?;
        let settings = Settings { qi, port: Some(port), ..Settings::default() };
        let server = Server::bind(project.project.clone(), settings)
            .map_err(|error| bad_input(&error.to_string(), "choose another port, or none"))?;
        let (entrance, stop) = (server.entrance().clone(), server.stop());
        let token = server.token().to_owned();
        let thread = thread::spawn(move || {
            // What it would report is that it was stopped.
            let _ = server.run();
        });
        Ok(Self { entrance, token, stop, thread: Mutex::new(Some(thread)) })
    }

    /// An address that signs one browser in, once, within a few minutes.
    fn address(&self) -> PyResult<String> {
        self.entrance.address().map_err(|error| bad_input(&error.to_string(), "try again"))
    }

    /// Where the page is, for browsers that are signed in.
    #[getter]
    fn origin(&self) -> String {
        self.entrance.origin()
    }

    /// What programs send as `Authorization: Bearer`.
    #[getter]
    fn token(&self) -> String {
        self.token.clone()
    }

    /// Stops serving.
    fn stop(&self, py: Python<'_>) {
        self.stop.now();
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        if let Some(thread) = thread {
            // A thread that panicked has stopped, too.
            let _ = py.detach(|| thread.join());
        }
    }
}
