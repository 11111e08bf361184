//! BigQuery.

use crate::dialect::Dialect;
use crate::relation::Relation;

/// BigQuery.
#[derive(Debug)]
pub(crate) struct BigQuery;

impl Dialect for BigQuery {
    fn id(&self) -> &'static str {
        "bigquery"
    }

    fn title(&self) -> &'static str {
        "BigQuery"
    }

    fn quote(&self) -> char {
        '`'
    }

    fn escaped_name(&self, name: &str) -> String {
        name.replace('\\', "\\\\").replace('`', "\\`")
    }

    /// A backslash is always an escape, and a literal ends with its line.
    fn literal(&self, piece: &str) -> String {
        let escaped = piece.replace('\\', "\\\\").replace('\'', "\\'");
        format!("'{}'", escaped.replace('\n', "\\n").replace('\r', "\\r"))
    }

    fn text_type(&self) -> &'static str {
        "STRING"
    }

    fn code_type(&self) -> &'static str {
        "INT64"
    }

    fn count_type(&self) -> &'static str {
        "INT64"
    }

    fn trimmed(&self, text: &str, blanks: &str) -> String {
        format!("trim({text}, {blanks})")
    }

    fn rows(&self, relation: &Relation, tuples: &[Vec<String>]) -> String {
        let named = |tuple: &Vec<String>| {
            let fields = tuple.iter().zip(relation.names());
            let fields: Vec<String> =
                fields.map(|(value, name)| format!("{value} AS {name}")).collect();
            format!("STRUCT({})", fields.join(", "))
        };
        let rows: Vec<String> = tuples.iter().map(named).collect();
        format!("SELECT * FROM UNNEST([{}])", rows.join(", "))
    }

    fn random(&self) -> &'static str {
        "rand()"
    }

    fn expect_none(&self, query: &str, message: &str) -> String {
        format!("SELECT IF(count(*) = 0, 1, ERROR('{message}')) AS holds FROM ({query}) AS failing")
    }
}
