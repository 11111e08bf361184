//! Hierarchies that a rule builds from the values that occur: one file per rule.

use std::fmt;

use crate::{ANY, Error, Hierarchy, Problem, Row};

mod bounds;
mod calendar;
mod date_format;
mod dates;
pub(crate) mod day_line;
mod decimal;
mod groups;
mod intervals;
mod prefix;
mod range;
mod tree;

pub use bounds::Bounds;
pub use date_format::{DateFormat, ParseDateFormatError};
pub use dates::{DateUnit, Dates};
pub use decimal::{Decimal, ParseDecimalError};
pub use groups::{Groups, ValueGroup};
pub use intervals::{Intervals, OpenEnds};
pub use prefix::{Pad, Prefix};
pub use tree::{Node, Tree};

/// How many of the values that a rule cannot place are named in a message.
const NAMED: usize = 5;
/// Longer values are truncated in messages.
const SHOWN: usize = 40;

/// A value of an attribute and the line on which it occurs first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence<'a> {
    /// The value as recorded.
    pub value: &'a str,
    /// The line of the data, from 1.
    pub line: u64,
}

/// A rule that makes a hierarchy from the values that occur.
///
/// ```
/// use haggle_model::{Builder, Intervals, Occurrence, OpenEnds};
///
/// let rule = Intervals::new(vec![5.into(), 10.into()], 17.into(), OpenEnds::default())?;
/// let ages = ["17", "36", "41"].map(|value| Occurrence { value, line: 1 });
/// let age = Builder::from(rule).build("age", &ages, None)?;
/// assert_eq!(age.path(age.code("36").unwrap()).collect::<Vec<_>>(), ["36", "32-36", "27-36", "*"]);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Builder {
    /// Intervals of equal width.
    Intervals(Intervals),
    /// Intervals between stated bounds.
    Bounds(Bounds),
    /// The last characters hidden.
    Prefix(Prefix),
    /// Parts of the calendar.
    Dates(Dates),
    /// Groups of values, groups of groups, and so on.
    Groups(Groups),
    /// A tree whose leaves are values.
    Tree(Tree),
}

impl Builder {
    /// Builds the hierarchy of an attribute from the values that occur. `missing` is the value that
    /// represents missing values: unless the rule lists it, it gets its own path below the top.
    pub fn build(
        &self,
        attribute: &str,
        values: &[Occurrence<'_>],
        missing: Option<&str>,
    ) -> Result<Hierarchy, Error> {
        let own = missing.filter(|label| !self.lists(label));
        let is_own = |occurrence: &&Occurrence<'_>| own == Some(occurrence.value);
        let known: Vec<Occurrence<'_>> = values.iter().filter(|o| !is_own(o)).copied().collect();
        let own = own.filter(|_| known.len() < values.len());
        if let (Some(label), true) = (own, known.is_empty()) {
            return Ok(Hierarchy::flat([label]));
        }
        refuse_any(attribute, &known)?;
        let hierarchy = Hierarchy::from_rows(attribute, topped(self.rows(attribute, &known)?))?;
        own.map_or(Ok(hierarchy.clone()), |label| hierarchy.with_value(attribute, label))
    }

    fn rows(&self, attribute: &str, values: &[Occurrence<'_>]) -> Result<Vec<Path>, Problem> {
        match self {
            Self::Intervals(rule) => rule.paths(attribute, values),
            Self::Bounds(rule) => rule.paths(attribute, values),
            Self::Prefix(rule) => Ok(rule.paths(values)),
            Self::Dates(rule) => rule.paths(attribute, values),
            Self::Groups(rule) => rule.paths(attribute, values),
            Self::Tree(rule) => rule.paths(attribute, values),
        }
    }

    /// Returns whether the rule lists this value.
    fn lists(&self, value: &str) -> bool {
        match self {
            Self::Groups(rule) => rule.lists(value),
            Self::Tree(rule) => rule.lists(value),
            _ => false,
        }
    }
}

impl fmt::Display for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Intervals(rule) => rule.fmt(f),
            Self::Bounds(rule) => rule.fmt(f),
            Self::Prefix(rule) => rule.fmt(f),
            Self::Dates(rule) => rule.fmt(f),
            Self::Groups(rule) => rule.fmt(f),
            Self::Tree(rule) => rule.fmt(f),
        }
    }
}

macro_rules! into_builder {
    ($($rule:ident),*) => {
        $(impl From<$rule> for Builder {
            fn from(rule: $rule) -> Self {
                Self::$rule(rule)
            }
        })*
    };
}

into_builder!(Intervals, Bounds, Prefix, Dates, Groups, Tree);

/// A value's labels from the value itself up, without the top, and the line on which it was read.
struct Path {
    line: u64,
    labels: Vec<String>,
}

impl Path {
    fn new(occurrence: &Occurrence<'_>, above: impl IntoIterator<Item = String>) -> Self {
        let labels = std::iter::once(occurrence.value.to_owned()).chain(above).collect();
        Self { line: occurrence.line, labels }
    }
}

/// Converts paths to rows that all end in the same top. A last level that is the top already is
/// kept.
fn topped(paths: Vec<Path>) -> Vec<Row> {
    let has_top = |path: &Path| path.labels.len() > 1 && path.labels.last().is_some_and(is_any);
    let top = if paths.iter().all(has_top) { None } else { Some(ANY.to_owned()) };
    paths.into_iter().map(|p| Row::new(p.line, p.labels.into_iter().chain(top.clone()))).collect()
}

fn is_any(label: &String) -> bool {
    label == ANY
}

/// A recorded `*` would mean one value and all values at the same time.
fn refuse_any(attribute: &str, values: &[Occurrence<'_>]) -> Result<(), Problem> {
    match values.iter().find(|occurrence| occurrence.value == ANY) {
        None => Ok(()),
        Some(any) => {
            let what = format!("'{attribute}' has the value '*', which means all values");
            Err(Problem::new(what).line(any.line).fix("declare '*' as missing, or rename it"))
        }
    }
}

/// Builds one problem for all values that a rule cannot place: `what`, followed by the first few
/// values.
fn unplaced(values: &[Occurrence<'_>], what: &str, fix: &str) -> Problem {
    let first = values.iter().map(|occurrence| occurrence.line).min().unwrap_or(1);
    let named =
        values.iter().take(NAMED).map(|occurrence| format!("'{}'", shown(occurrence.value)));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match values.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Problem::new(format!("{what} {named}{more}, first on this line")).line(first).fix(fix)
}

/// A value short enough for a message.
fn shown(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.into(),
    }
}

/// "5, 10 and 20".
fn listed<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
