//! DuckDB.

use crate::dialect::Dialect;
use crate::files::EngineFiles;

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

    fn sample(&self, percent: f64, seed: u64) -> String {
        format!(" TABLESAMPLE SYSTEM ({percent:.6} PERCENT) REPEATABLE ({})", seed % (1 << 31))
    }

    fn read_files(&self, files: &EngineFiles) -> Option<(String, Option<String>)> {
        let function = match files.format.as_str() {
            "parquet" => "read_parquet",
            "csv" => "read_csv",
            _ => return None,
        };
        Some((format!("{function}('{}')", files.path), None))
    }

    fn transaction(&self) -> Option<(&'static str, &'static str)> {
        Some(("BEGIN TRANSACTION", "COMMIT"))
    }
}
