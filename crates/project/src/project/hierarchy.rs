//! The hierarchy of an attribute as a project states it: a file, or a rule that builds it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use haggle_model::{
    Bounds, Builder, DateFormat, DateUnit, Dates, Decimal, Groups, Intervals, Node, OpenEnds, Pad,
    Prefix, Tree, ValueGroup,
};
use toml::Spanned;
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::strict::Section;

/// Where a hierarchy comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// A file, relative to the project.
    File(PathBuf),
    /// A rule, applied to the values that occur.
    Rule(Builder),
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

impl Definition {
    /// The file, if it is one.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::File(path) => Some(path),
            Self::Rule(_) => None,
        }
    }
}

/// A rule's key and what reads it, with the keys that go with it.
type Rule =
    (&'static str, fn(&mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>>);

const RULES: &[Rule] = &[
    ("intervals", intervals),
    ("bounds", bounds),
    ("prefix", prefix),
    ("dates", dates),
    ("groups", groups),
    ("tree", tree),
];

const EXPECTED: &str = "a file name, or a rule such as { intervals = [5, 10, 20] }";

/// The definition under the key `hierarchy`, if there is one and it is sound.
pub(super) fn read(section: &mut Section<'_, '_>) -> Option<Definition> {
    let stated = section.take("hierarchy", EXPECTED, |value| match value {
        DeValue::String(path) => Some(Ok(PathBuf::from(path.as_ref()))),
        other => Some(Err(other.as_table()?)),
    });
    match stated? {
        Ok(path) => Some(Definition::File(path)),
        Err(table) => {
            rule(section.within("the hierarchy", "hierarchy", table)).map(Definition::Rule)
        }
    }
}

fn rule(mut section: Section<'_, '_>) -> Option<Builder> {
    let stated: Vec<&Rule> = RULES.iter().filter(|(key, _)| section.has(key)).collect();
    let keys: Vec<&'static str> = RULES.iter().map(|(key, _)| *key).collect();
    let fix = format!("write one of: {}", keys.join(", "));
    let line = section.line();
    match stated[..] {
        [(key, read)] => {
            let built = read(&mut section);
            let built = built.and_then(|built| section.noted(key, built));
            section.finish();
            built
        }
        [] => {
            section.problem(line, "the hierarchy has no rule".into(), fix);
            section.expect(&keys);
            section.finish();
            None
        }
        _ => {
            let stated: Vec<_> = stated.iter().map(|(key, _)| *key).collect();
            section.problem(line, format!("the hierarchy has {}", stated.join(" and ")), fix);
            None
        }
    }
}

fn intervals(section: &mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>> {
    let widths = section.take("intervals", "a list of widths such as [5, 10, 20]", decimals);
    let origin = section.take("origin", "a number", decimal);
    let below = section.take("below", "a number", decimal);
    let above = section.take("above", "a number", decimal);
    let has_decimals = section.boolean("decimals").unwrap_or_default();
    let origin = origin.unwrap_or(Decimal::ZERO);
    let rule = Intervals::new(widths?, origin, OpenEnds { below, above });
    Some(rule.map(|rule| if has_decimals { rule.with_decimals() } else { rule }.into()))
}

fn bounds(section: &mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>> {
    let expected = "a list of bounds for each level, such as [[18, 30, 65], [18, 65]]";
    let levels = section.take("bounds", expected, |value| {
        value.as_array()?.iter().map(|level| decimals(level.get_ref())).collect()
    });
    let has_decimals = section.boolean("decimals").unwrap_or_default();
    let rule = Bounds::new(levels?);
    Some(rule.map(|rule| if has_decimals { rule.with_decimals() } else { rule }.into()))
}

fn prefix(section: &mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>> {
    let expected = "a list of whole numbers such as [1, 2, 3]";
    let hidden = section.take("prefix", expected, |value| {
        let whole = |v: &Spanned<DeValue<'_>>| number_text(v.get_ref())?.parse().ok();
        value.as_array()?.iter().map(whole).collect()
    });
    let pad = section.take("pad", "\"right\" or \"left\"", |value| {
        Pad::ALL.iter().find(|(_, name)| Some(*name) == value.as_str()).map(|(pad, _)| *pad)
    });
    let length = section.take("length", "a whole number above 0", |value| {
        number_text(value)?.parse::<usize>().ok().filter(|length| *length > 0)
    });
    let rule = Prefix::new(hidden?, pad.unwrap_or_default());
    Some(rule.map(|rule| length.into_iter().fold(rule, Prefix::with_length).into()))
}

fn dates(section: &mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>> {
    let expected = "a list of units (day, week, month, quarter, year, decade)";
    let units = section.take("dates", expected, |value| {
        let unit = |v: &Spanned<DeValue<'_>>| DateUnit::named(v.get_ref().as_str()?);
        value.as_array()?.iter().map(unit).collect()
    });
    let expected = "a date format such as \"D.M.YYYY\" or \"M/D/YYYY\"";
    let format =
        section.take("format", expected, |value| DateFormat::from_str(value.as_str()?).ok());
    Some(Dates::new(units?, format).map(Into::into))
}

fn groups(section: &mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>> {
    let expected = "a list of tables, one for each level, such as [{ young = [\"18\", \"19\"] }]";
    let levels = section.take("groups", expected, |value| {
        value.as_array()?.iter().map(|level| level_of_groups(level.get_ref())).collect()
    });
    let order = section.take("order", "a list of values in their order", texts);
    let rest = section.string("rest");
    Some(Groups::new(levels?, order, rest).map(Into::into))
}

/// A table of labels and their members; or a list of values that are each their own label.
fn level_of_groups(value: &DeValue<'_>) -> Option<Vec<ValueGroup>> {
    let group = |(label, members): (&str, &DeValue<'_>)| {
        Some(ValueGroup { label: label.into(), members: texts(members)? })
    };
    match value.as_table() {
        Some(table) => in_order(table).into_iter().map(group).collect(),
        None => Some(texts(value)?.into_iter().map(ValueGroup::alone).collect()),
    }
}

fn tree(section: &mut Section<'_, '_>) -> Option<Result<Builder, haggle_model::Error>> {
    let expected =
        "a table such as { Government = [\"Federal\", \"Local\"], Private = [\"Private\"] }";
    let below_top = section.take("tree", expected, |value| branches(value.as_table()?));
    let rest = section.string("rest");
    Some(Tree::new(below_top?, rest).map(Into::into))
}

fn branches(table: &DeTable<'_>) -> Option<Vec<Node>> {
    let branch = |(label, value): (&str, &DeValue<'_>)| {
        Some(Node::Branch { label: label.into(), below: below(value)? })
    };
    in_order(table).into_iter().map(branch).collect()
}

/// Branches in a table; values, or tables of further branches, in a list.
fn below(value: &DeValue<'_>) -> Option<Vec<Node>> {
    if let Some(table) = value.as_table() {
        return branches(table);
    }
    let mut nodes = Vec::new();
    for item in value.as_array()? {
        match item.get_ref().as_table() {
            Some(table) => nodes.extend(branches(table)?),
            None => nodes.push(Node::Leaf(text(item.get_ref())?)),
        }
    }
    Some(nodes)
}

/// Returns the entries of a table in the order of the file.
pub(super) fn in_order<'t>(table: &'t DeTable<'_>) -> Vec<(&'t str, &'t DeValue<'t>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter().map(|(key, value)| (key.get_ref().as_ref(), value.get_ref())).collect()
}

fn decimals(value: &DeValue<'_>) -> Option<Vec<Decimal>> {
    value.as_array()?.iter().map(|number| decimal(number.get_ref())).collect()
}

fn decimal(value: &DeValue<'_>) -> Option<Decimal> {
    number_text(value)?.parse().ok()
}

/// Values are texts; numbers may do without quotes.
pub(super) fn texts(value: &DeValue<'_>) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| text(item.get_ref())).collect()
}

fn text(value: &DeValue<'_>) -> Option<String> {
    let text = value.as_str().map(|text| text.trim().to_owned());
    text.or_else(|| number_text(value))
}

/// A number in tens, as it is written.
fn number_text(value: &DeValue<'_>) -> Option<String> {
    let integer = value.as_integer().filter(|number| number.radix() == 10).map(DeInteger::as_str);
    let text = integer.or_else(|| value.as_float().map(DeFloat::as_str))?;
    Some(text.replace('_', ""))
}
