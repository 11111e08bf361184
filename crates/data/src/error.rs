//! Why data could not be read.

use std::path::{Path, PathBuf};

use haggle_model::{Problem, Problems};

/// Every way in which reading can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was read does not hold together.
    #[error("{0}")]
    BadInput(Problems),
    /// Whoever watched the work asked it to stop.
    #[error("the work was cancelled")]
    Cancelled,
    /// The operating system refused.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
}

impl Error {
    /// What a reader of this file said: the system's own words, or a [`Refused`] problem.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| match cause.downcast::<Refused>() {
            Ok(Refused(problem)) => problem.file(path).into(),
            Err(cause) => Self::Io { path: path.to_owned(), cause },
        }
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

/// A problem of what is read, on its way through readers that know only errors of the system.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(Problem);

impl Refused {
    pub(crate) fn error(problem: Problem) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidData, Self(problem))
    }
}
