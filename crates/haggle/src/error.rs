//! Why something could not be done, in words for the person who asked.

use std::path::{Path, PathBuf};

use haggle_model::{Problem, Problems};

/// Every way in which haggle can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was given does not hold together.
    #[error("{0}")]
    BadInput(Problems),
    /// More than haggle can do.
    #[error("{0}")]
    Unsupported(String),
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Problem::new(what).fix(fix).into()
    }

    /// The same as a list of problems that others can be added to.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        match self {
            Self::BadInput(problems) => problems.into_vec(),
            Self::Io { path, source } => vec![unreadable(&source).file(path)],
            Self::Unsupported(what) => vec![Problem::new(what)],
        }
    }
}

fn unreadable(source: &std::io::Error) -> Problem {
    let problem = Problem::new(source.to_string());
    match source.kind() {
        std::io::ErrorKind::NotFound => {
            problem.fix("check the path; it is relative to the project file")
        }
        _ => problem,
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self::BadInput(problems)
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::BadInput(problem.into())
    }
}

impl From<haggle_model::Error> for Error {
    fn from(haggle_model::Error::BadInput(problems): haggle_model::Error) -> Self {
        Self::BadInput(problems)
    }
}

impl From<haggle_data::Error> for Error {
    fn from(error: haggle_data::Error) -> Self {
        match error {
            haggle_data::Error::BadInput(problems) => Self::BadInput(problems),
            haggle_data::Error::Io { path, source } => Self::Io { path, source },
        }
    }
}

impl From<haggle_cube::Error> for Error {
    fn from(error: haggle_cube::Error) -> Self {
        match error {
            haggle_cube::Error::BadInput(what) => Problem::new(what).into(),
            other => Self::Unsupported(other.to_string()),
        }
    }
}

impl From<haggle_search::Error> for Error {
    fn from(error: haggle_search::Error) -> Self {
        match error {
            haggle_search::Error::Unsupported(what) => Self::Unsupported(what),
            haggle_search::Error::Lattice(error) => error.into(),
        }
    }
}

impl From<haggle_privacy::Error> for Error {
    fn from(error: haggle_privacy::Error) -> Self {
        Problem::new(error.to_string()).into()
    }
}
