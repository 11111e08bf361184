//! One moment of a database, shared by several sessions: what others commit later is not seen.

use super::{Database, DatabaseSession};
use crate::Error;

/// Starts a transaction that sees one moment.
pub(super) const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/// A moment that sessions can be opened at, for as long as this is held.
pub(crate) struct Snapshot {
    id: String,
    /// Its open transaction keeps the snapshot valid.
    _holder: DatabaseSession,
}

impl Snapshot {
    /// Exports the present moment.
    pub(super) fn take(database: &Database) -> Result<Self, Error> {
        let holder =
            DatabaseSession::open(&Database { snapshot: None, ..database.clone() }, false)?;
        holder.run(BEGIN)?;
        let rows = holder.rows("SELECT pg_export_snapshot()", &[])?;
        Ok(Self { id: rows[0].get(0), _holder: holder })
    }

    /// Starts a transaction at this moment.
    pub(super) fn begin(&self) -> String {
        format!("{BEGIN}; SET TRANSACTION SNAPSHOT '{}'", self.id)
    }
}
