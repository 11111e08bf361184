//! One blocking connection: the rest of haggle has no asynchronous code.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;

use futures_util::{FutureExt, TryStreamExt};
use haggle_model::{Error, Held, Progress};
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::refusal::refusal;
use super::ssl::SslSettings;
use super::{Postgres, commits, snapshot, statistics, tls};
use crate::database::Access;
use crate::dialect::{Dialect, Sql};
use crate::dialects::POSTGRESQL;
use crate::engine::{SqlColumn, SqlEngine, SqlRow, StagedTable, VisitRow};
use crate::names::SqlTarget;
use crate::relation::{Relation, RelationColumn};
use crate::running::POLL_INTERVAL;

/// How many rows of a small table are sent at once.
const BATCH_ROWS: usize = 10_000;

/// A connection and the thread of work that serves it.
pub(super) struct PostgresSession<'p> {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
    name: PathBuf,
    /// Whether the session sees one moment already.
    is_at_moment: bool,
    /// How the connection that cancels a statement is encrypted, if it may be.
    ssl: Option<SslSettings>,
    /// Cancels statements.
    progress: &'p dyn Progress,
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
                    Err(_) if progress.cancelled() => return Err(Error::Cancelled),
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
            return Err(Error::Cancelled);
        }
        self.runtime.block_on(self.wanted(statement))
    }

    async fn wanted<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Error> {
        let done = self.until_cancelled(statement).await.map_err(refusal(&self.name))?;
        done.ok_or(Error::Cancelled)
    }

    /// Waits for what the server does. Once the work is cancelled, the server is told so, again and
    /// again until it ends the statement; then there is nothing.
    pub(super) async fn until_cancelled<T>(
        &self,
        statement: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<Option<T>, tokio_postgres::Error> {
        let mut statement = pin!(statement);
        // Most rows are there already: no clock is set for them.
        if let Some(done) = statement.as_mut().now_or_never() {
            return done.map(Some);
        }
        let mut is_cancelled = false;
        loop {
            if self.progress.cancelled() {
                is_cancelled = true;
                tls::cancel(&self.client, self.ssl.as_ref()).await;
            }
            match timeout(POLL_INTERVAL, statement.as_mut()).await {
                Ok(Err(_)) if is_cancelled => return Ok(None),
                Ok(done) => return done.map(Some),
                Err(_) => {}
            }
        }
    }

    /// Runs a command that ends a transaction, which is not cancelled with the work.
    fn end(&self, command: &str) -> Result<(), Error> {
        self.runtime.block_on(self.client.batch_execute(command)).map_err(refusal(&self.name))
    }

    pub(super) fn rows(&self, sql: &str, parameters: SqlParameters<'_>) -> Result<Vec<Row>, Error> {
        self.wait(self.client.query(sql, parameters))
    }

    /// Runs commands that return no rows.
    pub(super) fn run(&self, sql: &str) -> Result<(), Error> {
        self.wait(self.client.batch_execute(sql))
    }

    fn changed(&self, sql: &str, parameters: SqlParameters<'_>) -> Result<u64, Error> {
        self.wait(self.client.execute(sql, parameters))
    }

    /// Sends some rows of a relation, a column at a time.
    fn insert(&self, relation: &Relation, from: usize, to: usize) -> Result<(), Error> {
        let columns: Vec<Box<dyn ToSql + Sync>> =
            relation.columns().iter().map(|(_, column)| array(column, from, to)).collect();
        let parameters: Vec<&(dyn ToSql + Sync)> = columns.iter().map(AsRef::as_ref).collect();
        let arrays =
            relation.columns().iter().enumerate().map(|(i, (_, column))| {
                format!("${}::{}[]", i + 1, POSTGRESQL.column_type(column))
            });
        let arrays: Vec<String> = arrays.collect();
        let name = &relation.name;
        let sql = format!("INSERT INTO {name} SELECT * FROM unnest({})", arrays.join(", "));
        self.changed(&sql, &parameters).map(|_| ())
    }
}

