//! Built hierarchies: their labels, that levels nest and cover every value, and what is refused.

mod labels;
mod random;

use std::collections::BTreeSet;
use std::fmt::Debug;

use haggle_model::{
    Bounds, Builder, DateUnit, Dates, Decimal, Error, ErrorKind, Hierarchy, Intervals, Level, Node,
    Occurrence, OpenEnds, Problem, ValueGroup,
};

fn build(rule: impl Into<Builder>, values: &[impl AsRef<str>]) -> Result<Hierarchy, Error> {
    let values = values.iter().zip(2..).map(|(v, line)| Occurrence { value: v.as_ref(), line });
    rule.into().build("x", &values.collect::<Vec<_>>(), None)
}

fn paths(rule: impl Into<Builder>, values: &[&str]) -> Vec<String> {
    let hierarchy = build(rule, values).unwrap();
    let path = |value: &&str| hierarchy.path(hierarchy.code(value).unwrap()).collect::<Vec<_>>();
    values.iter().map(|value| path(value).join(" ")).collect()
}

fn problems<T: Debug>(result: Result<T, Error>) -> Vec<Problem> {
    let error = result.expect_err("it should be refused");
    assert_eq!(error.kind(), ErrorKind::BadInput, "{error}");
    error.into_problems()
}

fn problem<T: Debug>(result: Result<T, Error>) -> String {
    let problems = problems(result);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(!problems[0].fix.is_empty(), "{problems:?}");
    problems[0].what.clone()
}

fn numbers(list: &[&str]) -> Vec<Decimal> {
    list.iter().map(|number| number.parse().unwrap()).collect()
}

fn intervals(widths: &[&str], origin: &str) -> Result<Intervals, Error> {
    Intervals::new(numbers(widths), origin.parse().unwrap(), OpenEnds::default())
}

fn bounds(levels: &[&[&str]]) -> Result<Bounds, Error> {
    Bounds::new(levels.iter().map(|level| numbers(level)).collect())
}

fn group(label: &str, members: &[&str]) -> ValueGroup {
    ValueGroup { label: label.into(), members: members.iter().map(|&m| m.into()).collect() }
}

/// Every value is covered, codes are contiguous, and the top is the one `*`.
fn assert_sound(hierarchy: &Hierarchy, values: &BTreeSet<String>, levels: usize) {
    assert_eq!(hierarchy.top().index(), levels + 1);
    assert_eq!(hierarchy.len(hierarchy.top()), 1);
    assert_eq!(hierarchy.label(0, hierarchy.top()), "*");
    assert!(values.iter().all(|value| hierarchy.code(value).is_some()));
    for level in (0..=hierarchy.top().into()).map(Level::from) {
        let codes = hierarchy.ancestors(level);
        assert!(codes.is_sorted());
        let labels: BTreeSet<&str> = codes.iter().map(|&c| hierarchy.label(c, level)).collect();
        assert_eq!(labels.len(), hierarchy.len(level), "a label has one code");
    }
}

fn label(hierarchy: &Hierarchy, value: &str, level: u8) -> String {
    let code = hierarchy.ancestor(hierarchy.code(value).unwrap(), level.into());
    hierarchy.label(code, level.into()).into()
}

fn dates(units: &[DateUnit], format: Option<&str>) -> Result<Dates, Error> {
    Dates::new(units.to_vec(), format.map(|format| format.parse().unwrap()))
}

fn branch(label: &str, below: Vec<Node>) -> Node {
    Node::Branch { label: label.into(), below }
}
