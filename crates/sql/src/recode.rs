//! The statement that recodes and suppresses: mapping tables joined to the table. Values that are
//! recoded on their own have a mapping each; where they depend on each other, their recorded codes lead
//! to a table of combinations.

use haggle_model::{ANY, Recoder};

use crate::dialect::Sql;
use crate::relation::{Relation, RelationColumn};

/// What a published column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecodedColumn {
    /// A column as it is.
    AsRecorded {
        /// The column.
        column: String,
        /// Whether it may hold texts, which are written without blanks around them; all others keep
        /// their type.
        is_text: bool,
    },
    /// The quasi-identifier at this position, from this column.
    Recoded {
        /// The column.
        column: String,
        /// The position among the quasi-identifiers.
        position: usize,
    },
    /// A column with each value replaced as a relation says; a value that is not there stays.
    Mapped {
        /// The column.
        column: String,
        /// The relation, made by [`shown`].
        relation: Relation,
    },
    /// Whether the record's group was suppressed.
    Flag,
}

/// How records with a missing value are published.
#[derive(Debug, Clone)]
pub struct Gaps<'a> {
    /// The texts that mean a missing value.
    pub marks: &'a [String],
    /// The one text that stands for all of them.
    pub label: &'a str,
    /// The columns in which a missing value matters.
    pub checked: Vec<String>,
    /// Whether missing is a value; else such records are left out.
    pub are_values: bool,
}

/// A publication as SQL.
#[derive(Debug)]
pub struct Recode<'a> {
    /// The table, or a query in parentheses.
    pub source: String,
    /// The published columns with their names.
    pub columns: Vec<(RecodedColumn, String)>,
    /// How quasi-identifiers change.
    pub recoder: &'a Recoder<'a>,
    /// The groups that fail, as published codes.
    pub failing: Vec<&'a [u32]>,
    /// Whether their records are kept with `*` in every quasi-identifier.
    pub keeps_stars: bool,
    /// How missing values are published.
    pub gaps: Gaps<'a>,
    /// Whether records are put into a random order.
    pub is_shuffled: bool,
}

/// The relation of values and what is shown for them, for the published column at this place.
pub fn shown<'v>(place: usize, mapping: impl Iterator<Item = (&'v str, &'v str)>) -> Relation {
    let mut pairs: Vec<(&str, &str)> = mapping.collect();
    pairs.sort_unstable();
    let (values, labels) =
        pairs.iter().map(|(v, label)| ((*v).to_owned(), (*label).to_owned())).unzip();
    let columns = vec![text("v", values), text("label", labels)];
    Relation::new(format!("haggle_shown_{place}"), columns)
}

fn text(name: impl Into<String>, values: Vec<String>) -> (String, RelationColumn) {
    (name.into(), RelationColumn::Text(values))
}

fn code(name: impl Into<String>, values: Vec<u32>) -> (String, RelationColumn) {
    (name.into(), RelationColumn::Code(values))
}

