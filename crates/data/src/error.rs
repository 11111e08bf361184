//! Why data could not be read.

use std::path::{Path, PathBuf};

use haggle_model::{Problem, Problems};

/// Every way in which reading can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was read does not hold together.
    #[error("{0}")]
    BadInput(Problems),
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
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }

    /// The first line it names, if it names one.
    pub(crate) fn line(&self) -> Option<u64> {
        match self {
            Self::BadInput(problems) => problems.iter().filter_map(|p| p.at.line).min(),
            Self::Io { .. } => None,
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
