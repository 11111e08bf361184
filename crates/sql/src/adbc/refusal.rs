//! Errors of a database, worded for the user; never a record, never a secret.

use std::path::{Path, PathBuf};

use adbc_core::error::{Error as AdbcError, Status};
use haggle_model::{Error, ErrorKind, Problem};

/// The most of a database's message that is shown.
const SHOWN: usize = 300;

/// Words the errors of one table's database.
#[derive(Debug, Clone)]
pub(super) struct Refusals {
    name: PathBuf,
    secrets: Vec<String>,
}

/// What a statement holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatementHolds {
    /// Names only: the database's message can be shown.
    Names,
    /// Values of the data: of the database's message only the condition is shown.
    Values,
}

impl Refusals {
    pub(super) fn new(name: &Path, secrets: &[String]) -> Self {
        Self { name: name.to_owned(), secrets: secrets.to_vec() }
    }

    /// The database cannot be connected to.
    pub(super) fn unreachable(&self, error: &AdbcError) -> Error {
        let what = format!("the database cannot be reached ({})", self.message(error));
        let fix = "check host, port and options, and that the server runs";
        Problem::new(what).of_kind(ErrorKind::Io).file(&self.name).fix(fix).into()
    }

    /// A statement failed.
    pub(super) fn refusal(&self, error: &AdbcError, holds: StatementHolds) -> Error {
        if matches!(error.status, Status::Unauthenticated | Status::Unauthorized) {
            let what = "the database refuses the user";
            let fix = "check user and secrets under [data.options], and the rights on the table";
            return Problem::new(what).of_kind(ErrorKind::Io).file(&self.name).fix(fix).into();
        }
        let message = match holds {
            StatementHolds::Names => self.message(error),
            StatementHolds::Values => condition(error),
        };
        let lost = error.status == Status::IO || error.message.contains("Unavailable");
        let (said, fix) = if lost || error.message.contains("error reading from server") {
            ("the connection to the database was lost", "try again; nothing was published")
        } else if is_missing(error) {
            ("the database does not find what it was asked for", "check `table`, `query` or `path`")
        } else {
            ("the database refuses", "see the database's log; nothing was published")
        };
        let kind = if is_missing(error) { ErrorKind::NotFound } else { ErrorKind::Io };
        Problem::new(format!("{said} ({message})")).of_kind(kind).file(&self.name).fix(fix).into()
    }

    /// The first line of a message, without secrets.
    fn message(&self, error: &AdbcError) -> String {
        let line = error.message.lines().next().unwrap_or_default();
        let mut line: String = line.chars().take(SHOWN).collect();
        for secret in self.secrets.iter().filter(|secret| !secret.is_empty()) {
            line = line.replace(secret.as_str(), "***");
        }
        line
    }
}

fn is_missing(error: &AdbcError) -> bool {
    error.status == Status::NotFound || error.message.contains("NOT_FOUND")
}

/// The name of an error's condition, such as `[TABLE_OR_VIEW_NOT_FOUND]`, or its status.
fn condition(error: &AdbcError) -> String {
    let is_name = |word: &str| {
        word.len() > 3 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_' || b == b'.')
    };
    let named = error.message.split(['[', ']']).skip(1).step_by(2).find(|word| is_name(word));
    named.map_or_else(|| format!("{:?}", error.status), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_secrets_nor_values_are_shown() {
        let refusals = Refusals::new(Path::new("sc://h table t"), &["s3cret".into()]);
        let failed = |message: &str| AdbcError::with_message_and_status(message, Status::Internal);
        let said = refusals.unreachable(&failed("no route with s3cret\nmore")).to_string();
        assert!(
            said.contains("***") && !said.contains("s3cret") && !said.contains("more"),
            "{said}"
        );
        let error = failed("[Spark] [CAST_INVALID_INPUT] The value 'Anna Smith' …");
        let said = refusals.refusal(&error, StatementHolds::Values).to_string();
        assert!(said.contains("CAST_INVALID_INPUT") && !said.contains("Anna"), "{said}");
    }
}