impl Recode<'_> {
    /// The helper tables that the statement joins: value maps, combinations, failing groups.
    pub fn relations(&self) -> Vec<Relation> {
        let maps = (0..self.recoder.attributes()).map(|position| self.map(position));
        let shown = self.columns.iter().filter_map(|(column, _)| match column {
            RecodedColumn::Mapped { relation, .. } => Some(relation.clone()),
            _ => None,
        });
        maps.chain(shown).chain(self.combinations()).chain([self.failing_groups()]).collect()
    }

    /// What becomes of the values of an attribute. Where that depends on the others, each has its
    /// recorded code, by which its combination is found.
    fn map(&self, position: usize) -> Relation {
        let hierarchy = self.recoder.hierarchy(position);
        let recorded = 0..hierarchy.len(0.into()) as u32;
        let values: Vec<String> =
            recorded.clone().map(|code| hierarchy.label(code, 0.into()).to_owned()).collect();
        let (codes, labels) = match self.recoder.map(position) {
            None => (recorded.collect(), values.clone()),
            Some(codes) => {
                let labels =
                    codes.iter().map(|&code| self.recoder.label(position, code).to_owned());
                (codes.to_vec(), labels.collect())
            }
        };
        let columns = vec![text("v", values), code("c", codes), text("label", labels)];
        Relation::new(format!("haggle_map_{position}"), columns)
    }

    /// What becomes of each recorded combination, where values depend on each other: recorded codes,
    /// published codes and labels.
    fn combinations(&self) -> Option<Relation> {
        let mut all: Vec<(&[u32], &[u32])> = self.recoder.combinations()?.collect();
        all.sort_unstable();
        let attributes = 0..self.recoder.attributes();
        let recorded = attributes
            .clone()
            .map(|i| code(format!("r{i}"), all.iter().map(|(recorded, _)| recorded[i]).collect()));
        let published = attributes.clone().map(|i| {
            code(format!("c{i}"), all.iter().map(|(_, published)| published[i]).collect())
        });
        let labels = attributes.clone().map(|i| {
            let label = |(_, codes): &(&[u32], &[u32])| self.recoder.label(i, codes[i]).to_owned();
            text(format!("label{i}"), all.iter().map(label).collect())
        });
        let columns = recorded.chain(published).chain(labels).collect();
        Some(Relation::new("haggle_combination", columns))
    }

    fn failing_groups(&self) -> Relation {
        let mut groups = self.failing.clone();
        groups.sort_unstable();
        let column = |i: usize| {
            code(format!("c{i}"), groups.iter().map(|codes| codes[i]).collect::<Vec<u32>>())
        };
        let columns = (0..self.recoder.attributes()).map(column).collect();
        Relation::new("haggle_failing", columns)
    }

    /// The query of the published records, over the relations as tables.
    pub fn query(&self, sql: &Sql<'_>) -> String {
        let writer = RecodeWriter { sql, recode: self };
        let (shown, joins) = writer.columns();
        let same = (0..self.recoder.attributes()).map(|i| format!("f.c{i} = {}", writer.code(i)));
        let failing =
            format!(" LEFT JOIN haggle_failing f ON {}", same.collect::<Vec<_>>().join(" AND "));
        let complete = if self.gaps.are_values { "1 = 1".into() } else { writer.complete() };
        let dropped = if self.keeps_stars { "" } else { " AND f.c0 IS NULL" };
        let query = format!(
            "SELECT {shown} FROM {} t{joins}{failing} WHERE {complete}{dropped}",
            self.source
        );
        if !self.is_shuffled {
            return query;
        }
        let names = self.columns.iter().map(|(_, title)| sql.identifier(title));
        sql.dialect().shuffled(&query, &names.collect::<Vec<_>>().join(", "))
    }

    /// The query of the published records as texts, each with how many are alike. The relations are part
    /// of it.
    pub fn groups(&self, sql: &Sql<'_>) -> String {
        let relation = |r: &Relation| format!("{} AS ({})", r.name, sql.rows(r));
        let relations: Vec<String> = self.relations().iter().map(relation).collect();
        let names = self.columns.iter().map(|(_, title)| sql.identifier(title));
        let fields: Vec<String> =
            names.enumerate().map(|(i, name)| format!("{} AS f{i}", sql.field(&name))).collect();
        let ordinals: Vec<String> = (1..=fields.len()).map(|i| i.to_string()).collect();
        format!(
            "WITH {} SELECT {}, {} AS n FROM ({}) p GROUP BY {}{}",
            relations.join(", "),
            fields.join(", "),
            sql.count("count(*)"),
            self.query(sql),
            ordinals.join(", "),
            sql.dialect().settings()
        )
    }

    /// The query of how many records are left out because a value is missing.
    pub fn left_out(&self, sql: &Sql<'_>) -> String {
        let writer = RecodeWriter { sql, recode: self };
        let complete = if self.gaps.are_values { "1 = 1".into() } else { writer.complete() };
        let count = sql.count("count(*)");
        format!("SELECT {count} FROM {} t WHERE NOT ({complete})", self.source)
    }

    /// The names of the published quasi-identifiers, by position.
    pub fn quasi_identifiers(&self) -> Vec<&str> {
        let mut names = vec![""; self.recoder.attributes()];
        for (column, title) in &self.columns {
            if let RecodedColumn::Recoded { position, .. } = column {
                names[*position] = title;
            }
        }
        names
    }
}

