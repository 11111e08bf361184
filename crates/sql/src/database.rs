//! A table of a database: where it is, its columns, and sessions that count or write.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use haggle_cube::DatabaseStatistics;
use haggle_model::{Error, Problem, Progress};
use haggle_output::Event;

use crate::dialect::{Dialect, Sql};
use crate::engine::{SqlColumn, SqlEngine};

/// What a session may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read; where the database can, it refuses anything else.
    Reads,
    /// Read, and write a publication.
    Writes,
}

/// A way to a database. It holds what connecting needs, secrets included, and no connection: every
/// session connects anew, so a database that was restarted is found again.
pub trait Connector: Send + Sync {
    /// How the database writes SQL.
    fn dialect(&self) -> &'static dyn Dialect;

    /// Connects. `name` is what messages call the table. Statements of the session are cancelled as
    /// soon as `progress` is.
    fn session<'p>(
        &self,
        name: &Path,
        access: Access,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn SqlEngine + 'p>, Error>;

    /// The records of a table as comma-separated text with a header, until `progress` is cancelled.
    fn records<'p>(
        &self,
        database: &Database,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn Read + Send + 'p>, Error>;

    /// Returns the database as it is at this moment; `None` if it cannot be fixed at one.
    fn at_this_moment(&self, name: &Path) -> Result<Option<Arc<dyn Connector>>, Error>;

    /// A text that changes when the table does; `None` if the database keeps none.
    fn stamp(&self, database: &Database) -> Result<Option<String>, Error>;

    /// Whether it is quicker to have equal records counted than to read them all: where the
    /// database is larger than this machine.
    fn groups_records(&self) -> bool {
        false
    }

    /// What the database keeps for planning its queries; the table is not read.
    fn statistics(&self, database: &Database) -> Result<DatabaseStatistics, Error>;

    /// Whether a staged table was committed, by the text that its session gave.
    fn happened(&self, name: &Path, event: &str) -> Result<Event, Error>;
}

/// A table of a database.
#[derive(Clone)]
pub struct Database {
    connector: Arc<dyn Connector>,
    source: String,
    name: PathBuf,
    columns: Arc<Vec<SqlColumn>>,
}

impl std::fmt::Debug for Database {
    /// Without what the connection needs, because that holds secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Database {
    /// The table that a query of the database names `source`.
    pub fn found(
        connector: Arc<dyn Connector>,
        source: String,
        name: PathBuf,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let columns = connector.session(&name, Access::Reads, progress)?.columns(&source)?;
        if columns.is_empty() {
            let what = "the table has no columns that can be read";
            return Err(Problem::new(what).file(&name).into());
        }
        Ok(Self { connector, source, name, columns: columns.into() })
    }

    /// Returns the table as it is at this moment, whatever others commit from now on; as it will
    /// be, where the database cannot be fixed at a moment.
    ///
    /// A transaction of the database stays open until the last clone is dropped.
    pub fn at_this_moment(&self) -> Result<Self, Error> {
        let fixed = self.connector.at_this_moment(&self.name)?;
        let connector = fixed.unwrap_or_else(|| self.connector.clone());
        Ok(Self { connector, ..self.clone() })
    }

    /// Where the table is, as messages name it.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The table as a query names it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Its columns.
    pub fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    /// The names of the columns.
    pub fn column_names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// How statements about it are written.
    pub fn sql(&self) -> Sql<'static> {
        Sql::of(self.connector.dialect())
    }

    /// Another table of the same database, as a session of it sees the table.
    pub fn with_source(&self, source: &str, columns: Vec<SqlColumn>) -> Self {
        Self { source: source.to_owned(), columns: columns.into(), ..self.clone() }
    }

    /// Connects. Statements of the session are cancelled as soon as `progress` is.
    pub fn session<'p>(
        &self,
        access: Access,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn SqlEngine + 'p>, Error> {
        self.connector.session(&self.name, access, progress)
    }

    /// The records as comma-separated text with a header, until `progress` is cancelled.
    pub fn records<'p>(
        &self,
        progress: &'p dyn Progress,
    ) -> Result<Box<dyn Read + Send + 'p>, Error> {
        self.connector.records(self, progress)
    }

    /// Returns a text that changes when the table does, as far as the database counts changes:
    /// within some seconds. Views have none.
    pub fn stamp(&self) -> Result<Option<String>, Error> {
        self.connector.stamp(self)
    }

    /// Whether it is quicker to have equal records counted than to read them all.
    pub fn groups_records(&self) -> bool {
        self.connector.groups_records()
    }

    /// Returns the statistics as they are; the table itself is not read.
    pub fn statistics(&self) -> Result<DatabaseStatistics, Error> {
        self.connector.statistics(self)
    }

    /// Whether a staged table was committed, by the text that its session gave.
    pub fn happened(&self, event: &str) -> Result<Event, Error> {
        self.connector.happened(&self.name, event)
    }
}
