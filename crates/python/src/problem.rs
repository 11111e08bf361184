//! Errors of the engine as the exception `haggle.Problem`.

use haggle::{Error, Remedy};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

/// What went wrong, to be raised in Python.
pub(crate) enum Failure {
    /// The engine refused.
    Engine(Error),
    /// A defect: the work panicked.
    Defect,
    /// An exception that Python code raised meanwhile, such as `KeyboardInterrupt`.
    Raised(PyErr),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Engine(error) => problem(error),
            Failure::Defect => raise(
                "internal",
                &json!([{
                    "what": "haggle failed on a defect of its own",
                    "where": "",
                    "fix": "please report what was called, without the data",
                }]),
            ),
            Failure::Raised(error) => error,
        }
    }
}

/// A problem with what was given: what, and what to do.
pub(crate) fn bad_input(what: &str, fix: &str) -> PyErr {
    problem(Error::new(what, fix))
}

/// A body that is not what the question takes.
pub(crate) fn malformed(error: &serde_json::Error) -> PyErr {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    bad_input(what, "see the documentation of the method for what it takes")
}

fn problem(error: Error) -> PyErr {
    let kind = error.kind().as_str();
    let problems = error.into_problems().into_iter().map(|problem| {
        let place = problem.at.to_string();
        json!({ "what": problem.what, "where": place, "fix": worded(&problem.fix) })
    });
    raise(kind, &problems.collect())
}

/// Returns what to do, with the arguments and methods that help.
fn worded(remedy: &Remedy) -> String {
    let how = match remedy {
        Remedy::RaiseMemory(_) => "memory=, qi= and from_level= of build",
        Remedy::RaiseTimeLimit => "time_limit=, strategy=",
        Remedy::AllowReplacing => "force=True",
        Remedy::StateOnly => "only=True",
        Remedy::BuildAgain => "Project.build and Lattice.save",
        Remedy::AnnotateAll => "qi= and on_demand=False of build",
        Remedy::AskLattice => "Project.build and Lattice.ask",
        Remedy::StartAgain => "Project.build",
        Remedy::NameThreshold => "k=, l= or privacy=",
        Remedy::NameProject => "project=",
        _ => return remedy.to_string(),
    };
    format!("{remedy} ({how})")
}

fn raise(kind: &str, problems: &serde_json::Value) -> PyErr {
    Python::attach(|py| {
        let make = || -> PyResult<PyErr> {
            let arguments = PyDict::new(py);
            arguments.set_item("kind", kind)?;
            let module = py.import("haggle._problem")?;
            let made =
                module.call_method("from_json", (problems.to_string(),), Some(&arguments))?;
            Ok(PyErr::from_value(made))
        };
        make().unwrap_or_else(|error| error)
    })
}
