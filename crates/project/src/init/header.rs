//! The beginning of a table: whether its first record names the columns, and what is in them.

use haggle_data::{CsvOptions, Encoding, Input, Profile, Table, profile};
use haggle_model::{Error, Problem, Progress};
use rustc_hash::{FxHashMap, FxHashSet};

use super::guess::MARKS;
use super::parts::check_alike;
use crate::meaning;

/// The encoding of files that are not UTF-8, more often than any other.
const LEGACY: &str = "windows-1252";

/// A table with its columns named and profiled.
pub(super) struct ProfiledTable {
    pub(super) profile: Profile,
    /// Whether the first record names the columns.
    pub(super) header: bool,
    /// The names, where the project has to state them.
    pub(super) columns: Option<Vec<String>>,
    /// The encoding, where the project has to state it.
    pub(super) encoding: Option<&'static str>,
}

impl ProfiledTable {
    /// Reads a table; if it is not UTF-8, tries an older encoding.
    pub(super) fn at(input: &Input, memory: usize, progress: &dyn Progress) -> Result<Self, Error> {
        if input.as_database().is_some() {
            return Self::in_database(input, progress);
        }
        Self::encoded(input, None, memory, progress).or_else(|error| {
            let legacy =
                LEGACY.parse().ok().map(|e| Self::encoded(input, Some(e), memory, progress));
            match legacy {
                Some(Ok(look)) => {
                    Self::check_legacy(input, memory, progress)?;
                    Ok(Self { encoding: Some(LEGACY), ..look })
                }
                _ => Err(error),
            }
        })
    }

    /// Reads a table of a database, whose catalog names the columns.
    fn in_database(input: &Input, progress: &dyn Progress) -> Result<Self, Error> {
        let table = Table::open(input.clone(), &CsvOptions::default())?;
        let profile = profile(&table, &MARKS.map(str::to_owned), progress)?;
        Ok(Self { profile, header: true, columns: None, encoding: None })
    }

    /// Refuses a file that is UTF-8 next to others that are not: its letters would be decoded
    /// wrongly.
    fn check_legacy(input: &Input, memory: usize, progress: &dyn Progress) -> Result<(), Error> {
        let parts = if let [_] = input.parts() { &[] } else { input.parts() };
        for part in parts {
            let alone = Self::encoded(&Input::file(part.name()), None, memory, progress);
            if alone.is_ok_and(|look| look.has_other_letters()) {
                let what = "this file is UTF-8, but another of the same table is not";
                let fix = "save all files in one encoding";
                return Err(Problem::new(what).file(part.name()).fix(fix).into());
            }
        }
        Ok(())
    }

    /// Whether there are letters that encodings write differently.
    fn has_other_letters(&self) -> bool {
        let other =
            |c: &haggle_data::ColumnProfile| c.sample.values().iter().any(|(v, _)| !v.is_ascii());
        self.profile.columns.iter().any(|column| !column.name.is_ascii() || other(column))
    }

    fn encoded(
        input: &Input,
        encoding: Option<Encoding>,
        memory: usize,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let options = CsvOptions { encoding, ..CsvOptions::default() };
        let first = Table::first_fields(input, &options)?;
        let named = is_parquet(input);
        let header = named || !looks_like_data(&first);
        let look = Self::with(input, &first, header, (&options, memory), progress);
        let doubtful =
            look.as_ref().map_or(input.parts().len() > 1, |look| look.repeats(&first, 0));
        if !header || named || !doubtful {
            return look;
        }
        // Files with different first records have different columns, or no names at all.
        let nameless = Self::with(input, &first, false, (&options, memory), progress);
        match (look, nameless) {
            (Err(_), Ok(nameless)) if nameless.repeats(&first, input.parts().len()) => Ok(nameless),
            (Err(error), _) => Err(error),
            (Ok(_), nameless) => nameless,
        }
    }

    fn with(
        input: &Input,
        first: &[String],
        header: bool,
        (options, memory): (&CsvOptions, usize),
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let names = if header { repaired(first) } else { numbered(first.len()) };
        let columns = (!header || names != first).then_some(names);
        if columns.is_some() {
            check_alike(input, first, header, options)?;
        }
        let stated = columns.is_some().then_some(header);
        let options = CsvOptions { header: stated, columns: columns.clone(), ..options.clone() };
        let marks = MARKS.map(str::to_owned);
        let table = Table::open(input.clone(), &options)?.within(memory);
        let profile = profile(&table, &marks, progress)?;
        Ok(Self { profile, header, columns, encoding: None })
    }

    /// Whether the first record's fields occur as values in most columns, more often than the
    /// number of files explains: then they are not names.
    fn repeats(&self, first: &[String], files: usize) -> bool {
        let occurs = |(column, field): &(&haggle_data::ColumnProfile, &String)| {
            let values = column.sample.values();
            values.iter().any(|(value, count)| value == field && *count > files as u64)
        };
        let repeated = self.profile.columns.iter().zip(first).filter(occurs).count();
        repeated * 2 > first.len()
    }
}

/// Whether the first file itself says what its columns are called.
fn is_parquet(input: &Input) -> bool {
    let first = Input::file(input.parts()[0].name());
    Table::open(first, &CsvOptions::default()).is_ok_and(|table| !table.is_delimited())
}

/// Numbers or dates among the fields, and no word that is known as a name.
fn looks_like_data(first: &[String]) -> bool {
    first.iter().any(|field| meaning::is_data(field))
        && !first.iter().any(|field| meaning::is_name(field))
}

fn numbered(columns: usize) -> Vec<String> {
    (1..=columns).map(|i| format!("column{i}")).collect()
}

/// The names, with numbers for empty ones and for repetitions.
fn repaired(first: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut taken = FxHashSet::default();
    // By name, the number to try next, so that many repetitions are not counted again and again.
    let mut next: FxHashMap<String, usize> = FxHashMap::default();
    for (i, name) in first.iter().enumerate() {
        let name = if name.is_empty() { format!("column{}", i + 1) } else { name.clone() };
        let number = next.entry(name.clone()).or_insert(1);
        let mut free = name.clone();
        while !taken.insert(free.clone()) {
            *number += 1;
            free = format!("{name}_{number}");
        }
        names.push(free);
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
    fn numbers_and_dates_are_not_names() {
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
