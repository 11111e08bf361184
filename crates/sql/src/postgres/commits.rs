//! Whether a transaction was committed, asked later by somebody else.

use std::time::{Duration, Instant};

use haggle_model::Error;
use haggle_output::Event;
use serde::{Deserialize, Serialize};

use super::session::PostgresSession;

/// How long a server may take to end the transaction of a client that died.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A transaction of the database and the table that it makes.
#[derive(Debug, Serialize, Deserialize)]
struct CommitEvent {
    transaction: i64,
    table: u32,
}

/// The event of a session's own transaction.
pub(super) fn event(session: &PostgresSession<'_>, table: &str) -> Result<String, Error> {
    let rows = session.rows("SELECT txid_current(), $1::text::regclass::oid", &[&table])?;
    let event = CommitEvent { transaction: rows[0].get(0), table: rows[0].get(1) };
    Ok(serde_json::to_string(&event).expect("numbers can be written"))
}

/// Whether it was committed. The server forgets transactions in time; then it was committed if its
/// table is there.
pub(super) fn happened<'p>(
    session: impl FnOnce() -> Result<PostgresSession<'p>, Error>,
    event: &str,
) -> Result<Event, Error> {
    let Ok(CommitEvent { transaction, table }) = serde_json::from_str(event) else {
        return Ok(Event::Unknown);
    };
    let session = session()?;
    let start = Instant::now();
    loop {
        let event = look_up(&session, transaction, table)?;
        if event != Event::Unknown || start.elapsed() > COMMIT_TIMEOUT {
            return Ok(event);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Asks the server once.
fn look_up(session: &PostgresSession<'_>, transaction: i64, table: u32) -> Result<Event, Error> {
    let sql = "SELECT CASE WHEN $1 < txid_snapshot_xmax(txid_current_snapshot()) \
               THEN txid_status($1) END, EXISTS (SELECT FROM pg_class WHERE oid = $2)";
    let rows = session.rows(sql, &[&transaction, &table])?;
    Ok(match (rows[0].get::<_, Option<&str>>(0), rows[0].get(1)) {
        (Some("committed"), _) | (None, true) => Event::Happened,
        (Some("in progress"), _) => Event::Unknown,
        _ => Event::Failed,
    })
}
