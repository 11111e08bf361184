//! The kinds of errors, with names that programs can match.

use std::fmt;

/// What kind of failure an [`Error`](crate::Error) is, for programs that react to it.
///
/// ```
/// use haggle_model::ErrorKind;
///
/// assert_eq!(ErrorKind::DataChanged.as_str(), "data-changed");
/// assert_eq!(ErrorKind::ALL.len(), 11);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input is inconsistent or incomplete.
    BadInput,
    /// The request is valid, but haggle cannot do it.
    Unsupported,
    /// A file, column, attribute or result that is named does not exist.
    NotFound,
    /// An output exists already, or something else is underway.
    Conflict,
    /// What was written does not keep its promise.
    BrokenPromise,
    /// The data or a hierarchy is not what was counted.
    DataChanged,
    /// The project's thresholds, a policy or the protection of its files does not allow it.
    RefusedByPolicy,
    /// The memory limit would be exceeded.
    OutOfMemory,
    /// The time limit was reached before there was a result.
    TimedOut,
    /// The caller cancelled the work.
    Cancelled,
    /// The operating system or a database reported an error.
    Io,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::BadInput,
        Self::Unsupported,
        Self::NotFound,
        Self::Conflict,
        Self::BrokenPromise,
        Self::DataChanged,
        Self::RefusedByPolicy,
        Self::OutOfMemory,
        Self::TimedOut,
        Self::Cancelled,
        Self::Io,
    ];

    /// Returns the stable name of this kind, as it is in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadInput => "bad-input",
            Self::Unsupported => "unsupported",
            Self::NotFound => "not-found",
            Self::Conflict => "conflict",
            Self::BrokenPromise => "broken-promise",
            Self::DataChanged => "data-changed",
            Self::RefusedByPolicy => "refused-by-policy",
            Self::OutOfMemory => "out-of-memory",
            Self::TimedOut => "timed-out",
            Self::Cancelled => "cancelled",
            Self::Io => "io",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_in_kebab_case() {
        let names: HashSet<_> = ErrorKind::ALL.into_iter().map(ErrorKind::as_str).collect();
        assert_eq!(names.len(), ErrorKind::ALL.len());
        let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(names.iter().all(|name| name.chars().all(is_kebab)), "{names:?}");
    }
}
