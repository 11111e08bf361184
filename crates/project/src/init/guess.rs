//! What a column likely is: its role by its name, else by its values; and why.

use std::collections::BTreeMap;

use haggle_data::{ColumnProfile, Profile};
use haggle_model::Role;
use serde::Serialize;

use crate::meaning;
use crate::meaning::Meaning;
use crate::project::{Definition, write};
use crate::suggest::{Proposal, propose};

/// Fields that usually mean "not known". A `*` does in a table that was generalized before, and it
/// cannot be a value because it means all of them.
pub(crate) const MARKS: [&str; 14] =
    ["", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "-", "--", ".", "*"];

/// From this share of different values on, a column identifies records.
const UNIQUE: f64 = 0.95;
/// From this share on it should be reviewed.
const NOTABLE_SHARE: f64 = 0.5;
/// With fewer records, that all differ means nothing.
const MIN_RECORDS: u64 = 20;
/// Values of more kinds than this are not looked up in lists.
const LISTED: u64 = 200;
/// The rank of a quasi-identifier that was chosen because there was no better one.
const LAST_RANK: usize = 1000;

/// What a column likely is.
#[derive(Debug, Clone, Serialize)]
pub struct Guess {
    /// The column.
    pub name: String,
    /// Its likely role.
    pub role: Role,
    /// Why.
    pub why: String,
    /// How many different values it has.
    pub values: u64,
    /// Whether that is an estimate, because there are very many.
    pub estimated: bool,
    /// The hierarchy as the project states it, if it is a quasi-identifier and has one.
    pub hierarchy: Option<String>,
    /// Why this hierarchy, or why none.
    pub hierarchy_why: Option<String>,
    /// Whether the user should review it first.
    pub doubtful: bool,
    /// The more identifying, the smaller.
    #[serde(skip)]
    pub(super) rank: usize,
    #[serde(skip)]
    proposal: Proposal,
}

impl Guess {
    /// Gives it a hierarchy.
    pub(super) fn give(&mut self, hierarchy: Option<Definition>, why: &str) {
        self.hierarchy = hierarchy.map(|definition| match definition {
            Definition::File(path) => write::text(&path.to_string_lossy()),
            Definition::Rule(rule) => write::rule(&rule),
        });
        self.hierarchy_why = Some(why.into());
    }

    /// The hierarchy that suits it whatever its role, and why.
    pub(crate) fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    /// Makes it a quasi-identifier with the hierarchy that suits it.
    fn generalize(&mut self) {
        self.role = Role::QuasiIdentifier;
        let Proposal { rule, why } = self.proposal.clone();
        self.give(rule.map(Definition::Rule), &why);
    }
}

/// What every column likely is; names count only where the first record has them.
pub(crate) fn all(profile: &Profile, named: bool) -> Vec<Guess> {
    profile.columns.iter().map(|column| guess(column, named)).collect()
}

fn guess(column: &ColumnProfile, named: bool) -> Guess {
    let name = if named { meaning::of_name(&column.name) } else { None };
    let RoleVerdict { meaning, role, why, doubtful } = by_content(column)
        .or_else(|| name.map(|m| by_name(column, m)))
        .unwrap_or_else(|| by_values(column, named));
    let mut guess = Guess {
        name: column.name.clone(),
        role,
        why,
        values: column.sample.distinct(),
        estimated: !column.sample.is_complete(),
        hierarchy: None,
        hierarchy_why: None,
        doubtful,
        rank: meaning.map_or(LAST_RANK, |meaning| meaning.rank),
        proposal: propose(column, meaning),
    };
    if role == Role::QuasiIdentifier {
        guess.generalize();
    }
    guess
}

/// A role and the reason for it.
struct RoleVerdict {
    meaning: Option<Meaning>,
    role: Role,
    why: String,
    doubtful: bool,
}

impl RoleVerdict {
    fn new(role: Role, why: impl Into<String>) -> Self {
        Self { meaning: None, role, why: why.into(), doubtful: false }
    }

    fn meaning(self, meaning: Meaning) -> Self {
        Self { meaning: Some(meaning), ..self }
    }

    fn doubtful(self) -> Self {
        Self { doubtful: true, ..self }
    }
}

/// What values show whatever the column is called.
fn by_content(column: &ColumnProfile) -> Option<RoleVerdict> {
    let verdict = |role, why: &str| Some(RoleVerdict::new(role, why));
    match column.sample.distinct() {
        0 => return verdict(Role::Insensitive, "it has no values"),
        1 => return verdict(Role::Insensitive, "it has the same value in every record"),
        _ => {}
    }
    if mostly(column, is_email) {
        return verdict(Role::Identifier, "its values look like e-mail addresses");
    }
    if !column.shape.is_date() && mostly(column, is_phone) {
        return verdict(Role::Identifier, "its values look like telephone numbers");
    }
    None
}

fn by_name(column: &ColumnProfile, meaning: Meaning) -> RoleVerdict {
    let why = format!("its name suggests {}", meaning.what);
    RoleVerdict::new(meaning.role, why).meaning(meaning).settled(column)
}

