//! Apache Spark, and servers that speak its protocol, such as Sail.

use crate::dialect::Dialect;

/// Apache Spark.
#[derive(Debug)]
pub(crate) struct Spark;

/// A quote, a backslash and the `$` of a variable, which settings of a session give other meanings.
pub(super) const SPELLED: &[char] = &['\'', '\\', '$'];

pub(super) fn concat(parts: &[String]) -> String {
    format!("concat({})", parts.join(", "))
}

pub(super) fn expect_none(query: &str, message: &str) -> String {
    format!("SELECT assert_true(count(*) = 0, '{message}') AS holds FROM ({query}) AS failing")
}

impl Dialect for Spark {
    fn id(&self) -> &'static str {
        "spark"
    }

    fn title(&self) -> &'static str {
        "Apache Spark"
    }

    fn quote(&self) -> char {
        '`'
    }

    fn spelled(&self) -> &'static [char] {
        SPELLED
    }

    fn concat(&self, parts: &[String]) -> String {
        concat(parts)
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

    /// Maps and what Spark calls variants cannot be compared.
    fn is_groupable(&self, kind: &str) -> bool {
        !kind.starts_with("map") && kind != "variant"
    }

    fn sample(&self, percent: f64, seed: u64) -> String {
        format!(" TABLESAMPLE ({percent:.6} PERCENT) REPEATABLE ({})", seed % (1 << 31))
    }

    fn grouping(&self, columns: &str) -> String {
        format!("GROUPING_ID({columns})")
    }

    fn random(&self) -> &'static str {
        "rand()"
    }

    /// Copied, not renamed: not every server of the protocol can rename a table.
    fn reveal(&self, staged: &str, target: &str, _: &str) -> Vec<String> {
        vec![
            format!("CREATE TABLE {target} AS SELECT * FROM {staged}"),
            format!("DROP TABLE {staged}"),
        ]
    }

    fn expect_none(&self, query: &str, message: &str) -> String {
        expect_none(query, message)
    }
}
