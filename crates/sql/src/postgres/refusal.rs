//! Errors of a database, worded for the user; never a record.

use std::path::Path;

use haggle_model::{Error, ErrorKind, Problem};
use tokio_postgres::error::SqlState;

/// The error of a table.
pub(super) fn refusal(name: &Path) -> impl Fn(tokio_postgres::Error) -> Error {
    move |error| problem(&error).file(name).into()
}

pub(super) fn problem(error: &tokio_postgres::Error) -> Problem {
    let Some(refused) = error.as_db_error() else {
        // The causes name hosts and sockets, never a password.
        let mut what = error.to_string();
        let mut cause = std::error::Error::source(error);
        while let Some(deeper) = cause {
            what = format!("{what}: {deeper}");
            cause = deeper.source();
        }
        if let Some(problem) = encryption_problem(&what) {
            return problem;
        }
        let lost = error.is_closed() || what.contains("communicating");
        let (said, fix) = if lost {
            ("the connection to the database was lost", "try again; nothing was written")
        } else {
            (
                "the database cannot be reached",
                "check host, port and user, and that the server runs",
            )
        };
        return Problem::new(format!("{said} ({what})")).of_kind(ErrorKind::Io).fix(fix);
    };
    let fix = match refused.code() {
        &SqlState::INSUFFICIENT_PRIVILEGE => "ask the owner for the right, or use another user",
        &SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME => {
            "check `table` in the project: schema.name"
        }
        &SqlState::UNDEFINED_COLUMN => "the table changed; check the project against it",
        &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            "set PGUSER and PGPASSWORD, or add a line to ~/.pgpass"
        }
        &SqlState::INVALID_CATALOG_NAME => "check the database's name in the url",
        &SqlState::READ_ONLY_SQL_TRANSACTION => "this session only reads; please report this",
        &SqlState::DUPLICATE_TABLE => "name another table; none is ever replaced",
        &SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN => "try again; nothing was written",
        _ => "see the server's log; nothing was written",
    };
    let code = refused.code().code();
    let what = match &code[..2] {
        "28" => "the database refuses the user".to_owned(),
        // Messages of these classes quote names of databases, tables and columns only; others may quote
        // values, or users, as those of connection poolers do (08).
        "25" | "3D" | "3F" | "42" | "55" | "57" => {
            format!("the database refuses: {}", refused.message())
        }
        _ => format!("the database refuses with code {code}"),
    };
    let kind = match refused.code() {
        &SqlState::UNDEFINED_TABLE
        | &SqlState::INVALID_SCHEMA_NAME
        | &SqlState::INVALID_CATALOG_NAME => ErrorKind::NotFound,
        // The user, or what the user may do, is part of what was asked.
        &SqlState::INVALID_PASSWORD
        | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION
        | &SqlState::INSUFFICIENT_PRIVILEGE => ErrorKind::BadInput,
        &SqlState::UNDEFINED_COLUMN => ErrorKind::DataChanged,
        &SqlState::DUPLICATE_TABLE => ErrorKind::Conflict,
        _ => ErrorKind::Io,
    };
    Problem::new(what).of_kind(kind).fix(fix)
}

/// A problem of encryption in words, if the driver's message is about one.
fn encryption_problem(message: &str) -> Option<Problem> {
    let (what, fix) = if message.contains("server does not support TLS") {
        (
            "the server does not encrypt connections, and sslmode asks for it",
            "switch TLS on in the server; or, on a network that you trust, set sslmode=prefer",
        )
    } else if message.contains("not valid for name") || message.contains("NotValidForName") {
        (
            "the server's certificate is for another host",
            "connect by a name that is in the certificate, or, if the network names it otherwise, set sslmode=verify-ca",
        )
    } else if message.contains("invalid peer certificate") {
        (
            "the server's certificate is not signed by the root certificate",
            "set sslrootcert or PGSSLROOTCERT to the certificate that signed the server's",
        )
    } else if message.contains("TLS handshake") {
        ("the encrypted connection failed", "check the server's log and the client certificate")
    } else {
        return None;
    };
    Some(Problem::new(format!("{what} ({message})")).fix(fix))
}