impl RoleVerdict {
    /// A sensitive attribute that has another value in every record protects nothing by being
    /// counted; the user should review it.
    fn settled(self, column: &ColumnProfile) -> Self {
        let text = !column.shape.is_number() && !column.shape.is_date();
        if self.role != Role::Identifier && text && is_unique(column) {
            self.doubtful()
        } else {
            self
        }
    }
}

fn by_values(column: &ColumnProfile, named: bool) -> RoleVerdict {
    let listed = column.sample.is_complete() && column.sample.distinct() <= LISTED;
    let meaning = listed.then(|| meaning::of_values(&column.sample.values())).flatten();
    if let Some(meaning) = meaning {
        let why = format!("its values suggest {}", meaning.what);
        return RoleVerdict::new(meaning.role, why).meaning(meaning);
    }
    if !named && is_age(column) {
        let why = "whole numbers of the range of ages";
        let meaning = meaning::of_name("age");
        return RoleVerdict { meaning, ..RoleVerdict::new(Role::QuasiIdentifier, why) }.doubtful();
    }
    let fraction = column.shape.is_number() && !column.shape.is_whole();
    if is_unique(column) && !fraction && !column.shape.is_date() {
        let why = "almost every record has its own value, so it identifies records";
        return RoleVerdict::new(Role::Identifier, why);
    }
    let why = "nothing suggests that others know it or that it must be protected";
    let verdict = RoleVerdict::new(Role::Insensitive, why);
    if share(column) > NOTABLE_SHARE && column.known >= MIN_RECORDS {
        return RoleVerdict {
            why: "its many different values may identify persons".into(),
            ..verdict
        }
        .doubtful();
    }
    verdict
}

fn share(column: &ColumnProfile) -> f64 {
    column.sample.distinct() as f64 / column.known.max(1) as f64
}

fn is_unique(column: &ColumnProfile) -> bool {
    column.known >= MIN_RECORDS && share(column) >= UNIQUE
}

/// Whole numbers from childhood or youth to old age.
fn is_age(column: &ColumnProfile) -> bool {
    let within = |(least, most): (haggle_model::Decimal, haggle_model::Decimal)| {
        least >= 0.into() && most >= 60.into() && most <= 125.into()
    };
    column.shape.is_whole()
        && column.sample.distinct() >= 30
        && column.shape.range().is_some_and(within)
}

/// Whether nine in ten different values are of a kind.
fn mostly(column: &ColumnProfile, is: impl Fn(&str) -> bool) -> bool {
    let values = column.sample.values();
    let alike = values.iter().filter(|(value, _)| is(value)).count();
    alike * 10 >= values.len() * 9
}

fn is_email(value: &str) -> bool {
    let (user, domain) = value.split_once('@').unwrap_or_default();
    !user.is_empty() && domain.contains('.') && !value.contains(' ')
}

/// Seven digits or more, with the signs that separate those of telephone numbers.
fn is_phone(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let sign = |c: char| "+-/() ".contains(c);
    (7..=16).contains(&digits)
        && value.contains(sign)
        && !value.starts_with('-')
        && value.chars().all(|c| c.is_ascii_digit() || sign(c))
}

/// The marks of missing values that occur, as [`MARKS`] has them.
pub(super) fn missing_marks(profile: &Profile) -> Vec<String> {
    let occurs = |mark: &&&str| profile.columns.iter().any(|c| c.missing.contains_key(**mark));
    MARKS.iter().filter(occurs).map(|&mark| mark.to_owned()).collect()
}

/// The columns with missing values, and how many they miss.
pub(super) fn missing_in(profile: &Profile) -> BTreeMap<String, u64> {
    let missing = |column: &ColumnProfile| (column.name.clone(), column.missing.values().sum());
    profile.columns.iter().map(missing).filter(|(_, count)| *count > 0).collect()
}

/// Returns the first column whose name says that it identifies persons, and whose values repeat.
pub(super) fn unit(profile: &Profile) -> Option<String> {
    let is_id =
        |column: &&ColumnProfile| meaning::of_name(&column.name).is_some_and(|m| m.kind == "id");
    let repeats = |column: &&ColumnProfile| column.sample.distinct() > 1 && share(column) < UNIQUE;
    profile.columns.iter().filter(is_id).find(repeats).map(|column| column.name.clone())
}

/// If there is no quasi-identifier, makes one of the attributes that suit best, so that the
/// project can be tried.
pub(super) fn ensure_quasi_identifier(guesses: &mut [Guess]) {
    if guesses.iter().any(|guess| guess.role == Role::QuasiIdentifier) {
        return;
    }
    let suits = |guess: &Guess| {
        (guess.role == Role::Insensitive, (2..=LISTED).contains(&guess.values), guess.values)
    };
    if let Some(best) = guesses.iter_mut().max_by_key(|guess| suits(guess)) {
        best.generalize();
        best.why =
            "nothing looks like a quasi-identifier; this was taken so that there is one".into();
        best.doubtful = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_telephone_numbers_are_recognized() {
        assert!(is_email("ada@example.org") && !is_email("ada@home") && !is_email("@example.org"));
        assert!(is_phone("+49 30 123456") && is_phone("(030) 123-4567"));
        assert!(
            !is_phone("10115")
                && !is_phone("1234567")
                && !is_phone("-1234567")
                && !is_phone("12 May 2020")
        );
    }
}
