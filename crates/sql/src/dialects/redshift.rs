//! Amazon Redshift.

use crate::dialect::Dialect;
use crate::relation::Relation;

/// Amazon Redshift.
#[derive(Debug)]
pub(crate) struct Redshift;

impl Dialect for Redshift {
    fn id(&self) -> &'static str {
        "redshift"
    }

    fn title(&self) -> &'static str {
        "Amazon Redshift"
    }

    /// A backslash may be an escape, as in the PostgreSQL that Redshift comes from.
    fn spelled(&self) -> &'static [char] {
        &['\\']
    }

    /// Without a length, texts would be cut after 256 bytes.
    fn text_type(&self) -> &'static str {
        "VARCHAR(65535)"
    }

    fn trimmed(&self, text: &str, blanks: &str) -> String {
        format!("btrim({text}, {blanks})")
    }

    /// Redshift has no rows of values in queries.
    fn rows(&self, relation: &Relation, tuples: &[Vec<String>]) -> String {
        let row = |tuple: &Vec<String>| {
            let columns = tuple.iter().zip(relation.columns());
            let columns: Vec<String> = columns
                .map(|(value, (name, column))| {
                    format!("CAST({value} AS {}) AS {name}", self.column_type(column))
                })
                .collect();
            format!("SELECT {}", columns.join(", "))
        };
        tuples.iter().map(row).collect::<Vec<_>>().join(" UNION ALL ")
    }

    fn transaction(&self) -> Option<(&'static str, &'static str)> {
        Some(("BEGIN", "COMMIT"))
    }
}
