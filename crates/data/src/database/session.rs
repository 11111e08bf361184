//! One blocking connection: the rest of haggle has no asynchronous code.

use std::path::PathBuf;

use futures_util::TryStreamExt;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row};

use super::refusal::refusal;
use super::{Database, DatabaseColumn};
use crate::Error;

/// A connection and the thread of work that serves it.
pub(crate) struct DatabaseSession {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
    name: PathBuf,
    pub(super) table: String,
}

pub(crate) type SqlParameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl DatabaseSession {
    /// Connects; without `writes`, the server itself refuses to change anything.
    pub(crate) fn open(database: &Database, writes: bool) -> Result<Self, Error> {
        let name = database.name.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::io(&name))?;
        let mut config = database.config.clone();
        let access = if writes { "" } else { " -c default_transaction_read_only=on" };
        // Records come in the table's order, so that what is read twice reads alike.
        config.options(format!("-c synchronize_seqscans=off{access}"));
        let (client, connection) =
            runtime.block_on(config.connect(NoTls)).map_err(refusal(&name))?;
        runtime.spawn(async move {
            // The next statement fails and reports that the connection is gone.
            let _ = connection.await;
        });
        let session = Self { runtime, client, name, table: database.table.clone() };
        if let Some(snapshot) = &database.snapshot {
            session.run(&snapshot.begin())?;
        }
        Ok(session)
    }

    pub(crate) fn rows(&self, sql: &str, parameters: SqlParameters<'_>) -> Result<Vec<Row>, Error> {
        self.runtime.block_on(self.client.query(sql, parameters)).map_err(refusal(&self.name))
    }

    /// Runs commands that return no rows.
    pub(crate) fn run(&self, sql: &str) -> Result<(), Error> {
        self.runtime.block_on(self.client.batch_execute(sql)).map_err(refusal(&self.name))
    }

    pub(crate) fn execute(&self, sql: &str, parameters: SqlParameters<'_>) -> Result<u64, Error> {
        self.runtime.block_on(self.client.execute(sql, parameters)).map_err(refusal(&self.name))
    }

    /// Calls `visit` for one row after the other; only a few are in memory at a time.
    pub(crate) fn for_each(
        &self,
        sql: &str,
        parameters: SqlParameters<'_>,
        visit: &mut dyn FnMut(&Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.runtime.block_on(async {
            let rows = self.client.query_raw(sql, parameters.iter().copied()).await;
            let mut rows = std::pin::pin!(rows.map_err(refusal(&self.name))?);
            while let Some(row) = rows.try_next().await.map_err(refusal(&self.name))? {
                visit(&row)?;
            }
            Ok(())
        })
    }

    /// The columns of the table, from the catalog.
    pub(crate) fn columns(&self) -> Result<Vec<DatabaseColumn>, Error> {
        self.columns_named(&self.table)
    }

    /// The columns of another table.
    pub(crate) fn columns_of(&self, database: &Database) -> Result<Vec<DatabaseColumn>, Error> {
        self.columns_named(&database.table)
    }

    fn columns_named(&self, table: &str) -> Result<Vec<DatabaseColumn>, Error> {
        let sql = "SELECT attname::text, attnum, format_type(atttypid, NULL) FROM pg_attribute \
                   WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped \
                   ORDER BY attnum";
        let column =
            |row: &Row| DatabaseColumn { name: row.get(0), number: row.get(1), kind: row.get(2) };
        Ok(self.rows(sql, &[&table])?.iter().map(column).collect())
    }
}
