//! Groups of values, then groups of those groups: each level lists the members of the level below.

use std::collections::BTreeMap;
use std::fmt;

use super::{Occurrence, Path, listed, unplaced};
use crate::{Error, Problem, Problems};

/// A label and its members: values, or labels of the level below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueGroup {
    /// The label.
    pub label: String,
    /// Its members.
    pub members: Vec<String>,
}

impl ValueGroup {
    /// Builds a group of one value, which is its own label.
    pub fn alone(value: String) -> Self {
        Self { members: vec![value.clone()], label: value }
    }

    /// Returns whether the group is a single value that is its own label.
    pub fn is_alone(&self) -> bool {
        self.members == [self.label.as_str()]
    }
}

/// Groups for each level above 0.
///
/// ```
/// use haggle_model::{Builder, ValueGroup, Groups, Occurrence};
///
/// let group = |label: &str, members: &[&str]| ValueGroup {
///     label: label.into(),
///     members: members.iter().map(|&member| member.into()).collect(),
/// };
/// let levels = vec![vec![group("school", &["9th", "10th"]), group("college", &["BSc", "MSc"])]];
/// let rule = Builder::from(Groups::new(levels, None, Some("other".into()))?);
/// assert_eq!(rule.to_string(), "2 groups, the rest as 'other'");
/// let education = rule.build("education", &[Occurrence { value: "PhD", line: 7 }], None)?;
/// let path = |value| education.path(education.code(value).unwrap()).collect::<Vec<_>>();
/// assert_eq!(path("BSc"), ["BSc", "college", "*"]);
/// assert_eq!(path("PhD"), ["PhD", "other", "*"]);
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// Each member is in one group of its level; above level 1 members are labels of the level
    /// below.
    levels: Vec<Vec<ValueGroup>>,
    order: Option<Vec<String>>,
    rest: Option<String>,
}

impl Groups {
    /// Builds the groups of each level above 0. `order` lists the values in their order; groups
    /// must then be contiguous in it. `rest` labels the values that no group lists; without it,
    /// every value must be listed.
    pub fn new(
        levels: Vec<Vec<ValueGroup>>,
        order: Option<Vec<String>>,
        rest: Option<String>,
    ) -> Result<Self, Error> {
        let groups = Self { levels, order, rest };
        let mut problems = groups.shape_problems();
        if problems.is_empty() {
            problems.extend(groups.level_problems());
            problems.extend(groups.order_problems());
        }
        Problems::check(problems)?;
        Ok(groups)
    }

    /// The groups of each level above 0.
    pub fn levels(&self) -> &[Vec<ValueGroup>] {
        &self.levels
    }

    /// The order of the values, if it is stated.
    pub fn order(&self) -> Option<&[String]> {
        self.order.as_deref()
    }

    /// The label of what no group lists.
    pub fn rest(&self) -> Option<&str> {
        self.rest.as_deref()
    }

    pub(super) fn lists(&self, value: &str) -> bool {
        self.values().any(|listed| listed == value)
    }

    fn values(&self) -> impl Iterator<Item = &String> {
        self.levels[0].iter().flat_map(|group| &group.members)
    }

    pub(super) fn paths(
        &self,
        attribute: &str,
        values: &[Occurrence<'_>],
    ) -> Result<Vec<Path>, Problem> {
        let levels: Vec<_> = self.levels.iter().map(|groups| parents(groups)).collect();
        let is_listed = |o: &&Occurrence<'_>| levels[0].contains_key(o.value);
        let others: Vec<_> = values.iter().filter(|o| !is_listed(o)).copied().collect();
        if self.rest.is_none() && !others.is_empty() {
            let what = format!("no group of '{attribute}' lists");
            let fix = "add each to a group, or label what is left: rest = \"Other\"";
            return Err(unplaced(&others, &what, fix));
        }
        let listed: Vec<&String> = match &self.order {
            Some(order) => order.iter().collect(),
            None => self.values().collect(),
        };
        let listed = listed.into_iter().map(|value| Occurrence { value, line: 1 });
        Ok(listed.chain(others).map(|o| Path::new(&o, self.climb(&levels, o.value))).collect())
    }

    /// The labels above a value that is listed, unless there is a rest.
    fn climb(&self, levels: &[BTreeMap<&str, &str>], value: &str) -> Vec<String> {
        let mut label = value;
        let mut labels = Vec::new();
        for parents in levels {
            let parent = parents.get(label).copied().or(self.rest());
            label = parent.expect("everything is listed, or there is a rest");
            labels.push(label.to_owned());
        }
        labels
    }

    fn shape_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.levels.is_empty() || self.levels.iter().any(Vec::is_empty) {
            let fix = "write a table of labels for each level: [{ young = [\"18\", \"19\"], … }]";
            problems.push(Problem::new("a level has no groups").fix(fix));
        }
        for group in self.levels.iter().flatten() {
            if group.members.is_empty() || group.label.is_empty() {
                let what = format!("the group '{}' has no members or no name", group.label);
                problems
                    .push(Problem::new(what).fix("name it and list its members, or leave it out"));
            }
        }
        problems
    }

