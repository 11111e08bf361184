//! What a column's name or its values say about privacy, by two lists of words.

use std::cmp::Reverse;
use std::str::Split;

use haggle_model::{DateFormat, Decimal, Role};

/// Words that occur in names of columns.
const NAMES: &str = include_str!("meaning/names.csv");
/// Words that occur as values.
const VALUES: &str = include_str!("meaning/values.csv");

/// Words of at least this length are recognized at the beginning or end of a longer one.
const MIN_AFFIX: usize = 6;
/// At least this share of the records must have known words as values.
const SHARE: f64 = 0.6;

/// What a column is likely about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// Its likely role.
    pub role: Role,
    /// What matters for its hierarchy: `age`, `date`, `postcode`, `id`, or nothing.
    pub(crate) kind: &'static str,
    /// In words: "an age".
    pub what: &'static str,
    /// The more identifying, the smaller.
    pub(crate) rank: usize,
}

/// The meanings of a list, each with its words.
fn meanings(list: &'static str) -> impl Iterator<Item = (Meaning, Split<'static, char>)> {
    list.lines().skip(1).enumerate().filter_map(|(rank, line)| {
        let mut fields = line.splitn(4, ';');
        let role = Role::named(fields.next()?)?;
        let (kind, what, words) = (fields.next()?, fields.next()?, fields.next()?);
        Some((Meaning { role, kind, what, rank }, words.split(',')))
    })
}

/// What the name of a column says: the whole name counts more than a word of it, and that more
/// than a beginning or an end.
pub fn of_name(name: &str) -> Option<Meaning> {
    let words = words_of(name);
    let whole = words.concat();
    let score = |word: &str| {
        let part = word.len() >= MIN_AFFIX && (whole.starts_with(word) || whole.ends_with(word));
        match () {
            () if whole == word => 3,
            () if words.iter().any(|part| part == word) => 2,
            () => i32::from(part),
        }
    };
    let scored = meanings(NAMES).map(|(meaning, words)| (words.map(score).max(), meaning));
    // The first of several equals, because the list goes from the more to the less important.
    let best = scored.min_by_key(|(score, _)| Reverse(*score));
    best.filter(|(score, _)| *score > Some(0)).map(|(_, meaning)| meaning)
}

/// Whether the whole name is on the list, so that it is hardly a value.
pub(crate) fn is_name(name: &str) -> bool {
    let whole = words_of(name).concat();
    meanings(NAMES).any(|(_, mut words)| words.any(|word| word == whole))
}

/// Whether this is a number or a date, which is unlikely as a column's name.
pub(crate) fn is_data(field: &str) -> bool {
    let a_date = || DateFormat::known().iter().any(|format| format.reads(field));
    field.parse::<Decimal>().is_ok() || a_date()
}

/// What the values of a column say, each with how often it occurs.
pub(crate) fn of_values(values: &[(&str, u64)]) -> Option<Meaning> {
    let plain: Vec<(String, u64)> = values.iter().map(|(v, n)| (plain(v), *n)).collect();
    let all: u64 = values.iter().map(|(_, count)| count).sum();
    let known = |words: Split<'static, char>| -> u64 {
        let words: Vec<&str> = words.collect();
        plain.iter().filter(|(v, _)| words.contains(&v.as_str())).map(|(_, count)| count).sum()
    };
    meanings(VALUES)
        .find(|(_, words)| known(words.clone()) as f64 > SHARE * all as f64)
        .map(|(meaning, _)| meaning)
}

/// Small letters, no umlauts, hyphens for blanks.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace(' ', "-");
    lower.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss")
}

/// The words of a name: `DateOfBirth`, `date_of_birth` and `date of birth` have the same.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for character in name.chars() {
        let starts = character.is_uppercase() && before_small;
        if starts || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(character);
        }
        before_small = character.is_lowercase();
    }
    words.iter().filter(|word| !word.is_empty()).map(|word| plain(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str) -> Option<Role> {
        of_name(name).map(|meaning| meaning.role)
    }

    #[test]
    fn names_are_recognized_in_the_forms_people_use() {
        let quasi =
            ["age", "Age (years)", "DateOfBirth", "date_of_birth", "PLZ", "zip code", "Geschlecht"];
        let quasi = quasi.into_iter().chain([
            "Familienstand",
            "native-country",
            "education-num",
            "Beruf",
            "country_name",
        ]);
        for name in quasi {
            assert_eq!(role(name), Some(Role::QuasiIdentifier), "{name}");
        }
        for name in
            ["disease", "Diagnose", "salary-class", "capital-gain", "disease_name", "Religion"]
        {
            assert_eq!(role(name), Some(Role::Sensitive), "{name}");
        }
        for name in [
            "name",
            "Nachname",
            "patient_id",
            "PatientID",
            "E-Mail",
            "phone number",
            "customer name",
        ] {
            assert_eq!(role(name), Some(Role::Identifier), "{name}");
        }
        for name in ["page", "average", "hours-per-week", "fnlwgt", "notes", "", "column7"] {
            assert_eq!(role(name), None, "{name}");
        }
    }

    #[test]
    fn values_speak_where_names_do_not() {
        let sexes = of_values(&[("M", 3), ("F", 4), ("unknown", 1)]).unwrap();
        assert_eq!(sexes.what, "a sex or gender");
        assert_eq!(
            of_values(&[("Verheiratet", 3), ("ledig", 4)]).unwrap().what,
            "a marital status"
        );
        assert_eq!(of_values(&[("a", 5), ("d", 4), ("f", 1)]), None);
        assert_eq!(of_values(&[]), None);
    }

    #[test]
    fn every_line_of_the_lists_is_understood() {
        for list in [NAMES, VALUES] {
            assert_eq!(meanings(list).count(), list.lines().count() - 1);
            let plain =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-<>=".contains(c);
            for (_, words) in meanings(list) {
                assert!(words.clone().all(|word| !word.is_empty() && word.chars().all(plain)));
            }
        }
    }
}
