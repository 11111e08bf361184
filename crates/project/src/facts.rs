//! What is known of the sensitive attributes of a table: what the project states, and the counts.

use std::collections::BTreeMap;

use haggle_cube::Cube;
use haggle_data::{Scanned, Table};
use haggle_model::{Dictionary, Error, Hierarchy, Level, Problem, Problems, Role, Silent};
use haggle_privacy::{Facts, Ground, Stated, Target};

use crate::Project;
use crate::covering::{from_file, from_values, marked, uncovered};
use crate::project::Attribute;
use crate::survey::{noted, survey};

/// By sensitive attribute, what the project states of it, with its hierarchy and matrix read.
pub type AllStated = BTreeMap<String, Stated>;

/// Reads what the project states of its sensitive attributes and holds it against their values, which
/// stand behind `counted` quasi-identifiers in what was scanned.
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
            let hierarchy = from_file(project, attribute).and_then(|found| {
                found.map_or_else(|| from_values(project, table, attribute, values), Ok)
            });
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
        let target = Target { position, name: attribute.name.clone() };
        // What a hierarchy leaves out was said with its place already.
        let checked = Stated { hierarchy: None, ..stated.clone() };
        let counts = vec![1; values.dictionary.len()];
        if let Err(found) = Facts::new(target, values.dictionary.clone(), counts, &checked) {
            let placed = |problem: Problem| problem.file(&project.file).line(attribute.line);
            problems.extend(found.into_iter().map(placed));
        }
        all.insert(attribute.name.clone(), stated);
    }
    all
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

/// The sensitive attributes of a cube, with what is stated of them.
pub fn facts(cube: &Cube, stated: &AllStated) -> Result<Vec<Facts>, Error> {
    let counted = counts(cube);
    let one = |((position, watched), counts): ((usize, &haggle_model::Watched), Vec<u64>)| {
        let target = Target { position, name: watched.name.clone() };
        let stated = stated.get(&watched.name).cloned().unwrap_or_default();
        of(target, watched.values.clone(), counts, &stated)
    };
    cube.sensitive().zip(counted).map(one).collect()
}

/// The facts of one attribute; what does not fit is an error.
pub fn of(
    target: Target,
    values: Dictionary,
    counts: Vec<u64>,
    stated: &Stated,
) -> Result<Facts, Error> {
    Facts::new(target, values, counts, stated).map_err(|problems| {
        Problems::check(problems).expect_err("what does not fit has problems").into()
    })
}

/// How many records have each value of each sensitive attribute.
pub(crate) fn counts(cube: &Cube) -> Vec<Vec<u64>> {
    let of = |(position, watched): (usize, &haggle_model::Watched)| {
        let mut counts = vec![0; watched.values.len()];
        cube.for_each_group(cube.space().top(), position, |_, group| {
            for value in group.values {
                counts[value.code as usize] += u64::from(value.count);
            }
        });
        counts
    };
    cube.sensitive().map(of).collect()
}

impl Project {
    /// Whether it states anything of how far apart the values of a sensitive attribute are.
    pub fn states_distances(&self) -> bool {
        let sensitive = self.attributes.iter().filter(|a| a.role == Role::Sensitive);
        sensitive.map(|a| &a.sensitive.stated).any(|s| s.order.is_some() || s.distance.is_some())
    }

    /// What is known of the sensitive attributes of the project's data.
    pub fn facts(&self, memory: usize) -> Result<(Vec<Facts>, AllStated), Error> {
        // One quasi-identifier is enough: its groups are not looked at.
        let first: Vec<String> = self.default_qi().into_iter().take(1).collect();
        let mut survey = survey(self, &first, memory, &Silent)?;
        let stated = std::mem::take(&mut survey.stated);
        Ok((facts(&survey.into_cube(self), &stated)?, stated))
    }
}
