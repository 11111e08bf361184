//! Project and data together: hierarchies read, columns found, values covered, or what is wrong.

use haggle_data::{OnMissing, Plan, Scanned, Table, parse_hierarchy, scan};
use haggle_model::{Hierarchy, Problem, Problems, QuasiIdentifier, Role};
use serde::Serialize;

use crate::project::Attribute;
use crate::{Error, Project};

/// So many values that a hierarchy does not cover are named.
const NAMED: usize = 5;

/// What a project and its data are, found sound.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The records of the table.
    pub records: u64,
    /// The records left out because a value was missing.
    pub dropped: u64,
    /// How fields are separated, as detected or stated.
    pub separator: char,
    /// Whether the first record names the columns.
    pub header: bool,
    /// The attributes that count.
    pub attributes: Vec<AttributeReport>,
}

/// What was found of an attribute.
#[derive(Debug, Clone, Serialize)]
pub struct AttributeReport {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// How many different values occur.
    pub values: usize,
    /// How many levels its hierarchy has above the recorded values; 0 without one.
    pub levels: u8,
    /// Where the hierarchy comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
}

/// A table with its counts and the hierarchies that cover it.
pub(crate) struct Survey {
    pub(crate) attributes: Vec<QuasiIdentifier>,
    pub(crate) scanned: Scanned,
    pub(crate) table: Table,
}

/// Reads the hierarchies and the table once, counting by these quasi-identifiers. Every problem
/// that can be found is found.
pub(crate) fn survey(
    project: &Project,
    qi: &[String],
    memory: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Survey, Error> {
    let mut problems = Vec::new();
    let chosen = chosen(project, qi)?;
    let hierarchies: Vec<Option<Hierarchy>> =
        chosen.iter().map(|a| noted(hierarchy(project, a), &mut problems).flatten()).collect();
    let table = project
        .origin
        .input(&project.data.path)
        .and_then(|input| Ok(Table::open(input, &project.data.options)?));
    let table = noted(table, &mut problems);
    let counted = table.and_then(|table| {
        let plan = noted(plan(project, &table, qi), &mut problems)?;
        let scanned = scan(&table, &plan, memory, progress).map_err(Error::from);
        Some((noted(scanned, &mut problems)?, table))
    });
    let attributes = counted.as_ref().map(|(scanned, _)| {
        let attribute = |(i, (a, hierarchy)): (usize, (&&Attribute, Option<Hierarchy>))| {
            let covering = hierarchy.map_or_else(|| flat(a, scanned, i), Ok);
            let found = QuasiIdentifier {
                name: a.name.clone(),
                hierarchy: noted(covering, &mut problems)?,
            };
            problems.extend(uncovered(project, a, &found, scanned, i));
            Some(found)
        };
        chosen.iter().zip(hierarchies).enumerate().filter_map(attribute).collect::<Vec<_>>()
    });
    Problems::check(problems)?;
    let (scanned, table) = counted.expect("no problem, so the table was counted");
    Ok(Survey { attributes: attributes.expect("the table was counted"), scanned, table })
}

/// The value, or its problems on the list.
fn noted<T>(result: Result<T, Error>, problems: &mut Vec<Problem>) -> Option<T> {
    result.map_err(|error| problems.extend(error.into_problems())).ok()
}

/// The attributes asked for, in the order asked for.
fn chosen<'p>(project: &'p Project, qi: &[String]) -> Result<Vec<&'p Attribute>, Error> {
    let quasi: Vec<_> = project.named(Role::QuasiIdentifier);
    let find = |name: &String| {
        let found =
            project.attributes.iter().find(|a| a.name == *name && a.role == Role::QuasiIdentifier);
        found.ok_or_else(|| {
            let what = format!("'{name}' is not a quasi-identifier of this project");
            Error::new(what, format!("choose from: {}", quasi.join(", ")))
        })
    };
    if let Some(twice) = qi.iter().enumerate().find(|(i, name)| qi[..*i].contains(name)) {
        return Err(Error::new(
            format!("'{}' is named twice", twice.1),
            "name each quasi-identifier once",
        ));
    }
    if qi.is_empty() {
        return Err(Error::new(
            "no quasi-identifier is chosen",
            format!("choose from: {}", quasi.join(", ")),
        ));
    }
    qi.iter().map(find).collect()
}

fn hierarchy(project: &Project, attribute: &Attribute) -> Result<Option<Hierarchy>, Error> {
    let Some(path) = &attribute.hierarchy else { return Ok(None) };
    let bytes = project.origin.read(path)?;
    let hierarchy = parse_hierarchy(&attribute.name, &project.origin.path(path), &bytes)?;
    let missing = &project.data.missing;
    if missing.policy == OnMissing::Value {
        return Ok(Some(hierarchy.with_value(&attribute.name, missing.label())?));
    }
    Ok(Some(hierarchy))
}