/// Writes the parts of the statement.
struct RecodeWriter<'a> {
    sql: &'a Sql<'a>,
    recode: &'a Recode<'a>,
}

impl RecodeWriter<'_> {
    fn name(&self, column: &str) -> String {
        format!("t.{}", self.sql.identifier(column))
    }

    fn is_gap(&self, column: &str) -> String {
        self.sql.is_one_of(&self.sql.field(&self.name(column)), self.recode.gaps.marks)
    }

    /// The text of a column, with one label for all missing values.
    fn value(&self, column: &str) -> String {
        let label = self.sql.text(self.recode.gaps.label);
        let field = self.sql.field(&self.name(column));
        format!("CASE WHEN {} THEN {label} ELSE {field} END", self.is_gap(column))
    }

    /// A column that is not recoded: as text where missing is a value of its own, so that every mark is
    /// written the same. What files do not distinguish is not distinguished here: texts have no blanks
    /// around them, and an empty one is missing.
    fn written(&self, column: &str, is_text: bool) -> String {
        let Gaps { checked, are_values, .. } = &self.recode.gaps;
        if *are_values && checked.iter().any(|name| name == column) {
            return self.value(column);
        }
        let name = self.name(column);
        if is_text { format!("nullif({}, '')", self.sql.field(&name)) } else { name }
    }

    fn is_together(&self) -> bool {
        self.recode.recoder.combinations().is_some()
    }

    /// The published code of an attribute.
    fn code(&self, position: usize) -> String {
        if self.is_together() { format!("b.c{position}") } else { format!("m{position}.c") }
    }

    fn label(&self, position: usize) -> String {
        if self.is_together() { format!("b.label{position}") } else { format!("m{position}.label") }
    }

    /// The published columns, and the joins that they need.
    fn columns(&self) -> (String, String) {
        let (mut joins, mut combined) = (String::new(), Vec::new());
        let mut shown = Vec::new();
        for (column, title) in &self.recode.columns {
            let expression = match column {
                RecodedColumn::AsRecorded { column, is_text } => self.written(column, *is_text),
                RecodedColumn::Recoded { column, position } => {
                    joins += &self.join(
                        &format!("haggle_map_{position}"),
                        &format!("m{position}"),
                        column,
                    );
                    combined.push(format!("b.r{position} = m{position}.c"));
                    let label = self.label(*position);
                    format!("CASE WHEN f.c0 IS NULL THEN {label} ELSE {} END", self.sql.text(ANY))
                }
                RecodedColumn::Mapped { column, relation } => {
                    let alias = relation.name.replace("haggle_shown_", "s");
                    joins += &self.join(&relation.name, &alias, column);
                    format!("coalesce({alias}.label, {})", self.value(column))
                }
                RecodedColumn::Flag => "f.c0 IS NOT NULL".into(),
            };
            shown.push(format!("{expression} AS {}", self.sql.identifier(title)));
        }
        if self.is_together() {
            joins += &format!(" LEFT JOIN haggle_combination b ON {}", combined.join(" AND "));
        }
        (shown.join(", "), joins)
    }

    fn join(&self, relation: &str, alias: &str, column: &str) -> String {
        format!(" LEFT JOIN {relation} {alias} ON {alias}.v = {}", self.value(column))
    }

    /// Whether no value is missing.
    fn complete(&self) -> String {
        let gaps: Vec<String> = self.recode.gaps.checked.iter().map(|c| self.is_gap(c)).collect();
        if gaps.is_empty() { "1 = 1".into() } else { format!("NOT ({})", gaps.join(" OR ")) }
    }
}
