//! A table of the population, in the codes of a published table.

use std::path::{Path, PathBuf};

use haggle_data::{Missing, Table};
use haggle_inference::PublishedGroups;
use haggle_inference::belief::{JointPrior, Locator};
use haggle_model::{Error, Level, Problem, QuasiIdentifier, Silent, Watched};
use haggle_project::Project;

use crate::measure::{Measured, in_no_field};
use crate::reading;

/// Persons with the same quasi-identifiers and sensitive value.
struct PopulationCell {
    codes: Vec<u32>,
    values: Vec<(u32, u64)>,
    persons: u64,
}

/// A population, with the values that the hierarchies of a table know.
pub(super) struct Population {
    cells: Vec<PopulationCell>,
    /// How many persons there are.
    pub(super) persons: u64,
    has_sensitive: bool,
    file: PathBuf,
}

impl Population {
    /// Reads a table. Persons with a quasi-identifier that no hierarchy knows look like no group.
    pub(super) fn read(
        file: &Path,
        project: Option<&Project>,
        attributes: &[QuasiIdentifier],
        sensitive: Option<&Watched>,
        memory: usize,
    ) -> Result<Self, Error> {
        let qi: Vec<String> = attributes.iter().map(|attribute| attribute.name.clone()).collect();
        let table = reading::open(file, None, project, &qi)?;
        let has = |watched: &&Watched| table.column(&watched.name).is_some();
        let sensitive = sensitive.filter(has);
        let names: Vec<String> = sensitive.iter().map(|watched| watched.name.clone()).collect();
        let missing = missing_of(project);
        let measured = Measured::count(&table, &qi, &names, None, &missing, memory, &Silent)?;
        let (cells, persons) = cells(&measured, attributes, sensitive);
        let (has_sensitive, file) = (sensitive.is_some(), file.to_owned());
        Ok(Self { cells, persons, has_sensitive, file })
    }

    /// The persons who look like each group.
    pub(super) fn by_group(&self, groups: &PublishedGroups<'_>) -> Vec<u64> {
        let locator = Locator::new(groups);
        let mut persons = vec![0; groups.groups().len()];
        for cell in &self.cells {
            locator.holding(&cell.codes).iter().for_each(|&group| persons[group] += cell.persons);
        }
        persons
    }

    /// The population as a prior for these sensitive values.
    pub(super) fn prior(&self, values: usize) -> Result<JointPrior, Error> {
        if !self.has_sensitive {
            let what = "the population has no column of the sensitive attribute";
            let fix = "choose another prior, or add the column";
            return Err(Problem::new(what).file(&self.file).fix(fix).into());
        }
        let mut prior = JointPrior::of_persons(values);
        for cell in &self.cells {
            for &(value, persons) in &cell.values {
                prior.add(&cell.codes, value, persons as f64);
            }
        }
        Ok(prior)
    }
}

/// What counts as missing, as the project says.
fn missing_of(project: Option<&Project>) -> Missing {
    project.map_or_else(in_no_field, |project| project.data.missing.clone())
}

/// The persons whose values the attributes know, and how many persons there are in all.
fn cells(
    measured: &Measured,
    attributes: &[QuasiIdentifier],
    sensitive: Option<&Watched>,
) -> (Vec<PopulationCell>, u64) {
    let cube = measured.cube();
    let own = |(i, &code): (usize, &u32)| {
        let label = cube.attributes()[i].hierarchy.label(code, Level::RECORDED);
        attributes[i].hierarchy.code(label)
    };
    let value = |code: u32| sensitive?.values.code(cube.watched().first()?.values.value(code));
    let mut cells = Vec::new();
    cube.for_each_group(&cube.space().bottom(), 0, |codes, group| {
        let codes: Option<Vec<u32>> = codes.iter().enumerate().map(own).collect();
        let values = group.values.iter();
        let values = values.filter_map(|v| Some((value(v.code)?, v.count))).collect();
        cells.extend(codes.map(|codes| PopulationCell { codes, values, persons: group.records }));
    });
    (cells, cube.records())
}

/// Reads stated conditionals: a table with the quasi-identifiers, the sensitive attribute, a column
/// `probability` of each value given them, and a column `share` of the persons who have them.
pub(super) fn conditionals(
    file: &Path,
    project: Option<&Project>,
    attributes: &[QuasiIdentifier],
    sensitive: &Watched,
    memory: usize,
) -> Result<JointPrior, Error> {
    let names = attributes.iter().map(|attribute| &attribute.name).chain([&sensitive.name]);
    let mut names: Vec<String> = names.cloned().collect();
    names.extend(["probability".to_owned(), "share".to_owned()]);
    let table: Table = reading::open(file, None, None, &names)?;
    let missing = missing_of(project);
    let measured = Measured::count(&table, &names, &[], None, &missing, memory, &Silent)?;
    let cube = measured.cube();
    let mut stated = std::collections::BTreeMap::<Vec<u32>, (f64, Vec<f64>)>::new();
    let mut problem = None;
    cube.for_each_group(&cube.space().bottom(), 0, |codes, _| {
        let labels: Vec<&str> = codes
            .iter()
            .zip(cube.attributes())
            .map(|(&code, attribute)| attribute.hierarchy.label(code, Level::RECORDED))
            .collect();
        let line = stated_line(&labels, attributes, sensitive);
        match line {
            Err(what) => problem = Some(what),
            Ok(None) => {}
            Ok(Some((codes, value, probability, share))) => {
                let values = sensitive.values.len();
                let row = stated.entry(codes).or_insert_with(|| (share, vec![0.0; values]));
                row.1[value as usize] += probability;
            }
        }
    });
    if let Some(what) = problem {
        let fix =
            "write one line for each combination and sensitive value, with numbers such as 0.25";
        return Err(Problem::new(what).file(file).fix(fix).into());
    }
    let stated = stated.into_iter().map(|(codes, (share, given))| (codes, share, given));
    JointPrior::of_conditionals(sensitive.values.len(), stated)
}

/// The codes, the sensitive value, its probability and the share of persons; none for a combination
/// that no hierarchy knows.
type StatedLine = Option<(Vec<u32>, u32, f64, f64)>;

fn stated_line(
    labels: &[&str],
    attributes: &[QuasiIdentifier],
    sensitive: &Watched,
) -> Result<StatedLine, &'static str> {
    let (codes, rest) = labels.split_at(attributes.len());
    let [value, probability, share] = rest else { return Err("a line has too few fields") };
    let number = |text: &str| text.trim().parse::<f64>();
    let (Ok(probability), Ok(share)) = (number(probability), number(share)) else {
        return Err("a probability or share is not a number");
    };
    let codes = codes.iter().zip(attributes).map(|(label, a)| a.hierarchy.code(label));
    let Some(codes) = codes.collect::<Option<Vec<u32>>>() else { return Ok(None) };
    let value =
        sensitive.values.code(value).ok_or("a sensitive value does not occur in the table")?;
    Ok(Some((codes, value, probability, share)))
}
