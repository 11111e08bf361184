//! Names of tables as they are typed: parts between dots, quoted where they hold dots or blanks.

use crate::dialect::Sql;
use crate::files::EngineFiles;

/// The name of a table in parts: catalog, schema and table, of which the first ones may be left
/// out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableName(Vec<String>);

impl TableName {
    /// Reads a name as typed; `None` if it is not a name. Parts may be quoted by `"` or `` ` ``,
    /// which are doubled within.
    ///
    /// ```
    /// use haggle_sql::TableName;
    /// assert!(TableName::parse("census.adult").is_some());
    /// assert!(TableName::parse("\"My.Schema\".adult").is_some());
    /// assert!(TableName::parse("census.").is_none());
    /// ```
    pub fn parse(table: &str) -> Option<Self> {
        let mut parts = vec![String::new()];
        let (mut inside, mut letters) = (None, table.trim().chars().peekable());
        while let Some(letter) = letters.next() {
            match letter {
                quote if inside == Some(quote) && letters.peek() == Some(&quote) => {
                    letters.next();
                    parts.last_mut()?.push(quote);
                }
                quote if inside == Some(quote) => inside = None,
                quote @ ('"' | '`') if inside.is_none() => inside = Some(quote),
                '.' if inside.is_none() => parts.push(String::new()),
                control if control.is_control() => return None,
                _ => parts.last_mut()?.push(letter),
            }
        }
        let is_sound = inside.is_none() && parts.len() <= 3 && !parts.iter().any(String::is_empty);
        is_sound.then_some(Self(parts))
    }

    /// How many parts it has.
    pub fn parts(&self) -> usize {
        self.0.len()
    }

    /// The last part.
    pub fn last(&self) -> &str {
        self.0.last().expect("a name has a part")
    }

    /// The name as SQL.
    pub fn sql(&self, sql: &Sql<'_>) -> String {
        self.0.iter().map(|part| sql.identifier(part)).collect::<Vec<_>>().join(".")
    }

    /// A table next to this one, whose last part ends in something else.
    pub fn with_suffix(&self, suffix: &str) -> Self {
        let mut parts = self.0.clone();
        parts.last_mut().expect("a name has a part").push_str(suffix);
        Self(parts)
    }
}

/// What a publication becomes in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SqlTarget {
    /// A table.
    Table(TableName),
    /// Files of a folder that the database writes.
    Files(EngineFiles),
}

impl SqlTarget {
    /// Reads `schema.name` or `parquet:PATH`; `None` if it is neither.
    ///
    /// ```
    /// use haggle_sql::SqlTarget;
    /// assert!(matches!(SqlTarget::parse("census.adult"), Some(SqlTarget::Table(_))));
    /// assert!(matches!(SqlTarget::parse("parquet:/data/out"), Some(SqlTarget::Files(_))));
    /// ```
    pub fn parse(target: &str) -> Option<Self> {
        match EngineFiles::parse(target) {
            Some(files) => Some(Self::Files(files)),
            None => TableName::parse(target).map(Self::Table),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::POSTGRESQL;

    fn quoted(table: &str) -> Option<String> {
        Some(TableName::parse(table)?.sql(&Sql::of(POSTGRESQL)))
    }

    #[test]
    fn names_of_tables_are_quoted() {
        assert_eq!(quoted("public.adult").unwrap(), "\"public\".\"adult\"");
        assert_eq!(quoted("adult").unwrap(), "\"adult\"");
        assert_eq!(quoted("\"My.Schema\".\"a\"\"b\"").unwrap(), "\"My.Schema\".\"a\"\"b\"");
        assert_eq!(quoted("`a.b`.c").unwrap(), "\"a.b\".\"c\"");
        for wrong in ["", "a.b.c.d", "\"open", ".a", "a.", "a\0"] {
            assert_eq!(quoted(wrong), None, "{wrong}");
        }
        assert_eq!(quoted("a; drop table b").unwrap(), "\"a; drop table b\"");
    }
}
