//! Values to codes while reading, and what is done about those that are missing.

use haggle_model::Dictionary;

/// What happens to a record with a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnMissing {
    /// Missing is a value of its own.
    Value,
    /// The record is left out.
    Drop,
    /// Reading fails.
    #[default]
    Error,
}

/// Which fields count as missing, and what follows.
#[derive(Debug, Clone)]
pub struct Missing {
    /// Fields that are just this, blanks aside.
    pub marks: Vec<String>,
    /// What happens to such records.
    pub policy: OnMissing,
}

impl Default for Missing {
    fn default() -> Self {
        Self { marks: vec![String::new()], policy: OnMissing::default() }
    }
}

impl Missing {
    /// The value that stands for all missing ones where they are a value of their own.
    pub fn label(&self) -> &str {
        self.marks.iter().find(|mark| !mark.is_empty()).map_or("?", String::as_str)
    }

    pub(crate) fn is(&self, field: &str) -> bool {
        self.marks.iter().any(|mark| mark == field)
    }
}

/// The values of a column and the line on which each occurs first.
#[derive(Debug, Clone, Default)]
pub struct Values {
    /// The values.
    pub dictionary: Dictionary,
    /// By code, the line of the first occurrence, as [`Table::place`](crate::Table::place)
    /// understands it.
    pub first_line: Vec<u64>,
}

impl Values {
    pub(crate) fn code(&mut self, value: &str, line: u64) -> u32 {
        let code = self.dictionary.code_or_add(value);
        if code as usize == self.first_line.len() {
            self.first_line.push(line);
        }
        code
    }

    /// All values of several lists, in their natural order, with the earliest lines.
    pub(crate) fn union<'a>(lists: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut all = Dictionary::default();
        for value in lists.clone().flat_map(|list| list.dictionary.values()) {
            all.code_or_add(value);
        }
        let dictionary = all.sorted();
        let mut first_line = vec![u64::MAX; dictionary.len()];
        for list in lists {
            for (value, &line) in list.dictionary.values().zip(&list.first_line) {
                let code = dictionary.code(value).expect("the union has all values");
                let first = &mut first_line[code as usize];
                *first = line.min(*first);
            }
        }
        Self { dictionary, first_line }
    }
}
