//! PostgreSQL.

use crate::dialect::Dialect;

/// Types whose values PostgreSQL cannot compare.
const NOT_COMPARABLE: [&str; 9] =
    ["json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"];

/// PostgreSQL.
#[derive(Debug)]
pub(crate) struct PostgreSql;

impl Dialect for PostgreSql {
    fn id(&self) -> &'static str {
        "postgresql"
    }

    fn title(&self) -> &'static str {
        "PostgreSQL"
    }

    /// A backslash means itself only with `standard_conforming_strings`.
    fn spelled(&self) -> &'static [char] {
        &['\\']
    }

    fn text_type(&self) -> &'static str {
        "text"
    }

    fn code_type(&self) -> &'static str {
        "int4"
    }

    fn count_type(&self) -> &'static str {
        "int8"
    }

    fn trimmed(&self, text: &str, _: &str) -> String {
        format!("btrim({text}, E' \\t\\r\\n')")
    }

    fn is_groupable(&self, kind: &str) -> bool {
        !NOT_COMPARABLE.contains(&kind)
    }

    fn transaction(&self) -> Option<(&'static str, &'static str)> {
        Some(("BEGIN", "COMMIT"))
    }
}
