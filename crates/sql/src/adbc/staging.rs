//! A publication in a database without transactions: written under another name, proved, then
//! renamed. Files are written where they belong, because SQL cannot rename a folder; their manifest
//! comes last.

use haggle_model::{Error, ErrorKind};
use haggle_output::Event;
use serde::{Deserialize, Serialize};

use super::refusal::StatementHolds::{Names, Values};
use super::session::AdbcSession;
use crate::engine::{StagedTable, number};
use crate::files::EngineFiles;
use crate::names::{SqlTarget, TableName};
use crate::script::STAGED;

/// What a later process needs to decide whether a publication was committed.
#[derive(Debug, Serialize, Deserialize)]
struct StagedEvent {
    target: String,
    staged: String,
    records: u64,
}

/// Writes the publication where nobody takes it for one yet.
pub(super) fn stage(
    session: &AdbcSession<'_>,
    target: &SqlTarget,
    query: &str,
) -> Result<StagedTable, Error> {
    let (written_as, statement) = match target {
        SqlTarget::Table(name) => stage_table(session, name, query)?,
        SqlTarget::Files(files) => stage_files(session, files, query)?,
    };
    let mut staged = StagedTable { written_as, target: target.clone(), records: 0 };
    let written =
        session.finish(&statement, Values).and_then(|()| count(session, &staged.written_as));
    match written {
        Ok(records) => staged.records = records,
        Err(error) => return Err(left_behind(session, error, abandon(session, &staged))),
    }
    Ok(staged)
}

/// The error of a publication, with what could not be removed.
fn left_behind(session: &AdbcSession<'_>, error: Error, removed: Result<(), Error>) -> Error {
    if let Err(left) = removed {
        session.warn(&left.to_string());
    }
    error
}

fn stage_table(
    session: &AdbcSession<'_>,
    name: &TableName,
    query: &str,
) -> Result<(String, String), Error> {
    let sql = session.sql();
    let (target, staged) = (name.sql(&sql), name.with_suffix(STAGED).sql(&sql));
    if is_there(session, &target)? {
        let what = format!("there is a table {target} already");
        let fix = "name another table; none is ever replaced";
        return Err(Error::of_kind(ErrorKind::Conflict, what, fix));
    }
    if is_there(session, &staged)? {
        let what = format!("there is a table {staged}: another publication writes it, or one died");
        let fix = format!("wait for the other; if there is none, run DROP TABLE {staged}");
        return Err(Error::of_kind(ErrorKind::Conflict, what, fix));
    }
    let statement = session.dialect.create_as(&staged, &session.with_relations(query));
    Ok((staged, statement))
}

fn stage_files(
    session: &AdbcSession<'_>,
    files: &EngineFiles,
    query: &str,
) -> Result<(String, String), Error> {
    files.check()?;
    let refuse = || {
        let what = format!("{} cannot be asked to write {files}", session.dialect.title());
        Error::unsupported(
            what,
            "publish into a table, or into parquet:PATH where the database can",
        )
    };
    let (read, _) = session.dialect.read_files(files).ok_or_else(refuse)?;
    if is_there(session, &read)? && count(session, &read)? > 0 {
        let what = format!("there are records in {files} already");
        let fix = "name another folder; none is ever replaced";
        return Err(Error::of_kind(ErrorKind::Conflict, what, fix));
    }
    let query = session.with_relations(query);
    let statement = session.dialect.write_files(files, &query).ok_or_else(refuse)?;
    Ok((read, statement))
}

fn is_there(session: &AdbcSession<'_>, table: &str) -> Result<bool, Error> {
    session.can_run(&format!("SELECT 1 AS one FROM {table} WHERE 1 = 0"))
}

fn count(session: &AdbcSession<'_>, table: &str) -> Result<u64, Error> {
    let counted = session.sql().count("count(*)");
    number(session, &format!("SELECT {counted} FROM {table}"))
}

pub(super) fn event(session: &AdbcSession<'_>, staged: &StagedTable) -> String {
    let target = match &staged.target {
        SqlTarget::Table(name) => name.sql(&session.sql()),
        SqlTarget::Files(_) => staged.written_as.clone(),
    };
    let event = StagedEvent { target, staged: staged.written_as.clone(), records: staged.records };
    serde_json::to_string(&event).expect("texts can be written")
}

/// Gives the staged table its name: by renaming it, or by a copy where the database cannot rename.
pub(super) fn commit(session: &AdbcSession<'_>, staged: &StagedTable) -> Result<(), Error> {
    let SqlTarget::Table(name) = &staged.target else { return Ok(()) };
    let sql = session.sql();
    let (target, last) = (name.sql(&sql), sql.identifier(name.last()));
    let renamed = session.dialect.rename(&staged.written_as, &target, &last);
    if renamed.is_some_and(|statement| session.finish(&statement, Names).is_ok()) {
        return Ok(());
    }
    copy(session, staged, &target)
        .map_err(|error| left_behind(session, error, abandon(session, staged)))
}

fn copy(session: &AdbcSession<'_>, staged: &StagedTable, target: &str) -> Result<(), Error> {
    let query = format!("SELECT * FROM {}", staged.written_as);
    session.finish(&session.dialect.create_as(target, &query), Names)?;
    if count(session, target)? != staged.records {
        let what = format!("the copy of the proved table, {target}, has other records");
        let fix = format!("run DROP TABLE {target}");
        return Err(Error::of_kind(ErrorKind::BrokenPromise, what, fix));
    }
    session.finish(&format!("DROP TABLE {}", staged.written_as), Names)
}

/// Removes what was staged; files are emptied, since SQL cannot remove them.
pub(super) fn abandon(session: &AdbcSession<'_>, staged: &StagedTable) -> Result<(), Error> {
    let (statement, left) = match &staged.target {
        SqlTarget::Table(_) => {
            let table = &staged.written_as;
            (Some(format!("DROP TABLE IF EXISTS {table}")), format!("run DROP TABLE {table}"))
        }
        SqlTarget::Files(files) => {
            let none = format!("SELECT * FROM {} WHERE 1 = 0", staged.written_as);
            (session.dialect.write_files(files, &none), format!("remove {}", files.path))
        }
    };
    let removed = statement.map(|statement| session.clean_up(&statement));
    match removed {
        Some(Ok(())) => Ok(()),
        _ => Err(Error::of_kind(
            ErrorKind::Io,
            "what was written and not proved could not be removed",
            left,
        )),
    }
}

/// Whether a publication was committed; what it staged is then removed.
pub(super) fn happened(session: &AdbcSession<'_>, event: &str) -> Result<Event, Error> {
    let Ok(StagedEvent { target, staged, records }) = serde_json::from_str(event) else {
        return Ok(Event::Unknown);
    };
    let event = if !is_there(session, &target)? {
        Event::Failed
    } else if count(session, &target)? == records {
        Event::Happened
    } else {
        return Ok(Event::Unknown);
    };
    if staged != target && is_there(session, &staged)? {
        session.finish(&format!("DROP TABLE {staged}"), Names)?;
    }
    Ok(event)
}
