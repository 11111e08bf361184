//! A connection of a driver as an SQL engine.

use haggle_model::Error;

use super::refusal::StatementHolds;
use super::rows::{BatchRow, kind};
use super::session::AdbcSession;
use super::staging;
use crate::dialect::Dialect;
use crate::engine::{SqlColumn, SqlEngine, StagedTable, VisitRow, number};
use crate::names::SqlTarget;
use crate::relation::Relation;

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

    /// Counted: these databases take the number from the footers of files, where they have it.
    fn estimate(&self, table: &str) -> Result<Option<f64>, Error> {
        let count = self.sql().count("count(*)");
        Ok(Some(number(self, &format!("SELECT {count} FROM {table}"))? as f64))
    }

    fn for_each(&self, query: &str, visit: VisitRow<'_>) -> Result<(), Error> {
        let mut result = self.run(query, StatementHolds::Values)?;
        result.check_types()?;
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
        self.keep(relation);
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
