//! What haggle needs of a database: columns, rows of a query, small tables, and a table that is
//! written, proved and only then shown.

use haggle_model::Error;

use crate::dialect::Dialect;
use crate::names::SqlTarget;
use crate::relation::Relation;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlColumn {
    /// Its name.
    pub name: String,
    /// Its type as the database names it.
    pub kind: String,
}

impl SqlColumn {
    /// Whether its values are texts, which may have blanks around them; a type that is not known is
    /// one of those.
    pub fn is_text(&self) -> bool {
        const OTHERS: [&str; 19] = [
            "bigint",
            "bool",
            "boolean",
            "date",
            "decimal",
            "double",
            "float",
            "int",
            "integer",
            "interval",
            "money",
            "null",
            "numeric",
            "oid",
            "real",
            "smallint",
            "time",
            "timestamp",
            "uint",
        ];
        let kind = self.kind.to_ascii_lowercase();
        let word = kind.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        let word = word.unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit());
        !OTHERS.contains(&word)
    }
}

/// A row of a query's result.
pub trait SqlRow {
    /// A text; `None` if it is missing.
    fn text(&self, column: usize) -> Option<&str>;

    /// A number of any integer type; `None` if it is missing.
    fn integer(&self, column: usize) -> Option<i64>;

    /// A truth value; false if it is missing.
    fn boolean(&self, column: usize) -> bool;
}

/// Receives one row after the other.
pub type VisitRow<'a> = &'a mut dyn FnMut(&dyn SqlRow) -> Result<(), Error>;

/// One session of a database. A query can be stopped by an error of the visitor.
pub trait SqlEngine {
    /// How it writes SQL.
    fn dialect(&self) -> &'static dyn Dialect;

    /// The columns of a table, which is named as SQL.
    fn columns(&self, table: &str) -> Result<Vec<SqlColumn>, Error>;

    /// About how many records a table has; `None` if that is not known.
    fn estimate(&self, table: &str) -> Result<Option<f64>, Error>;

    /// Calls `visit` for one row after the other; only a few are in memory at a time.
    fn for_each(&self, query: &str, visit: VisitRow<'_>) -> Result<(), Error>;

    /// Runs a statement that returns no rows.
    fn execute(&self, statement: &str) -> Result<(), Error>;

    /// Starts a publication, which sees one moment of the database where it can.
    fn begin(&self) -> Result<(), Error>;

    /// Gives the database a small table, which other sessions do not see and which ends with this
    /// one.
    fn upload(&self, relation: &Relation) -> Result<(), Error>;

    /// Writes records that nobody else takes for `target` yet.
    fn stage(&self, target: &SqlTarget, query: &str) -> Result<StagedTable, Error>;

    /// A text by which it can later be decided whether a staged table was committed.
    fn event(&self, staged: &StagedTable) -> Result<String, Error>;

    /// Shows the staged table to all as what it was made for.
    fn commit(&self, staged: &StagedTable) -> Result<(), Error>;

    /// Removes the staged table; what could not be removed is named.
    fn abandon(&self, staged: &StagedTable) -> Result<(), Error>;
}

/// A table that was written and is not committed.
#[derive(Debug, Clone)]
pub struct StagedTable {
    /// Its name as SQL until it is committed.
    pub written_as: String,
    /// What it is made for.
    pub target: SqlTarget,
    /// How many records it has.
    pub records: u64,
}

/// A number that a query returns.
pub fn number(engine: &dyn SqlEngine, query: &str) -> Result<u64, Error> {
    let mut found = 0;
    engine.for_each(query, &mut |row| {
        found = row.integer(0).unwrap_or(0).unsigned_abs();
        Ok(())
    })?;
    Ok(found)
}
