//! In the place of `in_database` in a build without the feature `postgres`.

use std::convert::Infallible;

use haggle_cube::Counted;
use haggle_model::{Problem, QuasiIdentifier, Scheme};

use crate::counting::{Look, Marginals, Plan, Scanned, Tally};
use crate::{Database, Error, RecordRecoding, Table};

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
    pub publication: &'a RecordRecoding<'a>,
    /// The names of the published columns.
    pub names: &'a [String],
    /// The table to be made.
    pub target: &'a str,
    /// Whether records are put into a random order.
    pub shuffled: bool,
}

/// A table that was written and can still be rolled back, of which there is none.
pub struct TableDraft(Infallible);

impl TableDraft {
    /// Refuses: the data is not in a database.
    pub fn write(table: &Table, _what: &InDatabase<'_>) -> Result<Self, Error> {
        let problem = Problem::new("the data is not in a database").file(table.input().name());
        Err(problem.fix("publish into a file instead").into())
    }

    /// How many records were written.
    pub fn written(&self) -> u64 {
        match self.0 {}
    }

    /// The table that was written.
    pub fn table(&self) -> &Table {
        match self.0 {}
    }

    /// Counts what was written.
    pub fn scan(&self, _plan: &Plan, _memory: usize) -> Result<Scanned, Error> {
        match self.0 {}
    }

    /// How many records are unique over these columns.
    pub fn unique(&self, _columns: &[String]) -> Result<u64, Error> {
        match self.0 {}
    }

    /// Returns an event by which it can later be decided whether this draft was committed.
    pub fn event(&self) -> Result<String, Error> {
        match self.0 {}
    }

    /// Makes the table visible to all.
    pub fn commit(self) -> Result<(), Error> {
        match self.0 {}
    }
}
