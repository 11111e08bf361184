//! A first look at a table: whether its first record names the columns, and what is in them.

use std::path::Path;

use haggle_data::{CsvOptions, Encoding, Input, Profile, Table, profile};
use haggle_model::{DateFormat, Decimal};

use super::guess::MARKS;
use crate::Error;
use crate::meaning;

/// The encoding of files that are not UTF-8, more often than any other.
const LEGACY: &str = "windows-1252";

/// A table, its columns named and looked at.
pub(super) struct Look {
    pub(super) profile: Profile,
    /// Whether the first record names the columns.
    pub(super) header: bool,
    /// The names, where the project has to state them.
    pub(super) columns: Option<Vec<String>>,
    /// The encoding, where the project has to state it.
    pub(super) encoding: Option<&'static str>,
}

impl Look {
    /// Looks at a table; if it cannot be read as it is, perhaps it can be in an older encoding.
    pub(super) fn at(data: &Path, progress: &(dyn Fn(usize) + Sync)) -> Result<Self, Error> {
        let input = Input::file(data);
        Self::encoded(&input, None, progress).or_else(|error| {
            let legacy = LEGACY.parse().ok().map(|e| Self::encoded(&input, Some(e), progress));
            match legacy {
                Some(Ok(look)) => Ok(Self { encoding: Some(LEGACY), ..look }),
                _ => Err(error),
            }
        })
    }

    fn encoded(
        input: &Input,
        encoding: Option<Encoding>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Error> {
        let options = CsvOptions { encoding, ..CsvOptions::default() };
        let first = Table::first_fields(input, &options)?;
        let named = is_parquet(input);
        let header = named || !looks_like_data(&first);
        let look = Self::with(input, &first, header, &options, progress)?;
        if header && !named && look.repeats(&first) {
            return Self::with(input, &first, false, &options, progress);
        }
        Ok(look)
    }

    fn with(
        input: &Input,
        first: &[String],
        header: bool,
        options: &CsvOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Error> {
        let names = if header { repaired(first) } else { numbered(first.len()) };
        let columns = (!header || names != first).then_some(names);
        let stated = columns.is_some().then_some(header);
        let options = CsvOptions { header: stated, columns: columns.clone(), ..options.clone() };
        let marks = MARKS.map(str::to_owned);
        let profile = profile(&Table::open(input.clone(), &options)?, &marks, progress)?;
        Ok(Self { profile, header, columns, encoding: None })
    }

    /// Whether the first record's fields occur as values in most columns: then they are no names.
    fn repeats(&self, first: &[String]) -> bool {
        let occurs = |(column, field): &(&haggle_data::Column, &String)| {
            column.sample.values().iter().any(|(value, _)| value == field)
        };
        let repeated = self.profile.columns.iter().zip(first).filter(occurs).count();
        repeated * 2 > first.len()
    }
}

/// Whether the file itself says what its columns are called.
fn is_parquet(input: &Input) -> bool {
    Table::open(input.clone(), &CsvOptions::default()).is_ok_and(|table| !table.is_delimited())
}

/// Numbers or dates among the fields, and no word that is known as a name.
fn looks_like_data(first: &[String]) -> bool {
    let formats = DateFormat::known();
    let is_data = |field: &String| {
        field.parse::<Decimal>().is_ok() || formats.iter().any(|format| format.reads(field))
    };
    first.iter().any(is_data) && !first.iter().any(|field| meaning::is_name(field))
}

fn numbered(columns: usize) -> Vec<String> {
    (1..=columns).map(|i| format!("column{i}")).collect()
}

/// The names, with numbers for empty ones and for repetitions.
fn repaired(first: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (i, name) in first.iter().enumerate() {
        let name = if name.is_empty() { format!("column{}", i + 1) } else { name.clone() };
        let again = (2..).map(|n| format!("{name}_{n}"));
        let free = std::iter::once(name.clone()).chain(again).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(list: &[&str]) -> Vec<String> {
        list.iter().map(|&field| field.into()).collect()
    }

    #[test]
    fn numbers_and_dates_are_no_names() {
        assert!(looks_like_data(&fields(&["39", "State-gov", "77516"])));
        assert!(looks_like_data(&fields(&["Ada", "1990-12-31"])));
        assert!(!looks_like_data(&fields(&["name", "born"])));
        assert!(!looks_like_data(&fields(&["country", "2019", "2020"])));
    }

    #[test]
    fn names_are_made_different() {
        let names = repaired(&fields(&["", "a", "a", "a_2", "b"]));
        assert_eq!(names, ["column1", "a", "a_2", "a_2_2", "b"]);
    }
}