    fn level_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (i, groups) in self.levels.iter().enumerate() {
            problems.extend(twice(i + 1, groups));
        }
        for (i, pair) in self.levels.windows(2).enumerate() {
            let below: Vec<&str> =
                pair[0].iter().map(|group| group.label.as_str()).chain(self.rest()).collect();
            let members: Vec<&str> =
                pair[1].iter().flat_map(|group| &group.members).map(String::as_str).collect();
            problems.extend(members.iter().filter(|m| !below.contains(m)).map(|member| {
                let what = format!(
                    "'{member}' in the groups of level {} is not a label of the level below",
                    i + 2
                );
                Problem::new(what).fix(format!(
                    "list labels of level {}: {}",
                    i + 1,
                    below.join(", ")
                ))
            }));
            let forgotten =
                below.iter().filter(|label| self.rest.is_none() && !members.contains(label));
            problems.extend(forgotten.map(|label| {
                let what =
                    format!("'{label}' of level {} is in no group of level {}", i + 1, i + 2);
                Problem::new(what)
                    .fix(format!("add it to a group, or keep it alone: {label} = [\"{label}\"]"))
            }));
        }
        problems
    }

    fn order_problems(&self) -> Vec<Problem> {
        let Some(order) = &self.order else { return Vec::new() };
        let mut problems = Vec::new();
        let values: Vec<&String> = self.values().collect();
        for (i, value) in order.iter().enumerate() {
            if !values.contains(&value) || order[..i].contains(value) {
                let what = format!("'{value}' in order is not in any group, or is listed twice");
                problems.push(Problem::new(what).fix("list every value of the groups once"));
            }
        }
        problems.extend(values.iter().filter(|value| !order.contains(value)).map(|value| {
            Problem::new(format!("order leaves out '{value}'"))
                .fix("list every value of the groups once")
        }));
        if problems.is_empty() {
            problems.extend(self.scattered(order));
        }
        problems
    }

    /// Groups whose values are not neighbours in the stated order.
    fn scattered(&self, order: &[String]) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut labels: Vec<&str> = order.iter().map(String::as_str).collect();
        for (i, groups) in self.levels.iter().enumerate() {
            let parents = parents(groups);
            let above =
                labels.iter().filter_map(|label| parents.get(label).copied().or(self.rest()));
            labels = above.collect();
            labels.dedup();
            let again = |(at, label): (usize, &&str)| {
                labels[..at].contains(label).then(|| (*label).to_owned())
            };
            problems.extend(labels.iter().enumerate().filter_map(again).map(|label| {
                let what = format!(
                    "the values of '{label}' (level {}) are not neighbours in order",
                    i + 1
                );
                Problem::new(what).fix("group neighbours, or leave out order")
            }));
        }
        problems
    }
}

/// The group that each member belongs to.
fn parents(groups: &[ValueGroup]) -> BTreeMap<&str, &str> {
    let pairs =
        groups.iter().flat_map(|g| g.members.iter().map(|m| (m.as_str(), g.label.as_str())));
    pairs.collect()
}

/// Members that are listed twice in one level.
fn twice(level: usize, groups: &[ValueGroup]) -> Vec<Problem> {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    let mut problems = Vec::new();
    for group in groups {
        for member in &group.members {
            if let Some(earlier) = first.insert(member, &group.label) {
                let what = format!(
                    "'{member}' is listed in '{earlier}' and again in '{}' (level {level})",
                    group.label
                );
                problems.push(Problem::new(what).fix("let it belong to one of them, once"));
            }
        }
    }
    problems
}

impl fmt::Display for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = listed(self.levels.iter().map(Vec::len));
        let s = if sizes == "1" { "" } else { "s" };
        write!(f, "{sizes} group{s}")?;
        self.rest.as_ref().map_or(Ok(()), |rest| write!(f, ", the rest as '{rest}'"))
    }
}
