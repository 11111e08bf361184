//! What a project states of its sensitive attributes, read and compared with their values.

use std::collections::BTreeMap;

use haggle_data::{Scanned, Table};
use haggle_model::{Dictionary, Error, Hierarchy, Level, Problem, Role};
use haggle_privacy::{DontCare, Facts, Ground, Stated, Target};

use crate::Project;
use crate::covering::{covering, from_file, marked, uncovered};
use crate::project::Attribute;

/// By sensitive attribute, what the project states of it, with its hierarchy and matrix read.
pub type AllStated = BTreeMap<String, Stated>;

/// Reads what the project states of its sensitive attributes and compares it with their values,
/// which follow `counted` quasi-identifiers in what was scanned.
pub(crate) fn stated<T>(
    project: &Project,
    table: &Table,
    scanned: &Scanned<T>,
    counted: usize,
    problems: &mut Vec<Problem>,
) -> AllStated {
    let sensitive = project.attributes.iter().filter(|a| a.role == Role::Sensitive);
    let mut all = AllStated::new();
    for (position, attribute) in (counted..).zip(sensitive) {
        let values = scanned.values(position);
        let mut stated = attribute.sensitive.stated.clone();
        if attribute.hierarchy.is_some() {
            let hierarchy = from_file(project, attribute)
                .and_then(|file| covering(project, table, attribute, file, values));
            stated.hierarchy = noted(hierarchy, problems).map(|hierarchy| {
                let left_out = values.dictionary.values().zip(&values.first_line);
                let left_out = left_out.filter(|(value, _)| hierarchy.code(value).is_none());
                let left_out: Vec<_> = left_out.map(|(value, line)| (value, *line)).collect();
                problems.extend(uncovered(project, table, attribute, &left_out));
                problems.extend(marked(project, attribute, &hierarchy));
                rows(&hierarchy)
            });
        }
        let matrix =
            attribute.sensitive.matrix.as_ref().map(|path| matrix(project, attribute, path));
        stated.matrix = matrix.and_then(|matrix| noted(matrix, problems));
        problems.extend(given_elsewhere(project, attribute, &stated));
        let target = Target { position, name: attribute.name.clone() };
        // Values that a hierarchy does not cover were reported already, with their places.
        let checked = Stated { hierarchy: None, ..countless(&stated, &values.dictionary) };
        let counts = vec![1; values.dictionary.len()];
        if let Err(found) = Facts::new(target, values.dictionary.clone(), counts, &checked) {
            let placed = |problem: Problem| problem.file(&project.file).line(attribute.line);
            problems.extend(found.into_iter().map(placed));
        }
        all.insert(attribute.name.clone(), stated);
    }
    all
}

/// What is wrong with the attributes that a prior or a factor depends on.
fn given_elsewhere(project: &Project, attribute: &Attribute, stated: &Stated) -> Vec<Problem> {
    let is_known = |name: &String| {
        let quasi = |a: &&Attribute| a.role == Role::QuasiIdentifier && a.name == *name;
        project.attributes.iter().any(|a| quasi(&a))
    };
    let both = [("prior", &stated.prior_given), ("alpha", &stated.alpha)];
    let given =
        both.into_iter().filter_map(|(key, stated)| Some((key, stated.as_ref()?.given.as_ref()?)));
    let problem = |(key, name): (&str, &String)| {
        let what = format!(
            "{key} of '{}' is given '{name}', which is not a quasi-identifier",
            attribute.name
        );
        let fix = "name an attribute with the role \"quasi-identifier\"";
        Problem::new(what).fix(fix).file(&project.file).line(attribute.line)
    };
    given.filter(|(_, name)| !is_known(name)).map(problem).collect()
}

/// Removes what only counts determine: the most frequent values may be any that belong to no
/// category. Which they are is checked when records were counted.
fn countless(stated: &Stated, values: &Dictionary) -> Stated {
    let DontCare::MostFrequent { .. } = stated.dont_care else { return stated.clone() };
    let categories: Vec<&Vec<String>> =
        stated.categories.iter().map(|(_, members)| members).collect();
    let elsewhere =
        |value: &&str| !categories.iter().any(|members| members.iter().any(|m| m == value));
    let free: Vec<String> = values.values().filter(elsewhere).map(str::to_owned).collect();
    Stated { dont_care: free.into(), ..stated.clone() }
}

fn rows(hierarchy: &Hierarchy) -> Vec<Vec<String>> {
    let path = |code: u32| hierarchy.path(code).map(str::to_owned).collect();
    (0..hierarchy.len(Level::RECORDED) as u32).map(path).collect()
}

/// A matrix file: the values in the first line, then a line for each with its distances.
fn matrix(
    project: &Project,
    attribute: &Attribute,
    path: &std::path::Path,
) -> Result<Ground, Error> {
    let bytes = project.origin.read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let separator =
        if text.lines().next().is_some_and(|line| line.contains(';')) { ';' } else { ',' };
    let refuse = |line: usize, what: String| {
        let fix = "write the values in the first line after an empty field, then a line for each: the value and its distances";
        Error::from(
            Problem::new(format!("the distance matrix of '{}' {what}", attribute.name))
                .file(project.origin.path(path))
                .line(line as u64)
                .fix(fix),
        )
    };
    let fields = |line: &str| -> Vec<String> {
        let mut reader = csv::ReaderBuilder::new();
        reader.delimiter(separator as u8).has_headers(false).trim(csv::Trim::All);
        let mut records = reader.from_reader(line.as_bytes()).into_records();
        let record = records.next().and_then(Result::ok).unwrap_or_default();
        record.iter().map(str::to_owned).collect()
    };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or_else(|| refuse(1, "is empty".into()))?;
    let values: Vec<String> = fields(first).into_iter().skip(1).collect();
    let mut rows = vec![Vec::new(); values.len()];
    for (i, line) in lines {
        let fields = fields(line);
        let place = values.iter().position(|value| *value == fields[0]);
        let place = place.ok_or_else(|| {
            refuse(i + 1, format!("has a line for '{}', which is not in the first", fields[0]))
        })?;
        let distances: Result<Vec<f64>, _> =
            fields[1..].iter().map(|field| field.parse()).collect();
        if !rows[place].is_empty() {
            return Err(refuse(i + 1, format!("has a second line for '{}'", fields[0])));
        }
        rows[place] = distances
            .ok()
            .filter(|distances| distances.len() == values.len())
            .ok_or_else(|| refuse(i + 1, format!("needs {} numbers here", values.len())))?;
    }
    Ok(Ground { values, rows })
}

/// Returns the value, or adds the problems to the list.
pub fn noted<T>(result: Result<T, Error>, problems: &mut Vec<Problem>) -> Option<T> {
    result.map_err(|error| problems.extend(error.into_problems())).ok()
}
