//! In the place of `database` in a build without the feature `postgres`: no table can be opened.

use std::convert::Infallible;
use std::io::{self, Read};
use std::path::Path;

use haggle_cube::DatabaseStatistics;
use haggle_output::Event;

use crate::Error;

/// A table of a database, of which there is none.
#[derive(Debug, Clone)]
pub struct Database(pub(crate) Infallible);

impl Database {
    /// Refuses: this build cannot connect to databases.
    pub fn open(_url: &str, _table: &str) -> Result<Self, Error> {
        let what = "this build of haggle cannot connect to databases";
        Err(Error::new(what, "build it with the feature `postgres`, or export the table as a file"))
    }

    /// The same table as it is at this moment.
    pub fn at_this_moment(&self) -> Result<Self, Error> {
        match self.0 {}
    }

    /// Host, database and table, as messages name them.
    pub fn name(&self) -> &Path {
        match self.0 {}
    }

    pub(crate) fn column_names(&self) -> Vec<String> {
        match self.0 {}
    }

    /// Returns a text that changes when the table does.
    pub fn stamp(&self) -> Result<Option<String>, Error> {
        match self.0 {}
    }

    /// Returns the statistics as they are.
    pub fn statistics(&self) -> Result<DatabaseStatistics, Error> {
        match self.0 {}
    }

    /// Whether a draft of this database was committed.
    pub fn happened(&self, _event: &str) -> Result<Event, Error> {
        match self.0 {}
    }
}

/// Reads a table as comma-separated text with a header.
pub(crate) enum CopyReader {}

impl CopyReader {
    pub(crate) fn open(database: &Database) -> Result<Self, Error> {
        match database.0 {}
    }
}

impl Read for CopyReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match *self {}
    }
}
