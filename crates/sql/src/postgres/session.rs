//! One blocking connection: the rest of haggle has no asynchronous code.

use std::path::{Path, PathBuf};
use std::pin::pin;

use futures_util::FutureExt;
use haggle_model::{Error, Held, Progress};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::refusal::refusal;
use super::ssl::SslSettings;
use super::{Postgres, tls};
use crate::database::Access;
use crate::running::POLL_INTERVAL;

/// A connection and the thread of work that serves it.
pub(super) struct PostgresSession<'p> {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
    name: PathBuf,
    /// Whether the session sees one moment already.
    pub(super) is_at_moment: bool,
    /// How the connection that cancels a statement is encrypted, if it may be.
    ssl: Option<SslSettings>,
    /// Cancels statements.
    pub(super) progress: &'p dyn Progress,
    /// Until this session ends, the server works for it.
    _held: Held<'p>,
}

pub(super) type SqlParameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl<'p> PostgresSession<'p> {
    /// Connects; unless it writes, the server itself refuses to change anything.
    pub(super) fn open(
        postgres: &Postgres,
        name: &Path,
        access: Access,
        progress: &'p dyn Progress,
    ) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::io(name))?;
        let mut config = postgres.config.clone();
        let access =
            if access == Access::Writes { "" } else { " -c default_transaction_read_only=on" };
        // Records come in the table's order, so that what is read twice reads alike.
        config.options(format!("-c synchronize_seqscans=off{access}"));
        let is_plain = tls::is_plain(&config, &postgres.ssl);
        let client = runtime.block_on(async {
            let mut connecting = pin!(tls::connect(&mut config, &postgres.ssl, name));
            loop {
                match timeout(POLL_INTERVAL, connecting.as_mut()).await {
                    Ok(client) => return client,
                    Err(_) if progress.cancelled() => return Err(Error::cancelled()),
                    Err(_) => {}
                }
            }
        })?;
        let session = Self {
            runtime,
            client,
            name: name.to_owned(),
            is_at_moment: postgres.snapshot.is_some(),
            ssl: (!is_plain).then(|| postgres.ssl.clone()),
            progress,
            _held: Held::by(progress),
        };
        if let Some(snapshot) = &postgres.snapshot {
            session.run(&snapshot.begin())?;
        }
        Ok(session)
    }

    /// Waits for what the server does; an error if the work is cancelled before.
    pub(super) fn wait<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Error> {
        if self.progress.cancelled() {
            return Err(Error::cancelled());
        }
        self.runtime.block_on(self.wanted(statement))
    }

    /// Waits for what the server does, within the runtime; an error if the work is cancelled before.
    pub(super) async fn wanted<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Error> {
        let done = self.until_cancelled(statement).await.map_err(refusal(&self.name))?;
        done.ok_or_else(Error::cancelled)
    }

    /// Waits for what the server does. Once the work is cancelled, the statement is cancelled, again and
    /// again until the server ends it; then there is nothing.
    pub(super) async fn until_cancelled<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<Option<T>, tokio_postgres::Error> {
        let ended = |done: Result<T, tokio_postgres::Error>| match done {
            Err(_) if self.progress.cancelled() => Ok(None),
            done => done.map(Some),
        };
        let mut statement = pin!(statement);
        // Most rows are there already: no clock is set for them.
        if let Some(done) = statement.as_mut().now_or_never() {
            return ended(done);
        }
        loop {
            if self.progress.cancelled() {
                tls::cancel(&self.client, self.ssl.as_ref()).await;
            }
            if let Ok(done) = timeout(POLL_INTERVAL, statement.as_mut()).await {
                return ended(done);
            }
        }
    }

    /// Runs a command that ends a transaction, which is not cancelled with the work.
    pub(super) fn end(&self, command: &str) -> Result<(), Error> {
        self.runtime.block_on(self.client.batch_execute(command)).map_err(refusal(&self.name))
    }

    pub(super) fn rows(&self, sql: &str, parameters: SqlParameters<'_>) -> Result<Vec<Row>, Error> {
        self.wait(self.client.query(sql, parameters))
    }

    /// Runs commands that return no rows.
    pub(super) fn run(&self, sql: &str) -> Result<(), Error> {
        self.wait(self.client.batch_execute(sql))
    }

    /// Runs a statement and returns how many rows it changed.
    pub(super) fn changed(&self, sql: &str, parameters: SqlParameters<'_>) -> Result<u64, Error> {
        self.wait(self.client.execute(sql, parameters))
    }
}
