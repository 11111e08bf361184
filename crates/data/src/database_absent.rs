//! Takes the place of databases in builds without them: opening one is refused.

use std::convert::Infallible;
use std::io::{self, Read};
use std::path::Path;

use haggle_cube::{Counted, DatabaseStatistics};
use haggle_model::{QuasiIdentifier, Scheme};

use crate::output::Event;
use crate::scan::Tally;
use crate::{Error, Look, Marginals, Plan, Publication, Scanned, Table};

/// A database that is never opened.
#[derive(Debug, Clone)]
pub struct Database(Infallible);

impl Database {
    /// Returns the error that this build has no databases.
    pub fn open(_: &str, _: &str) -> Result<Self, Error> {
        let fix = "build haggle with the feature postgres, or name a file";
        Err(Error::new("this build of haggle has no databases", fix))
    }

    /// Never called.
    pub fn at_this_moment(&self) -> Result<Self, Error> {
        match self.0 {}
    }

    /// Never called.
    pub fn name(&self) -> &Path {
        match self.0 {}
    }

    pub(crate) fn column_names(&self) -> Vec<String> {
        match self.0 {}
    }

    /// Never called.
    pub fn stamp(&self) -> Result<Option<String>, Error> {
        match self.0 {}
    }

    /// Never called.
    pub fn statistics(&self) -> Result<DatabaseStatistics, Error> {
        match self.0 {}
    }

    /// Never called.
    pub fn happened(&self, _: &str) -> Result<Event, Error> {
        match self.0 {}
    }
}

/// A reader that is never opened.
pub(crate) struct CopyReader(Infallible);

impl CopyReader {
    pub(crate) fn open(database: &Database) -> Result<Self, Error> {
        match database.0 {}
    }
}

impl Read for CopyReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

pub(crate) fn grouped(
    database: &Database,
    _: &Table,
    _: &Plan,
    _: usize,
) -> Result<Scanned, Error> {
    match database.0 {}
}

pub(crate) fn grouped_into<T: Tally>(
    database: &Database,
    _: &Table,
    _: &Plan,
    _: usize,
    _: T,
) -> Result<Scanned<T>, Error> {
    match database.0 {}
}

pub(crate) fn look(
    database: &Database,
    _: &Table,
    _: &Plan,
    _: (Look, usize, u64),
) -> Result<Scanned<Marginals>, Error> {
    match database.0 {}
}

pub(crate) fn count(
    database: &Database,
    _: &Table,
    _: &Plan,
    _: &[QuasiIdentifier],
    _: &Scheme,
) -> Result<(Counted, u64), Error> {
    match database.0 {}
}

/// A publication into a table of the same database.
#[derive(Debug)]
pub struct InDatabase<'a> {
    /// What is published.
    pub publication: &'a Publication<'a>,
    /// The names of the published columns.
    pub names: &'a [String],
    /// The table to be made.
    pub target: &'a str,
    /// Whether records are put into a random order.
    pub shuffled: bool,
}

/// A table that is never written.
pub struct Draft(Infallible);

impl Draft {
    /// Returns the error that this build has no databases.
    pub fn write(_: &Table, _: &InDatabase<'_>) -> Result<Self, Error> {
        let fix = "build haggle with the feature postgres, or publish into a file";
        Err(Error::new("this build of haggle has no databases", fix))
    }

    /// Never called.
    pub fn written(&self) -> u64 {
        match self.0 {}
    }

    /// Never called.
    pub fn table(&self) -> &Table {
        match self.0 {}
    }

    /// Never called.
    pub fn scan(&self, _: &Plan, _: usize) -> Result<Scanned, Error> {
        match self.0 {}
    }

    /// Never called.
    pub fn unique(&self, _: &[String]) -> Result<u64, Error> {
        match self.0 {}
    }

    /// Never called.
    pub fn event(&self) -> Result<String, Error> {
        match self.0 {}
    }

    /// Never called.
    pub fn commit(self) -> Result<(), Error> {
        match self.0 {}
    }
}
