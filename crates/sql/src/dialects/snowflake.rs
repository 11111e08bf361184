//! Snowflake.

use crate::dialect::Dialect;

/// Snowflake.
#[derive(Debug)]
pub(crate) struct Snowflake;

impl Dialect for Snowflake {
    fn id(&self) -> &'static str {
        "snowflake"
    }

    fn title(&self) -> &'static str {
        "Snowflake"
    }

    /// A backslash is always an escape in Snowflake's literals.
    fn literal(&self, piece: &str) -> String {
        format!("'{}'", piece.replace('\\', "\\\\").replace('\'', "''"))
    }

    fn trimmed(&self, text: &str, blanks: &str) -> String {
        format!("trim({text}, {blanks})")
    }

    fn reveal(&self, staged: &str, target: &str, _: &str) -> Vec<String> {
        vec![format!("ALTER TABLE {staged} RENAME TO {target}")]
    }
}
