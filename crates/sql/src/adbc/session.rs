//! One connection of a driver.

use std::cell::RefCell;
use std::path::Path;

use adbc_core::error::Error as AdbcError;
use adbc_core::{Connection as _, Statement as _};
use adbc_driver_manager::{ManagedConnection, ManagedStatement};
use arrow_array::{RecordBatch, RecordBatchReader};
use haggle_model::{Error, Held, Progress};

use super::refusal::{Refusals, StatementHolds};
use super::rows::{BatchRow, is_known, kind};
use super::{Adbc, staging};
use crate::dialect::{Dialect, Sql};
use crate::engine::{SqlColumn, SqlEngine, StagedTable, VisitRow, number};
use crate::names::SqlTarget;
use crate::relation::Relation;
use crate::running::cancellable;

/// A connection, and the small tables that a publication joins.
pub(super) struct AdbcSession<'p> {
    connection: ManagedConnection,
    pub(super) dialect: &'static dyn Dialect,
    refusals: Refusals,
    /// Given to the engine with each statement: it keeps nothing that would have to be removed.
    relations: RefCell<Vec<Relation>>,
    /// Cancels statements.
    progress: &'p dyn Progress,
    /// Until this session ends, the engine works for it, or holds what may have to be removed.
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
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let handle = statement.get_cancel_handle();
        let next = cancellable(*progress, move || drop(handle.try_cancel()), || reader.next());
        let failed = |error| refused(*progress, refusals, &AdbcError::from(error), *holds);
        next.transpose().map_err(failed)
    }

    /// Stops a statement whose other rows are not wanted.
    pub(super) fn cancel(self) {
        let _ = self.statement.get_cancel_handle().try_cancel();
    }
}

/// Checks that the columns of a result can be read.
fn check_types(result: &StatementResult<'_>) -> Result<(), Error> {
    let schema = result.reader.schema();
    let unknown = schema.fields().iter().find(|field| !is_known(field.data_type()));
    unknown.map_or(Ok(()), |field| {
        let what = format!("the driver returns a type that is not known ({})", field.data_type());
        Err(Error::new(what, "use another driver, and please report this"))
    })
}

fn refused(
    progress: &dyn Progress,
    refusals: &Refusals,
    error: &AdbcError,
    holds: StatementHolds,
) -> Error {
    if progress.cancelled() { Error::Cancelled } else { refusals.refusal(error, holds) }
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
            return Err(Error::Cancelled);
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
            Err(Error::Cancelled) => Err(Error::Cancelled),
            Err(_) => Ok(false),
        }
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

impl SqlEngine for AdbcSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    fn columns(&self, table: &str) -> Result<Vec<SqlColumn>, Error> {
        let query = format!("SELECT * FROM {table} WHERE 1 = 0");
        let result = self.run(&query, StatementHolds::Names)?;
        let schema = result.reader.schema();
        let column = |field: &arrow_schema::FieldRef| SqlColumn {
            name: field.name().clone(),
            kind: kind(field.data_type()),
        };
        Ok(schema.fields().iter().map(column).collect())
    }

    /// Counted: these engines take the number from the footers of files, where they have it.
    fn estimate(&self, table: &str) -> Result<Option<f64>, Error> {
        let count = self.sql().count("count(*)");
        Ok(Some(number(self, &format!("SELECT {count} FROM {table}"))? as f64))
    }

    fn for_each(&self, query: &str, visit: VisitRow<'_>) -> Result<(), Error> {
        let mut result = self.run(query, StatementHolds::Values)?;
        check_types(&result)?;
        while let Some(batch) = result.next()? {
            let mut rows = (0..batch.num_rows()).map(|row| BatchRow { batch: &batch, row });
            if let Err(error) = rows.try_for_each(|row| visit(&row)) {
                result.cancel();
                return Err(error);
            }
        }
        Ok(())
    }

    fn execute(&self, statement: &str) -> Result<(), Error> {
        self.finish(statement, StatementHolds::Values)
    }

    fn begin(&self) -> Result<(), Error> {
        Ok(())
    }

    fn upload(&self, relation: &Relation) -> Result<(), Error> {
        self.relations.borrow_mut().push(relation.clone());
        Ok(())
    }

    fn stage(&self, target: &SqlTarget, query: &str) -> Result<StagedTable, Error> {
        staging::stage(self, target, query)
    }

    fn event(&self, staged: &StagedTable) -> Result<String, Error> {
        Ok(staging::event(self, staged))
    }

    fn commit(&self, staged: &StagedTable) -> Result<(), Error> {
        staging::commit(self, staged)
    }

    fn abandon(&self, staged: &StagedTable) -> Result<(), Error> {
        staging::abandon(self, staged)
    }
}
