//! A small table that haggle gives to a database: mappings of values, groups, combinations.

/// Between rows of a packed relation.
pub(crate) const ROW_END: char = '\u{1e}';
/// Between fields of a packed row.
pub(crate) const FIELD_END: char = '\u{1f}';

/// The values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelationColumn {
    /// Texts.
    Text(Vec<String>),
    /// Codes.
    Code(Vec<u32>),
    /// Numbers of records, which may be negative where they are subtracted.
    Count(Vec<i64>),
}

impl RelationColumn {
    fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Code(values) => values.len(),
            Self::Count(values) => values.len(),
        }
    }
}

/// A named table of texts and numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its name: letters, digits and `_` only.
    pub name: String,
    columns: Vec<(String, RelationColumn)>,
}

impl Relation {
    /// A table of columns that are equally long. Names are letters, digits and `_` only.
    pub fn new(name: impl Into<String>, columns: Vec<(String, RelationColumn)>) -> Self {
        let name = name.into();
        let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        assert!(is_plain(&name) && columns.iter().all(|(name, _)| is_plain(name)), "plain names");
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        assert!(columns.iter().all(|(_, column)| column.len() == rows), "equally long columns");
        Self { name, columns }
    }

    /// The columns with their names.
    pub fn columns(&self) -> &[(String, RelationColumn)] {
        &self.columns
    }

    /// The names of its columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows as one text; `None` if a value holds a character that separates them.
    pub(crate) fn packed(&self) -> Option<String> {
        let mut text = String::new();
        for (i, tuple) in self.tuples(str::to_owned).iter().enumerate() {
            if tuple.iter().any(|field| field.contains([ROW_END, FIELD_END])) {
                return None;
            }
            if i > 0 {
                text.push(ROW_END);
            }
            text += &tuple.join(FIELD_END.encode_utf8(&mut [0; 4]));
        }
        Some(text)
    }

    /// The rows as tuples of expressions.
    pub(crate) fn tuples(&self, text: impl Fn(&str) -> String) -> Vec<Vec<String>> {
        let cell = |row: usize, column: &RelationColumn| match column {
            RelationColumn::Text(values) => text(&values[row]),
            RelationColumn::Code(values) => values[row].to_string(),
            RelationColumn::Count(values) => values[row].to_string(),
        };
        let row = |row: usize| self.columns.iter().map(|(_, column)| cell(row, column)).collect();
        (0..self.len()).map(row).collect()
    }
}
