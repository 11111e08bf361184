//! ClickHouse.

use crate::dialect::Dialect;
use crate::relation::{Relation, RelationColumn};

/// ClickHouse.
#[derive(Debug)]
pub(crate) struct ClickHouse;

impl Dialect for ClickHouse {
    fn id(&self) -> &'static str {
        "clickhouse"
    }

    fn title(&self) -> &'static str {
        "ClickHouse"
    }

    fn quote(&self) -> char {
        '`'
    }

    fn escaped_name(&self, name: &str) -> String {
        name.replace('\\', "\\\\").replace('`', "``")
    }

    /// A backslash is always an escape.
    fn literal(&self, piece: &str) -> String {
        format!("'{}'", piece.replace('\\', "\\\\").replace('\'', "\\'"))
    }

    fn character(&self, character: char) -> String {
        format!("char({})", u32::from(character))
    }

    fn concat(&self, parts: &[String]) -> String {
        format!("concat({})", parts.join(", "))
    }

    fn text_type(&self) -> &'static str {
        "Nullable(String)"
    }

    fn code_type(&self) -> &'static str {
        "Nullable(Int32)"
    }

    fn count_type(&self) -> &'static str {
        "Int64"
    }

    fn trimmed(&self, text: &str, _: &str) -> String {
        format!("trim(BOTH ' \\t\\r\\n' FROM {text})")
    }

    fn rows(&self, relation: &Relation, tuples: &[Vec<String>]) -> String {
        let column = |(name, column): &(String, RelationColumn)| {
            format!("{name} {}", self.column_type(column))
        };
        let columns: Vec<String> = relation.columns().iter().map(column).collect();
        let tuple = |tuple: &Vec<String>| format!("({})", tuple.join(", "));
        let tuples: Vec<String> = tuples.iter().map(tuple).collect();
        format!("SELECT * FROM values('{}', {})", columns.join(", "), tuples.join(", "))
    }

    fn random(&self) -> &'static str {
        "rand()"
    }

    fn create_as(&self, table: &str, query: &str) -> String {
        let engine = "ENGINE = MergeTree ORDER BY tuple()";
        format!("CREATE TABLE {table} {engine} AS {query}{}", self.settings())
    }

    /// Without it, what matches nothing is empty or zero, not missing.
    fn settings(&self) -> &'static str {
        " SETTINGS join_use_nulls = 1"
    }

    fn reveal(&self, staged: &str, target: &str, _: &str) -> Vec<String> {
        vec![format!("RENAME TABLE {staged} TO {target}")]
    }

    fn expect_none(&self, query: &str, message: &str) -> String {
        format!("SELECT throwIf(count(*) > 0, '{message}') AS holds FROM ({query}) AS failing")
    }
}
