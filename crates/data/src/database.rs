//! A table in PostgreSQL: connection settings, sessions, and errors in words.
//!
//! User and password come from the usual places (the url, `PGUSER`, `PGPASSWORD`, `PGPASSFILE` or
//! `~/.pgpass`) and go nowhere but to the server: messages name host, database and table only.
//! Sessions are read-only unless they publish.

mod copy;
mod passfile;
mod refusal;
mod session;
mod snapshot;
mod sql;
mod ssl;
mod statistics;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use haggle_model::Problem;
use tokio_postgres::config::Host;

use crate::Error;

pub(crate) use copy::CopyReader;
pub(crate) use session::DatabaseSession;
use snapshot::Snapshot;
pub(crate) use sql::{qualified, quoted, text_of};

/// How long connecting to a server may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// A table of a PostgreSQL database.
#[derive(Clone)]
pub struct Database {
    config: tokio_postgres::Config,
    table: String,
    name: PathBuf,
    columns: Arc<Vec<DatabaseColumn>>,
    /// The moment at which every session sees the database, if one was chosen.
    snapshot: Option<Arc<Snapshot>>,
}

/// A column as the database's catalog has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatabaseColumn {
    pub(crate) name: String,
    pub(crate) number: i16,
    pub(crate) kind: String,
}

impl std::fmt::Debug for Database {
    /// Without what the connection needs, because that holds the password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Database {
    /// Connects once and looks the table up in the catalog; no record is read.
    pub fn open(url: &str, table: &str) -> Result<Self, Error> {
        let config = settle(url)?;
        let name = named(&config, table);
        let table = qualified(table).ok_or_else(|| {
            let fix = "write table = \"schema.name\"; quote parts that hold dots or blanks";
            Problem::new("this is not a name of a table").file(&name).fix(fix)
        })?;
        let mut found = Self { config, table, name, columns: Arc::default(), snapshot: None };
        let columns = DatabaseSession::open(&found, false)?.columns()?;
        if columns.is_empty() {
            let what = "the table has no columns that can be read";
            return Err(Problem::new(what).file(&found.name).into());
        }
        found.columns = columns.into();
        Ok(found)
    }

    /// The same table as it is at this moment, whatever others commit from now on.
    ///
    /// A transaction of the database stays open until the last clone is dropped.
    pub fn at_this_moment(&self) -> Result<Self, Error> {
        Ok(Self { snapshot: Some(Arc::new(Snapshot::take(self)?)), ..self.clone() })
    }

    /// Host, database and table, as messages name them.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The names of the columns.
    pub(crate) fn column_names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The table's name as SQL.
    pub(crate) fn table(&self) -> &str {
        &self.table
    }

    /// The columns as the catalog has them.
    pub(crate) fn catalog(&self) -> &[DatabaseColumn] {
        &self.columns
    }

    /// The SQL that begins a transaction which sees one moment; `None` if sessions are at a chosen
    /// moment already.
    pub(crate) fn begin_snapshot(&self) -> Option<&'static str> {
        self.snapshot.is_none().then_some(snapshot::BEGIN)
    }

    /// Another table of the same database, seen at the same moment.
    pub(crate) fn with_table(&self, table: String, columns: Vec<DatabaseColumn>) -> Self {
        Self { table, columns: columns.into(), ..self.clone() }
    }
}

/// The connection's settings: the url, then the environment, then the password file.
fn settle(url: &str) -> Result<tokio_postgres::Config, Error> {
    let refuse = |what: &str, fix: &str| -> Error { Problem::new(what).fix(fix).into() };
    let (url, mode) = ssl::without_mode(url);
    // The message does not quote the url: it might hold the password.
    let mut config: tokio_postgres::Config = url.parse().map_err(|_| {
        let fix = "write url = \"postgres://user@host:5432/database\"; the password goes into PGPASSWORD or ~/.pgpass";
        refuse("the url of the database cannot be read", fix)
    })?;
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if config.get_hosts().is_empty() {
        config.host(variable("PGHOST").unwrap_or_else(|| "localhost".into()));
    }
    ssl::check(&config, mode.as_deref(), variable)?;
    if let (Some(port), true) = (variable("PGPORT"), config.get_ports().is_empty()) {
        config
            .port(port.parse().map_err(|_| refuse("PGPORT is not a port", "set it to a number"))?);
    }
    if config.get_user().is_none() {
        let user = variable("PGUSER").or_else(|| variable("USER"));
        config.user(user.unwrap_or_else(|| "postgres".into()));
    }
    if config.get_dbname().is_none() {
        let user = config.get_user().unwrap_or_default().to_owned();
        config.dbname(variable("PGDATABASE").unwrap_or(user));
    }
    if config.get_password().is_none()
        && let Some(password) = variable("PGPASSWORD").or_else(|| passfile::password(&config))
    {
        config.password(password);
    }
    if config.get_application_name().is_none() {
        config.application_name("haggle");
    }
    config.connect_timeout(CONNECT_TIMEOUT);
    Ok(config)
}

/// How messages name a table: without user and password.
fn named(config: &tokio_postgres::Config, table: &str) -> PathBuf {
    let (host, port) = place(config);
    let database = config.get_dbname().unwrap_or_default();
    format!("postgres://{host}:{port}/{database} table {table}").into()
}

/// The first host and port.
fn place(config: &tokio_postgres::Config) -> (String, u16) {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => "localhost".into(),
    };
    (host, config.get_ports().first().copied().unwrap_or(5432))
}

#[cfg(test)]
mod tests {
    use insta::{allow_duplicates, assert_snapshot};

    use super::*;

    #[test]
    fn messages_never_hold_the_password() {
        let config = settle("postgres://anna:s3cret@db.example:6000/census").unwrap();
        let name = named(&config, "public.adult");
        assert_eq!(name.to_str(), Some("postgres://db.example:6000/census table public.adult"));
        let wrong = settle("postgres://anna:s3cret@db example:port/x").unwrap_err().to_string();
        assert!(!wrong.contains("s3cret"), "{wrong}");
        assert_snapshot!(wrong, @r#"
        the url of the database cannot be read
            fix: write url = "postgres://user@host:5432/database"; the password goes into PGPASSWORD or ~/.pgpass
        "#);
        for mode in ["require", "verify-full"] {
            let url = format!("postgres://anna:s3cret@db/census?sslmode={mode}");
            let refused = settle(&url).unwrap_err().to_string();
            assert!(!refused.contains("s3cret"), "{refused}");
            allow_duplicates!(assert_snapshot!(refused.replace(mode, "[mode]"), @"
            an encrypted connection is not supported, and sslmode in the url is '[mode]'
                fix: connect through a tunnel or a Unix socket, or, on a network that you trust, set sslmode=prefer
            "));
        }
    }
}
