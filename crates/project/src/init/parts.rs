//! Whether several files begin in the same way, so that what the first one says holds for all of
//! them.

use haggle_data::{CsvOptions, Input, Table};
use haggle_model::numerals::counted;
use haggle_model::{Error, Problem};

use super::guess::MARKS;
use crate::meaning::is_data;

/// Refuses files whose first record contradicts that of the first file. Where the project names the
/// columns, they are not compared later, and names would be counted as a record.
pub(super) fn check_alike(
    input: &Input,
    first: &[String],
    header: bool,
    options: &CsvOptions,
) -> Result<(), Error> {
    let [one, others @ ..] = input.parts() else { return Ok(()) };
    let one = one.name().display().to_string();
    for file in others {
        // A file that cannot be read, or is empty, is judged when the table is opened.
        let Ok(fields) = Table::first_fields(&Input::file(file.name()), options) else { continue };
        if let Some(what) = difference(first, &fields, header, &one) {
            let fix = "give all files the same columns in the same order, and each a header, or \
                       none";
            return Err(Problem::new(what).file(file.name()).fix(fix).into());
        }
    }
    Ok(())
}

/// What is different; columns are numbered, because what seems to be names may be a record.
fn difference(first: &[String], fields: &[String], header: bool, one: &str) -> Option<String> {
    if first.len() != fields.len() {
        let found = counted(fields.len() as u64, "column");
        return Some(format!("{found}, but {one} has {}", first.len()));
    }
    if header {
        let other = first.iter().zip(fields).position(|(a, b)| a != b)?;
        return Some(format!("column {} of {one} has another name here", other + 1));
    }
    names_instead(first, fields)
        .then(|| format!("the first record seems to name the columns, but that of {one} does not"))
}

/// Whether there are words wherever the first file has numbers and dates.
fn names_instead(first: &[String], fields: &[String]) -> bool {
    let mut facing = first.iter().zip(fields).filter(|(a, _)| is_data(a)).peekable();
    let is_word = |field: &String| !is_data(field) && !MARKS.contains(&field.as_str());
    facing.peek().is_some() && facing.all(|(_, field)| is_word(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference_of(first: &str, fields: &str, header: bool) -> Option<String> {
        let split = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        difference(&split(first), &split(fields), header, "a.csv")
    }

    #[test]
    fn records_without_names_differ_only_where_words_stand_for_all_numbers() {
        assert!(difference_of("34,f,8001", "age,sex,zip", false).is_some());
        assert_eq!(difference_of("34,f,8001", "?,m,NA", false), None);
        assert_eq!(difference_of("34,f,8001", "old,m,8002", false), None);
        assert_eq!(difference_of("yes,no", "no,yes", false), None);
    }

    #[test]
    fn names_and_numbers_of_columns_must_be_the_same() {
        let what = difference_of("age,,", "age,sex,", true).unwrap();
        assert_eq!(what, "column 2 of a.csv has another name here");
        assert_eq!(difference_of("1,2", "1,2,3", false).unwrap(), "3 columns, but a.csv has 2");
        assert_eq!(difference_of("age,,", "age,,", true), None);
    }
}
