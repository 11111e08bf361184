//! A table in PostgreSQL: connection settings, sessions, and errors in words.
//!
//! User and password come from the usual places (the url, `PGUSER`, `PGPASSWORD`, `PGPASSFILE` or
//! `~/.pgpass`) and go nowhere but to the server: messages name host, database and table only.
//! Sessions are read-only unless they publish, and encrypted as libpq's `sslmode` asks.

mod commits;
mod copy;
mod engine;
mod passfile;
mod refusal;
mod session;
mod snapshot;
mod ssl;
mod statistics;
mod tls;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use haggle_cube::DatabaseStatistics;
use haggle_model::{Error, Problem, Progress, Silent};
use haggle_output::Event;
use tokio_postgres::config::{ChannelBinding, Host};

use crate::database::{Access, Connector, Database};
use crate::dialect::{Dialect, Sql};
use crate::dialects::POSTGRESQL;
use crate::engine::SqlEngine;
use crate::names::TableName;
use copy::CopyReader;
use session::PostgresSession;
use snapshot::Snapshot;
use ssl::SslSettings;

/// How long connecting to a server may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// A server, and the moment at which sessions see it, if one was chosen.
#[derive(Clone)]
pub(crate) struct Postgres {
    config: tokio_postgres::Config,
    ssl: SslSettings,
    snapshot: Option<Arc<Snapshot>>,
}

/// The table of a database.
pub(crate) fn open(url: &str, table: &str, progress: &dyn Progress) -> Result<Database, Error> {
    let (config, ssl) = settle(url, progress)?;
    let name = named(&config, table);
    let parsed = TableName::parse(table).filter(|name| name.parts() <= 2);
    let table = parsed.ok_or_else(|| not_a_name().file(&name))?.sql(&Sql::of(POSTGRESQL));
    let postgres = Postgres { config, ssl, snapshot: None };
    Database::found(Arc::new(postgres), table, name, progress)
}

/// Whether a url holds a password. One that cannot be read is reported when it is opened.
pub(crate) fn holds_password(url: &str) -> bool {
    let settings = SslSettings::read(url, &|_: &str| None);
    let config = settings.ok().and_then(|(url, _)| url.parse::<tokio_postgres::Config>().ok());
    config.is_some_and(|config| config.get_password().is_some())
}

fn not_a_name() -> Problem {
    let fix = "write table = \"schema.name\"; quote parts that hold dots or blanks";
    Problem::new("this is not a name of a table").fix(fix)
}

impl Postgres {
    /// Connects to look something up in the server's catalog, which takes no time worth cancelling.
    fn catalog(&self, name: &Path) -> Result<PostgresSession<'static>, Error> {
        PostgresSession::open(self, name, Access::Reads, &Silent)
    }
}

impl Connector for Postgres {
    fn dialect(&self) -> &'static dyn Dialect {
        POSTGRESQL
    }

    fn session<'p>(
        &self,
        name: &Path,
        access: Access,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn SqlEngine + 'p>, Error> {
        Ok(Box::new(PostgresSession::open(self, name, access, progress)?))
    }

    fn records<'p>(
        &self,
        database: &Database,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn Read + Send + 'p>, Error> {
        let session = PostgresSession::open(self, database.name(), Access::Reads, progress)?;
        Ok(Box::new(CopyReader::open(session, database)?))
    }

    fn at_this_moment(&self, name: &Path) -> Result<Option<Arc<dyn Connector>>, Error> {
        let snapshot = Some(Arc::new(Snapshot::take(self, name)?));
        Ok(Some(Arc::new(Self { snapshot, ..self.clone() })))
    }

    fn stamp(&self, database: &Database) -> Result<Option<String>, Error> {
        statistics::stamp(&self.catalog(database.name())?, database)
    }

    fn statistics(&self, database: &Database) -> Result<DatabaseStatistics, Error> {
        statistics::all(&self.catalog(database.name())?, database)
    }

    fn happened(&self, name: &Path, event: &str) -> Result<Event, Error> {
        commits::happened(|| self.catalog(name), event)
    }
}

/// The connection's settings: the url, then the environment, then the password file.
fn settle(
    url: &str,
    progress: &dyn Progress,
) -> Result<(tokio_postgres::Config, SslSettings), Error> {
    let refuse = |what: &str, fix: &str| -> Error { Problem::new(what).fix(fix).into() };
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (url, ssl) = SslSettings::read(url, &variable)?;
    // The message does not quote the url: it might hold the password.
    let mut config: tokio_postgres::Config = url.parse().map_err(|_| {
        let fix = "write url = \"postgres://user@host:5432/database\"; the password goes into PGPASSWORD or ~/.pgpass";
        refuse("the url of the database cannot be read", fix)
    })?;
    if config.get_hosts().is_empty() {
        config.host(variable("PGHOST").unwrap_or_else(|| "localhost".into()));
    }
    if variable("PGCHANNELBINDING").as_deref() == Some("require") {
        config.channel_binding(ChannelBinding::Require);
    }
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
        && let Some(password) =
            variable("PGPASSWORD").or_else(|| passfile::password(&config, progress))
    {
        config.password(password);
    }
    if config.get_application_name().is_none() {
        config.application_name("haggle");
    }
    config.connect_timeout(CONNECT_TIMEOUT);
    Ok((config, ssl))
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
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn messages_never_hold_the_password() {
        let (config, _) = settle("postgres://anna:s3cret@db.example:6000/census", &Silent).unwrap();
        let name = named(&config, "public.adult");
        assert_eq!(name.to_str(), Some("postgres://db.example:6000/census table public.adult"));
        let wrong =
            settle("postgres://anna:s3cret@db example:port/x", &Silent).unwrap_err().to_string();
        assert!(!wrong.contains("s3cret"), "{wrong}");
        assert_snapshot!(wrong, @r#"
        the url of the database cannot be read
            fix: write url = "postgres://user@host:5432/database"; the password goes into PGPASSWORD or ~/.pgpass
        "#);
        let refused = settle("postgres://anna:s3cret@db/census?sslmode=on", &Silent);
        let refused = refused.unwrap_err().to_string();
        assert_snapshot!(refused, @"
        sslmode in the url is not a mode of PostgreSQL
            fix: use one of disable, allow, prefer, require, verify-ca, verify-full
        ");
    }
}
