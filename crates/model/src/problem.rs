//! Problems: what is wrong, of which kind, where, and how to fix it.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use crate::{ErrorKind, Remedy};

/// Where a problem is: a file, and optionally a line and a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user would name it.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column (field or character), from 1.
    pub column: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(file) = &self.file else { return Ok(()) };
        write!(f, "{}", file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        Ok(())
    }
}

/// One thing that is wrong.
///
/// ```
/// use haggle_model::Problem;
///
/// let problem = Problem::new("12 fields, but the header names 15")
///     .file("adult.csv")
///     .line(7)
///     .fix("quote fields that contain the separator");
/// assert_eq!(
///     problem.to_string(),
///     "adult.csv:7: 12 fields, but the header names 15\n    fix: quote fields that contain the separator"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of error that it is.
    pub kind: ErrorKind,
    /// What is wrong, as a sentence without its full stop.
    pub what: String,
    /// Where it is.
    pub at: Place,
    /// What to do, if there is something to do.
    pub fix: Remedy,
}

impl Problem {
    /// Builds a problem with the input, without a place and without a fix.
    pub fn new(what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::BadInput, what: what.into(), at: Place::default(), fix: "".into() }
    }

    /// Sets the kind of the problem.
    pub fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the file of the problem.
    pub fn file(mut self, file: impl Into<PathBuf>) -> Self {
        self.at.file = Some(file.into());
        self
    }

    /// Sets the line of the problem, from 1.
    pub fn line(mut self, line: u64) -> Self {
        self.at.line = Some(line);
        self
    }

    /// Sets the column of the problem, from 1.
    pub fn column(mut self, column: u64) -> Self {
        self.at.column = Some(column);
        self
    }

    /// Sets what to do about it.
    pub fn fix(mut self, fix: impl Into<Remedy>) -> Self {
        self.fix = fix.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.file.is_some() {
            write!(f, "{}: ", Printable(&self.at.to_string()))?;
        }
        Printable(&self.what).fmt(f)?;
        if self.fix.is_empty() {
            return Ok(());
        }
        write!(f, "\n    fix: {}", Printable(&self.fix.to_string()))
    }
}

/// Text with escaped control characters: the content of a file must not control a terminal.
struct Printable<'a>(&'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '\n' | '\t' => f.write_char(c),
            _ if c.is_control() => write!(f, "{}", c.escape_debug()),
            _ => f.write_char(c),
        })
    }
}

/// All problems that were found, reported together. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// `Ok` when there is nothing to report.
    pub fn check(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }

    /// The problems, one by one.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }

    /// The kind of all problems; if there are several kinds, it is [`ErrorKind::BadInput`].
    pub fn kind(&self) -> ErrorKind {
        let first = self.0.first().map_or(ErrorKind::BadInput, |problem| problem.kind);
        let agree = self.0.iter().all(|problem| problem.kind == first);
        if agree { first } else { ErrorKind::BadInput }
    }

    /// Places each problem in this file unless it already names one.
    pub fn in_file(mut self, file: &std::path::Path) -> Self {
        for problem in &mut self.0 {
            problem.at.file.get_or_insert_with(|| file.to_owned());
        }
        self
    }

    /// Changes each problem.
    pub(crate) fn map(self, change: impl FnMut(Problem) -> Problem) -> Self {
        Self(self.0.into_iter().map(change).collect())
    }

    /// The problems as a list that more can be added to.
    pub fn into_vec(self) -> Vec<Problem> {
        self.0
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_sent_to_the_terminal() {
        let problem =
            Problem::new("'\u{1b}[2J\r' is not a level").file("a\u{7}.csv").fix("fix\u{9b}");
        let shown = problem.to_string();
        assert_eq!(shown, "a\\u{7}.csv: '\\u{1b}[2J\\r' is not a level\n    fix: fix\\u{9b}");
    }
}
