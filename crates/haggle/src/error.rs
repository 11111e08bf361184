//! Why something could not be done, in words for the person who asked.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use haggle_model::{Problem, Problems};

/// Every way in which haggle can fail.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was given does not hold together.
    #[error("{0}")]
    BadInput(Problems),
    /// The memory allowed is too little.
    #[error("{0}")]
    Memory(Problem),
    /// More than haggle can do.
    #[error("{0}")]
    Unsupported(String),
    /// Whoever watched the work asked it to stop.
    #[error("the work was cancelled")]
    Cancelled,
    /// The operating system refused.
    #[error("{}", unreadable(path, cause))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said; not the `source`, because the message holds it already.
        cause: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |cause| Self::Io { path: path.to_owned(), cause }
    }

    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Problem::new(what).fix(fix).into()
    }

    /// The same as a list of problems that others can be added to; a front end may tell them apart.
    pub fn into_problems(self) -> Vec<Problem> {
        match self {
            Self::BadInput(problems) => problems.into_vec(),
            Self::Io { path, cause } => vec![unreadable(&path, &cause)],
            Self::Memory(problem) => vec![problem],
            Self::Unsupported(what) => vec![unsupported(&what)],
            Self::Cancelled => vec![Problem::new("the work was cancelled")],
        }
    }
}

/// What cannot be done, and after a semicolon what to do instead.
fn unsupported(text: &str) -> Problem {
    let (what, fix) = text.split_once("; ").unwrap_or((text, ""));
    Problem::new(what).fix(fix)
}

fn unreadable(path: &Path, cause: &std::io::Error) -> Problem {
    let fix = match cause.kind() {
        ErrorKind::NotFound => "check the path; in a project it is relative to the project file",
        ErrorKind::PermissionDenied => "ask for access, or use a copy of your own",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room, or choose another place"
        }
        ErrorKind::NotADirectory => "check the path: a part of it is a file, not a folder",
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            "the file is damaged or was not copied whole; get it again"
        }
        _ => "check the path, and that the file can be read or written there",
    };
    Problem::new(cause.to_string()).file(path).fix(fix)
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
            haggle_data::Error::Cancelled => Self::Cancelled,
            haggle_data::Error::Io { path, cause } => Self::Io { path, cause },
        }
    }
}

impl From<haggle_cube::Error> for Error {
    fn from(error: haggle_cube::Error) -> Self {
        match error {
            haggle_cube::Error::BadInput(what) => Self::new(what, "build the lattice again"),
            haggle_cube::Error::Memory { schemes, .. } => {
                let schemes = match schemes {
                    usize::MAX => "so many schemes that they cannot be counted".to_owned(),
                    n => format!("{n} schemes"),
                };
                let what = format!("annotating {schemes} needs more memory than allowed");
                let fix = "raise the limit with --memory, choose fewer quasi-identifiers with \
                           --qi, or shorten their hierarchies";
                Self::Memory(Problem::new(what).fix(fix))
            }
            haggle_cube::Error::Unsupported(what) => Self::Unsupported(what),
            haggle_cube::Error::Cancelled => Self::Cancelled,
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

impl From<haggle_loss::Error> for Error {
    fn from(haggle_loss::Error::BadInput { what, fix }: haggle_loss::Error) -> Self {
        Self::new(what, fix)
    }
}

impl From<haggle_instant::Error> for Error {
    fn from(error: haggle_instant::Error) -> Self {
        match error {
            haggle_instant::Error::BadInput { what, fix } => Self::new(what, fix),
            haggle_instant::Error::Cancelled => Self::Cancelled,
            other @ haggle_instant::Error::TooManyCells { .. } => {
                Self::Unsupported(other.to_string())
            }
        }
    }
}

impl From<haggle_privacy::Error> for Error {
    fn from(haggle_privacy::Error::BadInput { what, fix }: haggle_privacy::Error) -> Self {
        Self::new(what, fix)
    }
}
