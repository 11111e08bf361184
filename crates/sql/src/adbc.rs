//! Tables of databases with an ADBC driver: Spark Connect first, others by the name of their
//! driver.
//!
//! Drivers are shared libraries that are not part of haggle. Groups come as Arrow batches and are
//! never collected. Secrets come from the environment or a file and go nowhere but to the driver:
//! messages name the database's place and the table only. These databases have no transactions that
//! span statements, so a publication is written under another name, proved, and then renamed.

mod driver;
mod engine;
mod options;
mod records;
mod refusal;
mod rows;
mod session;
mod staging;

use std::io::Read;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use adbc_core::Database as _;
use adbc_driver_manager::ManagedConnection;
use haggle_cube::DatabaseStatistics;
use haggle_model::{Error, ErrorKind, Problem, Progress, Silent};
use haggle_output::Event;

use crate::database::{Access, Connector, Database};
use crate::dialect::{Dialect, Sql};
use crate::dialects;
use crate::engine::SqlEngine;
use crate::files::EngineFiles;
use crate::location::{EngineData, TableLocation, place_of};
use crate::names::TableName;
use driver::LoadedDriver;
use options::DriverOptions;
use records::RecordReader;
use refusal::Refusals;
use session::AdbcSession;

/// The driver of Spark Connect, by the name of its Python package.
const SPARK_DRIVER: &str = "adbc_driver_spark";

/// A database behind a driver.
pub(crate) struct Adbc {
    driver: LoadedDriver,
    options: DriverOptions,
    dialect: &'static dyn Dialect,
    /// The statement that makes the source known to a session, where one is needed.
    before: Option<String>,
    /// The one connection to a session that the user named. It is never closed, because closing it
    /// would end the user's session.
    named_session: Mutex<Option<ManuallyDrop<ManagedConnection>>>,
}

/// The table of a database.
pub(crate) fn open(location: &TableLocation, progress: &dyn Progress) -> Result<Database, Error> {
    let name = PathBuf::from(format!("{} {}", place_of(&location.url), location.data.title()));
    let dialect = dialect(location)?;
    let (source, before) = source(dialect, &location.data).map_err(|p| p.file(&name))?;
    let options = DriverOptions::of(location)?;
    let driver = LoadedDriver::find(&driver_name(location), options.entrypoint())?;
    let named_session = Mutex::new(None);
    let adbc = Adbc { driver, options, dialect, before, named_session };
    Database::found(Arc::new(adbc), source, name, progress)
}

fn driver_name(location: &TableLocation) -> String {
    let named = location.url.strip_prefix("adbc:").unwrap_or(SPARK_DRIVER);
    location.driver.clone().unwrap_or_else(|| named.to_owned())
}

/// The dialect that is stated, or that the url tells.
fn dialect(location: &TableLocation) -> Result<&'static dyn Dialect, Error> {
    if let Some(stated) = &location.dialect {
        return dialects::named(stated);
    }
    if location.url.starts_with("sc://") {
        return Ok(dialects::SPARK);
    }
    let driver = driver_name(location).to_lowercase();
    let named = dialects::CATALOG.iter().find(|dialect| driver.contains(dialect.id()));
    named.copied().ok_or_else(|| {
        let known: Vec<&str> = dialects::CATALOG.iter().map(|dialect| dialect.id()).collect();
        let fix = format!("state dialect = \"…\" under [data]: {}", known.join(", "));
        Error::new("the url does not tell which SQL the database takes", fix)
    })
}

/// The source as a query names it, and what a session needs to know it.
fn source(
    dialect: &'static dyn Dialect,
    data: &EngineData,
) -> Result<(String, Option<String>), Problem> {
    match data {
        EngineData::Table(table) => {
            let fix = "write table = \"schema.name\"; quote parts that hold dots or blanks";
            let name = TableName::parse(table);
            let name =
                name.ok_or_else(|| Problem::new("this is not a name of a table").fix(fix))?;
            Ok((name.sql(&Sql::of(dialect)), None))
        }
        // On lines of its own, so that a comment at its end ends there.
        EngineData::Query(query) => {
            Ok((format!("(\n{}\n)", query.trim().trim_end_matches(';')), None))
        }
        EngineData::Files(files) => {
            let fix = "write path = \"parquet:/data/table\", or csv:, delta:, iceberg:";
            let files = EngineFiles::parse(files)
                .ok_or_else(|| Problem::new("this path names no format").fix(fix))?;
            files.check()?;
            dialect.read_files(&files).ok_or_else(|| {
                let what = format!("{} cannot be asked for files by a path", dialect.title());
                Problem::new(what).fix("give query = \"SELECT …\" that reads them")
            })
        }
    }
}

impl Adbc {
    fn refusals(&self, name: &Path) -> Refusals {
        Refusals::new(name, self.options.secrets())
    }

    /// A connection, which is a session of its own unless the options name one.
    fn connect(&self, refusals: &Refusals) -> Result<ManagedConnection, Error> {
        if !self.options.names_session() {
            return self.connect_anew(refusals);
        }
        let mut held = self.named_session.lock().expect("no thread panicked");
        if let Some(connection) = &*held {
            return Ok((**connection).clone());
        }
        let connection = self.connect_anew(refusals)?;
        *held = Some(ManuallyDrop::new(connection.clone()));
        Ok(connection)
    }

    fn connect_anew(&self, refusals: &Refusals) -> Result<ManagedConnection, Error> {
        let unreachable = |error| refusals.unreachable(&error);
        let database = self.driver.database(self.options.values()).map_err(unreachable)?;
        database.new_connection().map_err(|error| refusals.unreachable(&error))
    }
}

impl Connector for Adbc {
    fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    fn session<'p>(
        &self,
        name: &Path,
        _: Access,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn SqlEngine + 'p>, Error> {
        Ok(Box::new(AdbcSession::open(self, name, progress)?))
    }

    fn records<'p>(
        &self,
        database: &Database,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn Read + Send + 'p>, Error> {
        let session = AdbcSession::open(self, database.name(), progress)?;
        Ok(Box::new(RecordReader::open(session, database)?))
    }

    fn at_this_moment(&self, _: &Path) -> Result<Option<Arc<dyn Connector>>, Error> {
        Ok(None)
    }

    fn stamp(&self, _: &Database) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn groups_records(&self) -> bool {
        true
    }

    fn statistics(&self, database: &Database) -> Result<DatabaseStatistics, Error> {
        let what = "haggle reads no statistics of this database";
        let fix = "choose the summary histogram, bayes, bayes-greedy or sample, which the engine \
                   counts or draws";
        Err(Problem::new(what)
            .of_kind(ErrorKind::Unsupported)
            .file(database.name())
            .fix(fix)
            .into())
    }

    fn happened(&self, name: &Path, event: &str) -> Result<Event, Error> {
        staging::happened(&AdbcSession::open(self, name, &Silent)?, event)
    }
}