/// Some values of a column as a parameter.
fn array(column: &RelationColumn, from: usize, to: usize) -> Box<dyn ToSql + Sync> {
    match column {
        RelationColumn::Text(values) => Box::new(values[from..to].to_vec()),
        RelationColumn::Code(values) => {
            Box::new(values[from..to].iter().map(|code| code.cast_signed()).collect::<Vec<i32>>())
        }
        RelationColumn::Count(values) => Box::new(values[from..to].to_vec()),
    }
}

impl SqlEngine for PostgresSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        POSTGRESQL
    }

    fn columns(&self, table: &str) -> Result<Vec<SqlColumn>, Error> {
        let sql = "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute \
                   WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped \
                   ORDER BY attnum";
        let column = |row: &Row| SqlColumn { name: row.get(0), kind: row.get(1) };
        Ok(self.rows(sql, &[&table])?.iter().map(column).collect())
    }

    fn estimate(&self, table: &str) -> Result<Option<f64>, Error> {
        Ok(Some(statistics::estimate(self, table)?).filter(|records| *records >= 0.0))
    }

    fn for_each(&self, query: &str, visit: VisitRow<'_>) -> Result<(), Error> {
        let none: [&(dyn ToSql + Sync); 0] = [];
        self.runtime.block_on(async {
            let mut rows = pin!(self.wanted(self.client.query_raw(query, none)).await?);
            while let Some(row) = self.wanted(rows.try_next()).await? {
                visit(&row)?;
            }
            Ok(())
        })
    }

    fn execute(&self, statement: &str) -> Result<(), Error> {
        self.run(statement)
    }

    fn upload(&self, relation: &Relation) -> Result<(), Error> {
        let column = |(name, column): &(String, RelationColumn)| {
            format!("{name} {}", POSTGRESQL.column_type(column))
        };
        let columns: Vec<String> = relation.columns().iter().map(column).collect();
        let name = &relation.name;
        self.run(&format!(
            "CREATE TEMPORARY TABLE {name} ({}) ON COMMIT DROP",
            columns.join(", ")
        ))?;
        let mut from = 0;
        while from < relation.len() {
            let to = relation.len().min(from + BATCH_ROWS);
            self.insert(relation, from, to)?;
            from = to;
        }
        self.run(&format!("ANALYZE {name}"))
    }

    /// Within a transaction, which hides the table until it is committed.
    fn stage(&self, target: &SqlTarget, query: &str) -> Result<StagedTable, Error> {
        let SqlTarget::Table(name) = target else {
            let what = "PostgreSQL cannot be asked to write files";
            return Err(Error::new(what, "publish into a table, or into a file"));
        };
        let written_as = name.sql(&Sql::of(POSTGRESQL));
        let records = self.changed(&POSTGRESQL.create_as(&written_as, query), &[])?;
        Ok(StagedTable { written_as, target: target.clone(), records })
    }

    fn begin(&self) -> Result<(), Error> {
        if self.is_at_moment { Ok(()) } else { self.run(snapshot::BEGIN) }
    }

    fn event(&self, staged: &StagedTable) -> Result<String, Error> {
        commits::event(self, &staged.written_as)
    }

    fn commit(&self, _: &StagedTable) -> Result<(), Error> {
        if self.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        self.end("COMMIT")
    }

    fn abandon(&self, _: &StagedTable) -> Result<(), Error> {
        // Where this fails, the connection is gone and the server has done it.
        let _ = self.end("ROLLBACK");
        Ok(())
    }
}

impl SqlRow for Row {
    fn text(&self, column: usize) -> Option<&str> {
        self.get(column)
    }

    fn integer(&self, column: usize) -> Option<i64> {
        if *self.columns()[column].type_() == Type::INT4 {
            return self.get::<_, Option<i32>>(column).map(i64::from);
        }
        self.get(column)
    }

    fn boolean(&self, column: usize) -> bool {
        self.get::<_, Option<bool>>(column).unwrap_or(false)
    }
}
