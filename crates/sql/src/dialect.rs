//! What differs between SQL engines: names, literals, casts, blanks, samples, and how a table is
//! made.

use std::fmt::Debug;

use crate::files::EngineFiles;
#[cfg(doc)]
use crate::relation::{FIELD_END, ROW_END};
use crate::relation::{Relation, RelationColumn};

/// The blanks that are taken off both ends of a field, as files are read.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// More rows than this are written as one text, where the dialect can: parsers take long for many
/// literals.
const PACKED_FROM: usize = 1000;

/// How a kind of database writes SQL. What is not overridden is standard SQL.
pub trait Dialect: Debug + Send + Sync {
    /// Its name on the command line and in projects.
    fn id(&self) -> &'static str;

    /// Its name in texts.
    fn title(&self) -> &'static str;

    /// The character around identifiers.
    fn quote(&self) -> char {
        '"'
    }

    /// What stands between the quotes of an identifier.
    fn escaped_name(&self, name: &str) -> String {
        let quote = self.quote();
        name.replace(quote, &format!("{quote}{quote}"))
    }

    /// Characters that are written by number within literals, because their meaning there depends
    /// on the database's settings.
    fn spelled(&self) -> &'static [char] {
        &[]
    }

    /// A piece of text without spelled characters as a literal.
    fn literal(&self, piece: &str) -> String {
        format!("'{}'", piece.replace('\'', "''"))
    }

    /// A character by its number.
    fn character(&self, character: char) -> String {
        format!("chr({})", u32::from(character))
    }

    /// Several texts as one.
    fn concat(&self, parts: &[String]) -> String {
        format!("({})", parts.join(" || "))
    }

    /// The type of texts.
    fn text_type(&self) -> &'static str {
        "VARCHAR"
    }

    /// The type of codes.
    fn code_type(&self) -> &'static str {
        "INTEGER"
    }

    /// The type of counts, which has 64 bits.
    fn count_type(&self) -> &'static str {
        "BIGINT"
    }

    /// The type of a relation's column.
    fn column_type(&self, column: &RelationColumn) -> &'static str {
        match column {
            RelationColumn::Text(_) => self.text_type(),
            RelationColumn::Code(_) => self.code_type(),
            RelationColumn::Count(_) => self.count_type(),
        }
    }

    /// An expression as text; missing stays missing.
    fn as_text(&self, expression: &str) -> String {
        format!("CAST({expression} AS {})", self.text_type())
    }

    /// A text without blanks, tabs and ends of lines around it; `blanks` is an expression of them.
    fn trimmed(&self, text: &str, blanks: &str) -> String {
        format!("trim(BOTH {blanks} FROM {text})")
    }

    /// Whether records can be grouped by a column of this type as it is.
    fn is_groupable(&self, _kind: &str) -> bool {
        true
    }

    /// What follows a table's name to read about this percentage of it at random.
    fn sample(&self, percent: f64, seed: u64) -> String {
        format!(" TABLESAMPLE SYSTEM ({percent:.6}) REPEATABLE ({seed})")
    }

    /// Which of the columns a grouping set leaves out, as bits; the first column is the highest.
    fn grouping(&self, columns: &str) -> String {
        format!("GROUPING({columns})")
    }

    /// A query of the rows of a relation, given as tuples of literals.
    fn rows(&self, relation: &Relation, tuples: &[Vec<String>]) -> String {
        let tuple = |tuple: &Vec<String>| format!("({})", tuple.join(", "));
        let tuples: Vec<String> = tuples.iter().map(tuple).collect();
        let names: Vec<&str> = relation.names().collect();
        format!("SELECT * FROM (VALUES {}) AS t({})", tuples.join(", "), names.join(", "))
    }

    /// A query of the rows of a relation from one text, in which `ROW_END` is between rows and
    /// `FIELD_END` between fields; `None` if the dialect has no short way.
    fn unpacked(&self, _relation: &Relation, _packed: &str) -> Option<String> {
        None
    }

    /// A random number for each record.
    fn random(&self) -> &'static str {
        "random()"
    }

    /// A query whose records are put into a random order; `names` are its columns.
    fn shuffled(&self, query: &str, _names: &str) -> String {
        format!("{query} ORDER BY {}", self.random())
    }

    /// The statement that makes a table of a query.
    fn create_as(&self, table: &str, query: &str) -> String {
        format!("CREATE TABLE {table} AS {query}{}", self.settings())
    }

    /// What a query ends with so that an outer join leaves missing values where nothing matches.
    fn settings(&self) -> &'static str {
        ""
    }

    /// The statements that show a table which was made under another name; `name` is the last part
    /// of `target`.
    fn reveal(&self, staged: &str, _target: &str, name: &str) -> Vec<String> {
        vec![format!("ALTER TABLE {staged} RENAME TO {name}")]
    }

    /// The statement that renames a table, where databases of this dialect may have one; else
    /// `None`.
    fn rename(&self, staged: &str, _target: &str, name: &str) -> Option<String> {
        Some(format!("ALTER TABLE {staged} RENAME TO {name}"))
    }

    /// Files as a query names them, and the statement that makes them known to a session, if one is
    /// needed; `None` if there is no such name.
    fn read_files(&self, _files: &EngineFiles) -> Option<(String, Option<String>)> {
        None
    }

    /// The statement that writes a query into files and replaces what is there; `None` if there is
    /// none.
    fn write_files(&self, _files: &EngineFiles, _query: &str) -> Option<String> {
        None
    }

    /// The statements around a script that is done as a whole or not at all, where the database
    /// can.
    fn transaction(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// A statement that fails with a message unless a query returns no rows.
    fn expect_none(&self, query: &str, message: &str) -> String {
        format!(
            "SELECT CAST(CASE WHEN count(*) = 0 THEN '1' ELSE '{message}' END AS {}) AS holds FROM \
             ({query}) AS failing",
            self.code_type()
        )
    }
}

