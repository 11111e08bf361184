//! One connection of a driver.

use std::cell::RefCell;
use std::path::Path;

use adbc_core::error::Error as AdbcError;
use adbc_core::{Connection as _, Statement as _};
use adbc_driver_manager::{ManagedConnection, ManagedStatement};
use arrow_array::{RecordBatch, RecordBatchReader};
use haggle_model::{Error, Held, Progress};

use super::Adbc;
use super::refusal::{Refusals, StatementHolds};
use super::rows::is_known;
use crate::dialect::{Dialect, Sql};
use crate::relation::Relation;
use crate::running::cancellable;

/// A connection, and the small tables that a publication joins.
pub(super) struct AdbcSession<'p> {
    connection: ManagedConnection,
    pub(super) dialect: &'static dyn Dialect,
    refusals: Refusals,
    /// Given to the database with each statement: it keeps nothing that would have to be removed.
    relations: RefCell<Vec<Relation>>,
    /// Cancels statements.
    progress: &'p dyn Progress,
    /// Until this session ends, the database works for it, or holds what may have to be removed.
    _held: Held<'p>,
}

/// The result of a statement, and what it needs to live.
pub(super) struct StatementResult<'p> {
    pub(super) reader: Box<dyn RecordBatchReader + Send>,
    statement: ManagedStatement,
    progress: &'p dyn Progress,
    refusals: Refusals,
    holds: StatementHolds,
}

impl StatementResult<'_> {
    /// The next batch; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let Self { reader, statement, progress, refusals, holds } = self;
        let handle = statement.get_cancel_handle();
        if progress.cancelled() {
            let _ = handle.try_cancel();
            return Err(Error::cancelled());
        }
        let next = cancellable(*progress, move || drop(handle.try_cancel()), || reader.next());
        let failed = |error| refused(*progress, refusals, &AdbcError::from(error), *holds);
        next.transpose().map_err(failed)
    }

    /// Checks that the columns of the result can be read.
    pub(super) fn check_types(&self) -> Result<(), Error> {
        let schema = self.reader.schema();
        let unknown = schema.fields().iter().find(|field| !is_known(field.data_type()));
        unknown.map_or(Ok(()), |field| {
            let what =
                format!("the driver returns a type that is not known ({})", field.data_type());
            Err(Error::unsupported(what, "use another driver, and please report this"))
        })
    }

    /// Stops a statement whose other rows are not wanted.
    pub(super) fn cancel(self) {
        let _ = self.statement.get_cancel_handle().try_cancel();
    }
}

fn refused(
    progress: &dyn Progress,
    refusals: &Refusals,
    error: &AdbcError,
    holds: StatementHolds,
) -> Error {
    if progress.cancelled() { Error::cancelled() } else { refusals.refusal(error, holds) }
}

impl<'p> AdbcSession<'p> {
    /// Connects, and makes the source known to the session.
    pub(super) fn open(
        adbc: &Adbc,
        name: &Path,
        progress: &'p dyn Progress,
    ) -> Result<Self, Error> {
        let refusals = adbc.refusals(name);
        let connection = adbc.connect(&refusals)?;
        let (relations, held) = (RefCell::default(), Held::by(progress));
        let dialect = adbc.dialect;
        let session = Self { connection, dialect, refusals, relations, progress, _held: held };
        if let Some(before) = &adbc.before {
            session.finish(before, StatementHolds::Names)?;
        }
        Ok(session)
    }

    pub(super) fn sql(&self) -> Sql<'static> {
        Sql::of(self.dialect)
    }

    /// Warns of something that the user should know.
    pub(super) fn warn(&self, text: &str) {
        self.progress.warn(text);
    }

    /// Starts a statement that is cancelled with the work.
    pub(super) fn run(
        &self,
        sql: &str,
        holds: StatementHolds,
    ) -> Result<StatementResult<'p>, Error> {
        let progress = self.progress;
        if progress.cancelled() {
            return Err(Error::cancelled());
        }
        let failed = |error| refused(progress, &self.refusals, &error, holds);
        let mut statement = self.statement(sql).map_err(failed)?;
        let handle = statement.get_cancel_handle();
        let cancel = move || drop(handle.try_cancel());
        let reader = cancellable(progress, cancel, || statement.execute()).map_err(failed)?;
        let refusals = self.refusals.clone();
        Ok(StatementResult { reader, statement, progress, refusals, holds })
    }

    fn statement(&self, sql: &str) -> Result<ManagedStatement, AdbcError> {
        let mut statement = self.connection.clone().new_statement()?;
        statement.set_sql_query(sql)?;
        Ok(statement)
    }

    /// Runs a statement that removes something, which is not cancelled with the work.
    pub(super) fn clean_up(&self, sql: &str) -> Result<(), AdbcError> {
        let mut statement = self.statement(sql)?;
        for batch in statement.execute()? {
            batch?;
        }
        Ok(())
    }

    /// Runs a statement to its end.
    pub(super) fn finish(&self, sql: &str, holds: StatementHolds) -> Result<(), Error> {
        let mut result = self.run(sql, holds)?;
        while result.next()?.is_some() {}
        Ok(())
    }

    /// Whether a query can be run: what it names is there.
    pub(super) fn can_run(&self, query: &str) -> Result<bool, Error> {
        match self.finish(query, StatementHolds::Names) {
            Ok(()) => Ok(true),
            Err(error) if error.is_cancelled() => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// Keeps a small table for the next query that joins it.
    pub(super) fn keep(&self, relation: &Relation) {
        self.relations.borrow_mut().push(relation.clone());
    }

    /// A query with the small tables that it joins.
    pub(super) fn with_relations(&self, query: &str) -> String {
        let relations = self.relations.take();
        if relations.is_empty() {
            return query.to_owned();
        }
        let relation = |r: &Relation| format!("{} AS ({})", r.name, self.sql().rows(r));
        let relations: Vec<String> = relations.iter().map(relation).collect();
        format!("WITH {} {query}", relations.join(", "))
    }
}
