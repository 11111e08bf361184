//! Errors: a kind for programs to match, and problems for people to solve.

use std::io;
use std::path::Path;

use crate::{ErrorKind, Problem, Problems, Remedy};

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
#[error("{problems}")]
pub struct Error {
    problems: Problems,
    cause: Cause,
}

/// What a program may want to know beyond the kind. It is not the `source` of the error, because
/// the problems contain it.
#[derive(Debug)]
enum Cause {
    None,
    System(io::Error),
    Memory(ExceededMemory),
}

/// Where the annotation of a lattice would have exceeded the memory limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceededMemory {
    /// The number of schemes in the lattice; `usize::MAX` if there are more than can be counted.
    pub schemes: usize,
    /// The limit in megabytes.
    pub limit: usize,
    /// The height at which the limit was reached.
    pub height: u32,
}

/// So that calls may take either what is parsed or what is ready.
impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl Error {
    /// Builds an error about the input from what is wrong and what to do.
    pub fn new(what: impl Into<String>, fix: impl Into<Remedy>) -> Self {
        Self::of_kind(ErrorKind::BadInput, what, fix)
    }

    /// Builds an error of a kind from what is wrong and what to do.
    ///
    /// ```
    /// use haggle_model::{Error, ErrorKind, Remedy};
    ///
    /// let what = "the data changed since it was counted";
    /// let error = Error::of_kind(ErrorKind::DataChanged, what, Remedy::StartAgain);
    /// assert_eq!(error.kind(), ErrorKind::DataChanged);
    /// ```
    pub fn of_kind(kind: ErrorKind, what: impl Into<String>, fix: impl Into<Remedy>) -> Self {
        Problem::new(what).of_kind(kind).fix(fix).into()
    }

    /// Builds an error about a valid request that haggle cannot answer.
    pub fn unsupported(what: impl Into<String>, fix: impl Into<Remedy>) -> Self {
        Self::of_kind(ErrorKind::Unsupported, what, fix)
    }

    /// Builds the error of work that its caller cancelled.
    pub fn cancelled() -> Self {
        Problem::new("the work was cancelled").of_kind(ErrorKind::Cancelled).into()
    }

    /// Returns a function that wraps an error of reading or writing this file. A [`Problem`] that a
    /// reader passed on as a system error becomes that problem again.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| match cause.downcast::<Problem>() {
            Ok(problem) => problem.file(path).into(),
            Err(cause) => {
                let problems = unreadable(path, &cause).into();
                Self { problems, cause: Cause::System(cause) }
            }
        }
    }

    /// Returns the kind of all problems of this error; problems of several kinds are about the
    /// input.
    pub fn kind(&self) -> ErrorKind {
        self.problems.kind()
    }

    /// Returns whether the caller cancelled the work.
    pub fn is_cancelled(&self) -> bool {
        self.kind() == ErrorKind::Cancelled
    }

    /// Returns everything that is wrong.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the error of the operating system behind this one, if there is one.
    ///
    /// ```
    /// use haggle_model::{Error, ErrorKind};
    ///
    /// let missing = std::path::Path::new("no-such-folder/data.csv");
    /// let error = std::fs::read(missing).map_err(Error::io(missing)).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn io_error(&self) -> Option<&io::Error> {
        match &self.cause {
            Cause::System(error) => Some(error),
            _ => None,
        }
    }

    /// Returns where annotating a lattice exceeded the memory limit, if that is the cause.
    pub fn exceeded_memory(&self) -> Option<ExceededMemory> {
        match self.cause {
            Cause::Memory(exceeded) => Some(exceeded),
            _ => None,
        }
    }

    /// Names the file of every problem that does not name one yet.
    pub fn in_file(self, file: &Path) -> Self {
        Self { problems: self.problems.in_file(file), ..self }
    }

    /// Changes every problem, such as its place, and keeps the kind.
    pub fn map_problems(self, change: impl FnMut(Problem) -> Problem) -> Self {
        Self { problems: self.problems.map(change), ..self }
    }

    /// Converts the error to a list of problems, to be collected with others.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems.into_vec()
    }

    /// Returns what is wrong and what to do in one line, for a field of a report.
    ///
    /// ```
    /// use haggle_model::Error;
    ///
    /// let error = Error::unsupported("there are too many boxes", "raise the maximum levels");
    /// assert_eq!(error.in_one_line(), "there are too many boxes; raise the maximum levels");
    /// ```
    pub fn in_one_line(&self) -> String {
        let one = |Problem { what, fix, .. }: &Problem| {
            if fix.is_empty() { what.clone() } else { format!("{what}; {fix}") }
        };
        self.problems.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self { problems, cause: Cause::None }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Problems::from(problem).into()
    }
}

impl From<ExceededMemory> for Error {
    fn from(exceeded: ExceededMemory) -> Self {
        let schemes = match exceeded.schemes {
            usize::MAX => "more schemes than can be counted".to_owned(),
            n => format!("{n} schemes"),
        };
        let what = format!("annotating {schemes} needs more memory than allowed");
        let or = "choose fewer quasi-identifiers, or shorten their hierarchies";
        let error = Self::of_kind(ErrorKind::OutOfMemory, what, Remedy::RaiseMemory(or.into()));
        Self { cause: Cause::Memory(exceeded), ..error }
    }
}

/// Lets a problem pass through readers that know only system errors; see [`Error::io`].
impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        Self::new(io::ErrorKind::InvalidData, problem)
    }
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
    let kind = if cause.kind() == Kind::NotFound { ErrorKind::NotFound } else { ErrorKind::Io };
    Problem::new(cause.to_string()).of_kind(kind).file(path).fix(fix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placing_a_problem_keeps_the_kind_and_the_cause() {
        let system = Error::io(Path::new("a.csv"))(io::ErrorKind::StorageFull.into());
        let exceeded = ExceededMemory { schemes: 3, limit: 1, height: 2 };
        for (error, kind) in [
            (system, ErrorKind::Io),
            (exceeded.into(), ErrorKind::OutOfMemory),
            (Error::cancelled(), ErrorKind::Cancelled),
        ] {
            let (had_cause, had_memory) = (error.io_error().is_some(), error.exceeded_memory());
            let placed = error.map_problems(|problem| problem.file("b.csv").line(7));
            assert_eq!(placed.kind(), kind);
            assert!(placed.to_string().starts_with("b.csv:7: "), "{placed}");
            assert_eq!(
                (placed.io_error().is_some(), placed.exceeded_memory()),
                (had_cause, had_memory)
            );
        }
    }

    #[test]
    fn problems_of_one_kind_are_an_error_of_that_kind() {
        let problem = |kind| Problem::new("something is wrong").of_kind(kind);
        let kind = |problems| Error::from(Problems::check(problems).unwrap_err()).kind();
        let (absent, bad) = (ErrorKind::NotFound, ErrorKind::BadInput);
        assert_eq!(kind(vec![problem(absent), problem(absent)]), absent);
        assert_eq!(kind(vec![problem(absent), problem(ErrorKind::Io)]), bad);
        assert_eq!(kind(vec![Problem::new("something is wrong")]), bad);
    }

    #[test]
    fn a_problem_that_passed_through_a_reader_is_about_the_input() {
        let passed = io::Error::from(Problem::new("bytes that are not a letter").line(3));
        let error = Error::io(Path::new("a.csv"))(passed);
        assert_eq!(error.kind(), ErrorKind::BadInput);
        assert_eq!(error.to_string(), "a.csv:3: bytes that are not a letter");
    }
}
