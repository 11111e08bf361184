//! Databricks SQL.

use super::spark;
use crate::dialect::Dialect;

/// Databricks SQL: Spark's, with tables that can be renamed.
#[derive(Debug)]
pub(crate) struct Databricks;

impl Dialect for Databricks {
    fn id(&self) -> &'static str {
        "databricks"
    }

    fn title(&self) -> &'static str {
        "Databricks"
    }

    fn quote(&self) -> char {
        '`'
    }

    fn spelled(&self) -> &'static [char] {
        spark::SPELLED
    }

    fn concat(&self, parts: &[String]) -> String {
        spark::concat(parts)
    }

    fn text_type(&self) -> &'static str {
        "STRING"
    }

    fn code_type(&self) -> &'static str {
        "INT"
    }

    fn trimmed(&self, text: &str, blanks: &str) -> String {
        format!("btrim({text}, {blanks})")
    }

    fn grouping(&self, columns: &str) -> String {
        spark::grouping(columns)
    }

    fn random(&self) -> &'static str {
        "rand()"
    }

    fn reveal(&self, staged: &str, target: &str, _: &str) -> Vec<String> {
        vec![format!("ALTER TABLE {staged} RENAME TO {target}")]
    }

    fn expect_none(&self, query: &str, message: &str) -> String {
        spark::expect_none(query, message)
    }
}
