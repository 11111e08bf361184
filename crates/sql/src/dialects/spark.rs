//! Apache Spark, and servers that speak its protocol, such as Sail.

use crate::dialect::Dialect;
use crate::files::EngineFiles;
use crate::relation::{FIELD_END, ROW_END, Relation, RelationColumn};

/// Apache Spark.
#[derive(Debug)]
pub(crate) struct Spark;

/// A quote, a backslash and the `$` of a variable, which settings of a session give other meanings.
pub(super) const SPELLED: &[char] = &['\'', '\\', '$'];

/// Into how many parts records are put at random.
const SHUFFLED_PARTS: u32 = 64;

pub(super) fn concat(parts: &[String]) -> String {
    format!("concat({})", parts.join(", "))
}

/// Bit by bit: `GROUPING_ID` would have to name every column that is grouped by.
pub(super) fn grouping(columns: &str) -> String {
    let columns: Vec<&str> = columns.split(", ").collect();
    let bit = |(i, column): (usize, &&str)| {
        format!("CAST(grouping({column}) AS BIGINT) * {}", 1_u64 << (columns.len() - 1 - i))
    };
    columns.iter().enumerate().map(bit).collect::<Vec<_>>().join(" + ")
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
        grouping(columns)
    }

    fn random(&self) -> &'static str {
        "rand()"
    }

    fn unpacked(&self, relation: &Relation, packed: &str) -> Option<String> {
        let field = |(i, (name, column)): (usize, &(String, RelationColumn))| match column {
            RelationColumn::Text(_) => format!("p[{i}] AS {name}"),
            other => format!("CAST(p[{i}] AS {}) AS {name}", self.column_type(other)),
        };
        let fields: Vec<String> = relation.columns().iter().enumerate().map(field).collect();
        Some(format!(
            "SELECT {} FROM (SELECT split(line, '{FIELD_END}') AS p FROM (SELECT \
             explode(split({packed}, '{ROW_END}')) AS line) AS l) AS t",
            fields.join(", ")
        ))
    }

    /// Into random parts and a random order within each, which all workers do at once. An `ORDER BY` at
    /// the end is not enough: Sail leaves it out where records are written.
    fn shuffled(&self, query: &str, names: &str) -> String {
        format!(
            "SELECT {names} FROM (SELECT p.*, row_number() OVER (PARTITION BY haggle_part ORDER BY \
             haggle_order) AS haggle_row FROM (SELECT r.*, CAST(floor(rand() * {SHUFFLED_PARTS}) AS INT) \
             AS haggle_part, rand() AS haggle_order FROM ({query}) r) p) q WHERE haggle_row > 0"
        )
    }

    fn rename(&self, staged: &str, target: &str, _: &str) -> Option<String> {
        Some(format!("ALTER TABLE {staged} RENAME TO {target}"))
    }

    /// Delimited text is opened as a view, because its header is an option.
    fn read_files(&self, files: &EngineFiles) -> Option<(String, Option<String>)> {
        let EngineFiles { format, path } = files;
        if format != "csv" {
            return Some((format!("{format}.`{path}`"), None));
        }
        let view = "haggle_csv_source";
        let statement = format!(
            "CREATE OR REPLACE TEMPORARY VIEW {view} USING csv OPTIONS (path '{path}', header 'true')"
        );
        Some((view.into(), Some(statement)))
    }

    fn write_files(&self, files: &EngineFiles, query: &str) -> Option<String> {
        let EngineFiles { format, path } = files;
        let is_written = format == "parquet";
        is_written.then(|| format!("INSERT OVERWRITE DIRECTORY '{path}' USING {format} {query}"))
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
