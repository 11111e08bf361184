//! The hierarchy that covers an attribute's values: from its file, by its rule, or none at all.

use haggle_data::{OnMissing, Table, Values, parse_hierarchy};
use haggle_model::{
    ANY, Builder, Dictionary, Error, Hierarchy, Level, Occurrence, Problem, Problems,
};

use crate::Project;
use crate::project::{Attribute, Definition};

/// How many of the values that a hierarchy does not cover are named.
const MAX_NAMED: usize = 5;

/// The hierarchy of an attribute's file, if it has one; it can be read before the data.
pub fn from_file(project: &Project, attribute: &Attribute) -> Result<Option<Hierarchy>, Error> {
    let Some(path) = attribute.file() else { return Ok(None) };
    let bytes = project.origin.read(path)?;
    parse_hierarchy(&attribute.name, &project.origin.path(path), &bytes).map(Some)
}

/// The hierarchy of an attribute: that of its file, else the one that its values lead to. Missing
/// values that are a value and occur are covered.
pub fn covering(
    project: &Project,
    table: &Table,
    attribute: &Attribute,
    file: Option<Hierarchy>,
    values: &Values,
) -> Result<Hierarchy, Error> {
    let Some(hierarchy) = file else { return from_values(project, table, attribute, values) };
    let occurs = missing(project).is_some_and(|label| values.dictionary.code(label).is_some());
    if occurs { with_missing_value(project, attribute, hierarchy) } else { Ok(hierarchy) }
}

/// The hierarchy with a place for missing values, if they are a value.
pub fn with_missing_value(
    project: &Project,
    attribute: &Attribute,
    hierarchy: Hierarchy,
) -> Result<Hierarchy, Error> {
    match missing(project) {
        Some(label) => hierarchy.with_value(&attribute.name, label),
        None => Ok(hierarchy),
    }
}

/// The hierarchy of an attribute without a file, from the values that occur.
pub fn from_values(
    project: &Project,
    table: &Table,
    attribute: &Attribute,
    values: &Values,
) -> Result<Hierarchy, Error> {
    match &attribute.hierarchy {
        // A rule cannot build a hierarchy where every value is missing.
        _ if values.dictionary.is_empty() => flat(project, attribute, values),
        Some(Definition::Rule(rule)) => built(project, table, attribute, rule, values),
        _ => flat(project, attribute, values),
    }
}

fn built(
    project: &Project,
    table: &Table,
    attribute: &Attribute,
    rule: &Builder,
    values: &Values,
) -> Result<Hierarchy, Error> {
    let lines = values.first_line.iter().copied();
    let values = values.dictionary.values().zip(lines);
    let values: Vec<_> = values.map(|(value, line)| Occurrence { value, line }).collect();
    let hierarchy = rule.build(&attribute.name, &values, missing(project));
    hierarchy.map_err(|error| {
        let placed =
            error.into_problems().into_iter().map(|p| placed(project, table, attribute, p));
        Problems::check(placed.collect()).expect_err("a failure has problems").into()
    })
}

/// A problem with a line is one of the data, another one of the project.
fn placed(project: &Project, table: &Table, attribute: &Attribute, problem: Problem) -> Problem {
    match problem.at.line {
        Some(_) => table.place(problem),
        None => problem.file(&project.file).line(attribute.line),
    }
}

/// Returns the label of missing values, if they are a value.
fn missing(project: &Project) -> Option<&str> {
    let missing = &project.data.missing;
    (missing.policy == OnMissing::Value).then(|| missing.label())
}

/// The hierarchy with a place for each missing value that matches nothing.
pub fn with_missing(hierarchy: Hierarchy, values: &Values) -> Hierarchy {
    if values.missing.is_empty() { hierarchy } else { hierarchy.with_unmatched(values.unmatched()) }
}

/// Where missing values match nothing, their marks must not be what known values become: in a
/// publication they could not be distinguished.
pub(crate) fn marked(
    project: &Project,
    attribute: &Attribute,
    hierarchy: &Hierarchy,
) -> Option<Problem> {
    let missing = &project.data.missing;
    let mark = |label: &&str| missing.marks.iter().any(|mark| mark == label);
    let paths = (0..hierarchy.matched(Level::RECORDED) as u32).map(|code| hierarchy.path(code));
    let mut relevant = paths.filter(|_| missing.policy == OnMissing::Unmatched);
    let found = relevant
        .find_map(|mut path| path.next().filter(|value| !mark(value)).and(path.find(mark)))?;
    let name = &attribute.name;
    let what = format!("in the hierarchy of '{name}' values become '{found}', which means missing");
    let fix = format!("give that level another name than '{found}', or take it out of `missing`");
    Some(Problem::new(what).file(&project.file).line(attribute.line).fix(fix))
}

/// An attribute without a hierarchy: its values, and above them only `*`. Missing values that are a
/// value come last, so that the others keep their order as numbers or dates.
fn flat(project: &Project, attribute: &Attribute, values: &Values) -> Result<Hierarchy, Error> {
    if values.dictionary.code(ANY).is_some() {
        let what = format!("'{}' has the value '*', which means all values", attribute.name);
        return Err(Error::new(what, "give it a hierarchy, or declare '*' as missing"));
    }
    let mark = missing(project).filter(|mark| values.dictionary.code(mark).is_some());
    let mut known = Dictionary::default();
    for value in values.dictionary.values().filter(|value| Some(*value) != mark) {
        known.code_or_add(value);
    }
    Ok(Hierarchy::flat(known.sorted().values().chain(mark)))
}

/// One problem that names the first values of a column that its hierarchy's file leaves out. A
/// hierarchy that was made from the values leaves out none.
pub fn uncovered(
    project: &Project,
    table: &Table,
    attribute: &Attribute,
    all: &[(&str, u64)],
) -> Option<Problem> {
    let (_, line) = *all.iter().min_by_key(|(_, line)| *line)?;
    let named: Vec<String> =
        all.iter().take(MAX_NAMED).map(|(value, _)| format!("'{value:.60}'")).collect();
    let more = if all.len() > MAX_NAMED {
        format!(" and {} more", all.len() - MAX_NAMED)
    } else {
        String::new()
    };
    let file = attribute.file().map(|path| project.origin.path(path)).unwrap_or_default();
    let what = format!(
        "the hierarchy of '{}' does not cover {}{more}, first on this line",
        attribute.name,
        named.join(", ")
    );
    let fix = format!("add a row for each to {}, or declare it as missing", file.display());
    Some(table.place(Problem::new(what).line(line).fix(fix)))
}

impl Attribute {
    /// Where the hierarchy comes from, in words.
    pub fn source(&self) -> String {
        match &self.hierarchy {
            None => "none: values, then *".into(),
            Some(definition) => definition.to_string(),
        }
    }
}