/// A dialect, and what else must be written by number within its literals.
#[derive(Debug, Clone, Copy)]
pub struct Sql<'d> {
    dialect: &'d dyn Dialect,
    also_spelled: &'static [char],
}

impl<'d> Sql<'d> {
    /// Plain statements of a dialect.
    pub fn of(dialect: &'d dyn Dialect) -> Self {
        Self { dialect, also_spelled: &[] }
    }

    /// Statements for a file that a template engine reads first: no literal opens one of its
    /// blocks.
    pub fn templated(dialect: &'d dyn Dialect) -> Self {
        Self { dialect, also_spelled: &['{'] }
    }

    /// The dialect.
    pub fn dialect(&self) -> &'d dyn Dialect {
        self.dialect
    }

    /// An identifier, quoted.
    pub fn identifier(&self, name: &str) -> String {
        let quote = self.dialect.quote();
        format!("{quote}{}{quote}", self.dialect.escaped_name(name))
    }

    /// A text as an expression.
    pub fn text(&self, text: &str) -> String {
        let is_spelled =
            |c: char| self.dialect.spelled().contains(&c) || self.also_spelled.contains(&c);
        let mut parts = Vec::new();
        let mut piece = String::new();
        for character in text.chars() {
            if !is_spelled(character) {
                piece.push(character);
                continue;
            }
            if !piece.is_empty() {
                parts.push(self.dialect.literal(&std::mem::take(&mut piece)));
            }
            parts.push(self.dialect.character(character));
        }
        if !piece.is_empty() || parts.is_empty() {
            parts.push(self.dialect.literal(&piece));
        }
        if let [only] = &mut parts[..] { std::mem::take(only) } else { self.dialect.concat(&parts) }
    }

    /// A column's value as files have it: text without blanks around it, empty if missing.
    pub fn field(&self, expression: &str) -> String {
        let text = format!("coalesce({}, '')", self.dialect.as_text(expression));
        self.dialect.trimmed(&text, &self.blanks())
    }

    /// The blanks as a text; control characters are written by number.
    fn blanks(&self) -> String {
        let one = |c: char| if c == ' ' { "' '".into() } else { self.dialect.character(c) };
        self.dialect.concat(&BLANKS.map(one))
    }

    /// Whether an expression is one of these texts.
    pub fn is_one_of(&self, expression: &str, texts: &[String]) -> String {
        if texts.is_empty() {
            return "(1 = 0)".into();
        }
        let texts: Vec<String> = texts.iter().map(|text| self.text(text)).collect();
        format!("{expression} IN ({})", texts.join(", "))
    }

    /// A sum of counts, as 64 bits.
    pub fn count(&self, expression: &str) -> String {
        format!("CAST({expression} AS {})", self.dialect.count_type())
    }

    /// A query of the rows of a relation.
    pub fn rows(&self, relation: &Relation) -> String {
        if relation.is_empty() {
            let none = |(name, column): &(String, RelationColumn)| {
                format!("CAST(NULL AS {}) AS {name}", self.dialect.column_type(column))
            };
            let columns: Vec<String> = relation.columns().iter().map(none).collect();
            return format!("SELECT * FROM (SELECT {}) AS t WHERE 1 = 0", columns.join(", "));
        }
        let packed = relation.packed().filter(|_| relation.len() > PACKED_FROM);
        let unpacked =
            packed.and_then(|packed| self.dialect.unpacked(relation, &self.text(&packed)));
        unpacked.unwrap_or_else(|| {
            self.dialect.rows(relation, &relation.tuples(|text| self.text(text)))
        })
    }
}
