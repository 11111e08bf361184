//! The statements that count: only groups and their counts leave the database.

use crate::dialect::Sql;
use crate::engine::SqlColumn;
use crate::relation::Relation;

/// A column that is counted by its values.
#[derive(Debug, Clone, Copy)]
pub struct CodedColumn {
    /// Its position in the table.
    pub column: usize,
    /// Whether every mark of a missing value is counted as one value.
    pub is_labelled: bool,
}

/// What is counted of a table, as SQL.
#[derive(Debug)]
pub struct CountQuery<'a> {
    /// How it is written.
    pub sql: Sql<'a>,
    /// The table, or a query in parentheses.
    pub source: &'a str,
    /// The table's columns.
    pub columns: &'a [SqlColumn],
    /// The columns that are counted, in order.
    pub coded: Vec<CodedColumn>,
    /// The columns in which a missing value matters.
    pub checked: &'a [usize],
    /// The texts that mean a missing value.
    pub marks: &'a [String],
    /// The one text that stands for all of them.
    pub label: &'a str,
    /// Whether records with a missing value are one group, because they do not count.
    pub merges_gaps: bool,
}

impl CountQuery<'_> {
    /// The groups of the recorded values: their texts, whether a value is missing, and the records.
    pub fn groups(&self) -> String {
        format!(
            "SELECT {}, gap, {} FROM ({}) q GROUP BY {}",
            self.fields(),
            self.sql.count("sum(n)"),
            self.view(&self.counted()),
            ordinals(self.coded.len() + 1)
        )
    }

    /// Selects single records as texts, with whether a value is missing; `sample` follows the
    /// table's name.
    pub fn records(&self, sample: &str) -> String {
        let view = self.view(&self.single(sample));
        format!("SELECT {}, gap, n FROM ({view}) q", self.fields())
    }

    /// How many records have each value, all columns in one scan: the texts, of which one is not
    /// missing, whether a value is missing, the records, and which columns are left out.
    pub fn marginals(&self) -> String {
        let names: Vec<String> = (0..self.coded.len()).map(|i| format!("f{i}")).collect();
        let sets: Vec<String> = names.iter().map(|name| format!("({name}, gap)")).collect();
        format!(
            "SELECT {}, gap, {}, {} FROM ({}) q GROUP BY GROUPING SETS ({})",
            names.join(", "),
            self.sql.count("sum(n)"),
            self.sql.count(&self.sql.dialect().grouping(&names.join(", "))),
            self.view(&self.counted()),
            sets.join(", ")
        )
    }

    /// The groups of generalized values: the first columns by the codes that their maps (values
    /// `v`, codes `c`) lead to, missing where a map does not know a value; the others by their
    /// texts.
    pub fn generalized(&self, maps: &[Relation]) -> String {
        let merged = |empty: &str, value: String| {
            if self.merges_gaps {
                format!("CASE WHEN gap THEN {empty} ELSE {value} END")
            } else {
                value
            }
        };
        let coded = (0..maps.len()).map(|i| merged("0", format!("m{i}.c")));
        let other = (maps.len()..self.coded.len()).map(|i| merged("''", format!("f{i}")));
        let joins = maps
            .iter()
            .enumerate()
            .map(|(i, map)| format!(" LEFT JOIN ({}) m{i} ON m{i}.v = q.f{i}", self.sql.rows(map)));
        format!(
            "SELECT {}, gap, {} FROM ({}) q{} GROUP BY {}{}",
            coded.chain(other).collect::<Vec<_>>().join(", "),
            self.sql.count("sum(n)"),
            self.view(&self.counted()),
            joins.collect::<String>(),
            ordinals(self.coded.len() + 1),
            self.sql.dialect().settings()
        )
    }

    /// `f0`, `f1` … as they are counted, whether a value is missing, and how many records that are.
    fn view(&self, raw: &str) -> String {
        let field = |column: usize| self.sql.field(&format!("r{column}"));
        let value = |(i, coded): (usize, &CodedColumn)| {
            let field = field(coded.column);
            let value = if coded.is_labelled {
                let is_gap = self.sql.is_one_of(&field, self.marks);
                format!("CASE WHEN {is_gap} THEN {} ELSE {field} END", self.sql.text(self.label))
            } else {
                field
            };
            format!("{value} AS f{i}")
        };
        let gap = |&column: &usize| self.sql.is_one_of(&field(column), self.marks);
        let gaps: Vec<String> = self.checked.iter().map(gap).collect();
        let gaps = if gaps.is_empty() { "1 = 0".into() } else { gaps.join(" OR ") };
        let values: Vec<String> = self.coded.iter().enumerate().map(value).collect();
        format!("SELECT {}, ({gaps}) AS gap, n FROM ({raw}) raw", values.join(", "))
    }

    /// The values as the database has them, counted before they become text: that is done once for
    /// each combination, not for each record.
    fn counted(&self) -> String {
        let (columns, values) = self.values();
        format!(
            "SELECT {values}, count(*) AS n FROM {} GROUP BY {}",
            self.source,
            ordinals(columns)
        )
    }

    fn single(&self, sample: &str) -> String {
        let one = self.sql.count("1");
        format!("SELECT {}, {one} AS n FROM {}{sample}", self.values().1, self.source)
    }

    /// The columns that are read, and how many.
    fn values(&self) -> (usize, String) {
        let coded = self.coded.iter().map(|coded| coded.column);
        let mut columns: Vec<usize> = coded.chain(self.checked.iter().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        let value = |&column: &usize| {
            let SqlColumn { name, kind } = &self.columns[column];
            let (name, dialect) = (self.sql.identifier(name), self.sql.dialect());
            let value = if dialect.is_groupable(kind) { name } else { dialect.as_text(&name) };
            format!("{value} AS r{column}")
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        (columns.len(), values.join(", "))
    }

    /// `f0, f1, …`; where records with a missing value do not count, they are one group.
    fn fields(&self) -> String {
        let one = |i: usize| {
            if self.merges_gaps {
                format!("CASE WHEN gap THEN '' ELSE f{i} END")
            } else {
                format!("f{i}")
            }
        };
        (0..self.coded.len()).map(one).collect::<Vec<_>>().join(", ")
    }
}

fn ordinals(columns: usize) -> String {
    (1..=columns).map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}
