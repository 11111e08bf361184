//! A connection to PostgreSQL as an SQL engine.

use std::pin::pin;

use futures_util::TryStreamExt;
use haggle_model::Error;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::session::PostgresSession;
use super::{commits, snapshot, statistics};
use crate::dialect::{Dialect, Sql};
use crate::dialects::POSTGRESQL;
use crate::engine::{SqlColumn, SqlEngine, SqlRow, StagedTable, VisitRow};
use crate::names::SqlTarget;
use crate::relation::{Relation, RelationColumn};

/// How many rows of a small table are sent at once.
const BATCH_ROWS: usize = 10_000;

impl PostgresSession<'_> {
    /// Sends some rows of a relation, a column at a time.
    fn insert(&self, relation: &Relation, from: usize, to: usize) -> Result<(), Error> {
        let columns: Vec<Box<dyn ToSql + Sync>> =
            relation.columns().iter().map(|(_, column)| array(column, from, to)).collect();
        let parameters: Vec<&(dyn ToSql + Sync)> = columns.iter().map(AsRef::as_ref).collect();
        let arrays =
            relation.columns().iter().enumerate().map(|(i, (_, column))| {
                format!("${}::{}[]", i + 1, POSTGRESQL.column_type(column))
            });
        let arrays: Vec<String> = arrays.collect();
        let name = &relation.name;
        let sql = format!("INSERT INTO {name} SELECT * FROM unnest({})", arrays.join(", "));
        self.changed(&sql, &parameters).map(|_| ())
    }
}

/// Some values of a column as a parameter.
fn array(column: &RelationColumn, from: usize, to: usize) -> Box<dyn ToSql + Sync> {
    match column {
        RelationColumn::Text(values) => Box::new(values[from..to].to_vec()),
        RelationColumn::Code(values) => {
            Box::new(values[from..to].iter().map(|code| code.cast_signed()).collect::<Vec<i32>>())
        }
        RelationColumn::Count(values) => Box::new(values[from..to].to_vec()),
    }
}

impl SqlEngine for PostgresSession<'_> {
    fn dialect(&self) -> &'static dyn Dialect {
        POSTGRESQL
    }

    fn columns(&self, table: &str) -> Result<Vec<SqlColumn>, Error> {
        let sql = "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute \
                   WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped \
                   ORDER BY attnum";
        let column = |row: &Row| SqlColumn { name: row.get(0), kind: row.get(1) };
        Ok(self.rows(sql, &[&table])?.iter().map(column).collect())
    }

    fn estimate(&self, table: &str) -> Result<Option<f64>, Error> {
        Ok(Some(statistics::estimate(self, table)?).filter(|records| *records >= 0.0))
    }

    fn for_each(&self, query: &str, visit: VisitRow<'_>) -> Result<(), Error> {
        let none: [&(dyn ToSql + Sync); 0] = [];
        self.runtime.block_on(async {
            let mut rows = pin!(self.wanted(self.client.query_raw(query, none)).await?);
            while let Some(row) = self.wanted(rows.try_next()).await? {
                visit(&row)?;
            }
            Ok(())
        })
    }

    fn execute(&self, statement: &str) -> Result<(), Error> {
        self.run(statement)
    }

    fn upload(&self, relation: &Relation) -> Result<(), Error> {
        let column = |(name, column): &(String, RelationColumn)| {
            format!("{name} {}", POSTGRESQL.column_type(column))
        };
        let columns: Vec<String> = relation.columns().iter().map(column).collect();
        let name = &relation.name;
        self.run(&format!(
            "CREATE TEMPORARY TABLE {name} ({}) ON COMMIT DROP",
            columns.join(", ")
        ))?;
        let mut from = 0;
        while from < relation.len() {
            let to = relation.len().min(from + BATCH_ROWS);
            self.insert(relation, from, to)?;
            from = to;
        }
        self.run(&format!("ANALYZE {name}"))
    }

    /// Within a transaction, which hides the table until it is committed.
    fn stage(&self, target: &SqlTarget, query: &str) -> Result<StagedTable, Error> {
        let SqlTarget::Table(name) = target else {
            let what = "PostgreSQL cannot be asked to write files";
            return Err(Error::unsupported(what, "publish into a table, or into a file"));
        };
        let written_as = name.sql(&Sql::of(POSTGRESQL));
        let records = self.changed(&POSTGRESQL.create_as(&written_as, query), &[])?;
        Ok(StagedTable { written_as, target: target.clone(), records })
    }

    fn begin(&self) -> Result<(), Error> {
        if self.is_at_moment { Ok(()) } else { self.run(snapshot::BEGIN) }
    }

    fn event(&self, staged: &StagedTable) -> Result<String, Error> {
        commits::event(self, &staged.written_as)
    }

    fn commit(&self, _: &StagedTable) -> Result<(), Error> {
        if self.progress.cancelled() {
            return Err(Error::cancelled());
        }
        self.end("COMMIT")
    }

    fn abandon(&self, _: &StagedTable) -> Result<(), Error> {
        // Where this fails, the connection is gone and the server has done it.
        let _ = self.end("ROLLBACK");
        Ok(())
    }
}

impl SqlRow for Row {
    fn text(&self, column: usize) -> Option<&str> {
        self.get(column)
    }

    fn integer(&self, column: usize) -> Option<i64> {
        if *self.columns()[column].type_() == Type::INT4 {
            return self.get::<_, Option<i32>>(column).map(i64::from);
        }
        self.get(column)
    }

    fn boolean(&self, column: usize) -> bool {
        self.get::<_, Option<bool>>(column).unwrap_or(false)
    }
}
