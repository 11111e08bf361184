//! DuckDB.

use crate::dialect::Dialect;

/// DuckDB.
#[derive(Debug)]
pub(crate) struct DuckDb;

impl Dialect for DuckDb {
    fn id(&self) -> &'static str {
        "duckdb"
    }

    fn title(&self) -> &'static str {
        "DuckDB"
    }

    fn trimmed(&self, text: &str, blanks: &str) -> String {
        format!("trim({text}, {blanks})")
    }

    fn transaction(&self) -> Option<(&'static str, &'static str)> {
        Some(("BEGIN TRANSACTION", "COMMIT"))
    }
}
