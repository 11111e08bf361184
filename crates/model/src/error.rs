//! Errors: a kind for programs to match, and a message for people.

use std::io;
use std::path::{Path, PathBuf};

use crate::{Problem, Problems};

/// Every way in which haggle can fail. All crates of the workspace share this type.
///
/// ```
/// use haggle_model::{Error, ErrorKind};
///
/// let error = Error::new("column 'age' has no hierarchy", "add one to the project");
/// assert_eq!(error.kind(), ErrorKind::BadInput);
/// assert_eq!(
///     error.to_string(),
///     "column 'age' has no hierarchy\n    fix: add one to the project"
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input is inconsistent or incomplete.
    #[error("{0}")]
    BadInput(Problems),
    /// The request is valid, but haggle cannot do it.
    #[error("{0}")]
    Unsupported(String),
    /// The memory limit would be exceeded.
    #[error("{}", out_of_memory(*schemes))]
    Memory {
        /// The number of schemes in the lattice.
        schemes: usize,
        /// The limit in megabytes.
        limit: usize,
        /// The height at which the limit was reached.
        height: u32,
    },
    /// The work would take more memory than allowed.
    #[error("{0}")]
    MemoryLimit(Problem),
    /// A file exists, and the caller did not allow replacing it.
    #[error("{0}")]
    AlreadyExists(Problem),
    /// The caller cancelled the work.
    #[error("the work was cancelled")]
    Cancelled,
    /// The operating system reported an error.
    #[error("{}", unreadable(path, cause))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error. It is not the `source`, because the message contains it.
        cause: io::Error,
    },
}

/// What kind of failure an [`Error`] is, for programs that react to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input is inconsistent or incomplete.
    BadInput,
    /// The request is valid, but haggle cannot do it.
    Unsupported,
    /// The memory limit would be exceeded.
    Memory,
    /// A file exists, and the caller did not allow replacing it.
    AlreadyExists,
    /// The caller cancelled the work.
    Cancelled,
    /// The operating system reported an error.
    Io,
}

/// So that calls may take either what is parsed or what is ready.
impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl Error {
    /// Builds an error about the input from what is wrong and what to do.
    pub fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Problem::new(what).fix(fix).into()
    }

    /// Returns a function that wraps an error of reading or writing this file. A [`Problem`] that a
    /// reader passed on as a system error becomes that problem again.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| match cause.downcast::<Problem>() {
            Ok(problem) => problem.file(path).into(),
            Err(cause) => Self::Io { path: path.to_owned(), cause },
        }
    }

    /// Returns the kind of this error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::BadInput(_) => ErrorKind::BadInput,
            Self::Unsupported(_) => ErrorKind::Unsupported,
            Self::Memory { .. } | Self::MemoryLimit(_) => ErrorKind::Memory,
            Self::AlreadyExists(_) => ErrorKind::AlreadyExists,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Io { .. } => ErrorKind::Io,
        }
    }

    /// Names the file of every problem with the input that does not name one yet.
    pub fn in_file(self, file: &Path) -> Self {
        match self {
            Self::BadInput(problems) => Self::BadInput(problems.in_file(file)),
            other => other,
        }
    }

    /// Converts the error to a list of problems, to be collected with others.
    pub fn into_problems(self) -> Vec<Problem> {
        match self {
            Self::BadInput(problems) => problems.into_vec(),
            Self::Unsupported(what) => vec![unsupported(&what)],
            Self::Memory { schemes, .. } => vec![out_of_memory(schemes)],
            Self::MemoryLimit(problem) | Self::AlreadyExists(problem) => vec![problem],
            Self::Cancelled => vec![Problem::new("the work was cancelled")],
            Self::Io { path, cause } => vec![unreadable(&path, &cause)],
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

/// Lets a problem pass through readers that know only system errors; see [`Error::io`].
impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        Self::new(io::ErrorKind::InvalidData, problem)
    }
}

/// Splits a message of the form "what cannot be done; what to do instead".
fn unsupported(text: &str) -> Problem {
    let (what, fix) = text.split_once("; ").unwrap_or((text, ""));
    Problem::new(what).fix(fix)
}

fn out_of_memory(schemes: usize) -> Problem {
    let schemes = match schemes {
        usize::MAX => "more schemes than can be counted".to_owned(),
        n => format!("{n} schemes"),
    };
    Problem::new(format!("annotating {schemes} needs more memory than allowed")).fix(
        "raise the limit for memory, choose fewer quasi-identifiers, or shorten their \
         hierarchies",
    )
}

fn unreadable(path: &Path, cause: &io::Error) -> Problem {
    use io::ErrorKind as Kind;
    let fix = match cause.kind() {
        Kind::NotFound => "check the path; in a project it is relative to the project file",
        Kind::PermissionDenied => "ask for access, or use a copy of your own",
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => {
            "free some space, or choose another folder"
        }
        Kind::NotADirectory => "check the path: a part of it is a file, not a folder",
        Kind::UnexpectedEof | Kind::InvalidData | Kind::InvalidInput => {
            "the file is damaged or incomplete; copy it again"
        }
        _ => "check the path, and that the file can be read or written there",
    };
    Problem::new(cause.to_string()).file(path).fix(fix)
}
