//! One moment of a database, shared by several sessions: what others commit later is not seen.

use std::path::Path;

use haggle_model::{Error, Silent};

use super::Postgres;
use super::session::PostgresSession;
use crate::database::Access;

/// Starts a transaction that sees one moment.
pub(super) const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/// A moment that sessions can be opened at, for as long as this is held.
pub(super) struct Snapshot {
    id: String,
    /// Its open transaction keeps the snapshot valid.
    _holder: PostgresSession<'static>,
}

impl Snapshot {
    /// Exports the present moment.
    pub(super) fn take(postgres: &Postgres, name: &Path) -> Result<Self, Error> {
        let now = Postgres { snapshot: None, ..postgres.clone() };
        let holder = PostgresSession::open(&now, name, Access::Reads, &Silent)?;
        holder.run(BEGIN)?;
        let rows = holder.rows("SELECT pg_export_snapshot()", &[])?;
        Ok(Self { id: rows[0].get(0), _holder: holder })
    }

    /// Starts a transaction at this moment.
    pub(super) fn begin(&self) -> String {
        format!("{BEGIN}; SET TRANSACTION SNAPSHOT '{}'", self.id)
    }
}