/// An attribute without a hierarchy: its values, and above them only `*`.
fn flat(attribute: &Attribute, scanned: &Scanned, position: usize) -> Result<Hierarchy, Error> {
    let values = scanned.values(position).dictionary.values();
    if scanned.values(position).dictionary.code(haggle_model::ANY).is_some() {
        let what = format!("'{}' has the value '*', which stands for all values", attribute.name);
        return Err(Error::new(what, "give it a hierarchy, or declare '*' as missing"));
    }
    Ok(Hierarchy::flat(values))
}

/// What to count, by column; columns that the table does not have are problems.
fn plan(project: &Project, table: &Table, qi: &[String]) -> Result<Plan, Error> {
    let mut problems = Vec::new();
    let mut column = |name: &String| {
        let found = table.column(name);
        if found.is_none() {
            problems.push(no_column(project, table, name));
        }
        found.unwrap_or(0)
    };
    let sensitive = project.named(Role::Sensitive);
    let checked = project.named(Role::QuasiIdentifier).into_iter().chain(sensitive.clone());
    let plan = Plan {
        checked: checked.map(|name| column(&name)).collect(),
        counted: qi.iter().map(|name| table.column(name).unwrap_or(0)).collect(),
        watched: sensitive.iter().map(|name| table.column(name).unwrap_or(0)).collect(),
        missing: project.data.missing.clone(),
    };
    Problems::check(problems)?;
    Ok(plan)
}

fn no_column(project: &Project, table: &Table, name: &str) -> Problem {
    let line = project.attributes.iter().find(|a| a.name == name).map_or(1, |a| a.line);
    Problem::new(format!("the data has no column '{name}'")).file(&project.file).line(line).fix(
        format!(
            "its columns are: {}; if the file has no header, state header = false and columns",
            table.columns().join(", ")
        ),
    )
}

/// One problem that names the first values of a column that its hierarchy leaves out.
fn uncovered(
    project: &Project,
    attribute: &Attribute,
    found: &QuasiIdentifier,
    scanned: &Scanned,
    position: usize,
) -> Option<Problem> {
    let all: Vec<(&str, u64)> = scanned.uncovered(position, found).collect();
    let (_, line) = *all.iter().min_by_key(|(_, line)| *line)?;
    let named: Vec<String> =
        all.iter().take(NAMED).map(|(value, _)| format!("'{value}'")).collect();
    let more =
        if all.len() > NAMED { format!(" and {} more", all.len() - NAMED) } else { String::new() };
    let file = attribute.hierarchy.as_ref().map(|path| project.origin.path(path));
    Some(
        Problem::new(format!(
            "the hierarchy of '{}' does not cover {}{more}, first on this line",
            attribute.name,
            named.join(", ")
        ))
        .file(project.origin.path(&project.data.path))
        .line(line)
        .fix(format!(
            "add a row for each to {}, or declare it as missing",
            file.unwrap_or_default().display()
        )),
    )
}

impl Project {
    /// Reads everything and reports every problem at once, or what the project is.
    pub fn check(&self, progress: &(dyn Fn(usize) + Sync)) -> Result<Report, Error> {
        let qi = self.named(Role::QuasiIdentifier);
        let Survey { attributes, scanned, table } = survey(self, &qi, usize::MAX, progress)?;
        let sensitive = self.named(Role::Sensitive);
        let quasi = attributes
            .iter()
            .map(|a| (&a.name, Role::QuasiIdentifier, u8::from(a.hierarchy.top())));
        let watched = sensitive.iter().map(|name| (name, Role::Sensitive, 0));
        let report = |(i, (name, role, levels)): (usize, (&String, Role, u8))| AttributeReport {
            name: name.clone(),
            role,
            values: scanned.values(i).dictionary.len(),
            levels,
            hierarchy: (role == Role::QuasiIdentifier).then(|| self.hierarchy_source(name)),
        };
        Ok(Report {
            records: scanned.read(),
            dropped: scanned.dropped(),
            separator: table.dialect().separator.into(),
            header: table.has_header(),
            attributes: quasi.chain(watched).enumerate().map(report).collect(),
        })
    }

    fn hierarchy_source(&self, name: &str) -> String {
        let path =
            self.attributes.iter().find(|a| a.name == name).and_then(|a| a.hierarchy.as_ref());
        path.map_or("none: values, then *".into(), |path| path.display().to_string())
    }
}
