//! What is lost over published records, from their values and from what the project states of them.

use haggle_api::MeasureSpec;
use haggle_inference::groups::{hierarchy_of_cells, value_set};
use haggle_model::{ANY, Builder, Error, Hierarchy, Interval, Level, QuasiIdentifier, UNMATCHED};
use haggle_project::Project;
use haggle_project::covering::from_file;
use haggle_project::project::Definition;

use super::{PublishedRecords, labels};

/// What a project states of the values of a quasi-identifier.
pub(super) enum StatedValues {
    /// It lists them: in a hierarchy file, a tree or groups.
    Listed(Hierarchy),
    /// Its rule makes intervals of numbers.
    Numbers,
    /// Its rule makes labels that do not say what they cover.
    Rule,
    /// Nothing: values, then `*`.
    Nothing,
}

impl StatedValues {
    pub(super) fn read(project: Option<&Project>, name: &str) -> Result<Self, Error> {
        let Some(project) = project else { return Ok(Self::Nothing) };
        let attribute = project.attributes.iter().find(|attribute| attribute.name == name);
        let Some(attribute) = attribute else { return Ok(Self::Nothing) };
        Ok(match &attribute.hierarchy {
            None => Self::Nothing,
            Some(Definition::File(_)) => {
                from_file(project, attribute)?.map_or(Self::Nothing, Self::Listed)
            }
            Some(Definition::Rule(rule)) => match rule {
                Builder::Tree(_) | Builder::Groups(_) => {
                    Self::Listed(rule.build(name, &[], None)?)
                }
                Builder::Intervals(_) | Builder::Bounds(_) => Self::Numbers,
                Builder::Prefix(_) | Builder::Dates(_) => Self::Rule,
            },
        })
    }
}

/// What a measure loses over published records; or why that does not follow from them.
pub(super) fn loss(published: &PublishedRecords, spec: &MeasureSpec) -> Result<f64, String> {
    match spec.measure.as_str() {
        "lm" => general_loss(published, spec),
        "discernibility" => {
            let mut sum = 0.0;
            published.measured.for_each_group(0, |group| {
                sum += group.records as f64 * group.records as f64;
            });
            Ok(sum)
        }
        "average-class-size" => {
            let mut groups = 0_u64;
            published.measured.for_each_group(0, |_| groups += 1);
            Ok(published.records() as f64 / groups.max(1) as f64)
        }
        _ => Err("it compares with recorded values".into()),
    }
}

/// The mean over all cells of the share of other values that each covers.
fn general_loss(published: &PublishedRecords, spec: &MeasureSpec) -> Result<f64, String> {
    let cube = published.measured.cube();
    let mut costs = Vec::new();
    for (position, attribute) in cube.attributes().iter().enumerate() {
        let level = published.levels.as_ref().map(|levels| levels.level(position));
        let weight = spec.weights.get(&attribute.name).copied().unwrap_or(1.0);
        let shares = covered(attribute, &published.domains[position], level)?;
        costs.push((weight, shares));
    }
    let all: f64 = costs.iter().map(|(weight, _)| weight).sum();
    let mut sum = 0.0;
    cube.for_each_group(&cube.space().bottom(), 0, |codes, group| {
        let cells = codes.iter().zip(&costs).map(|(&code, (w, shares))| w * shares[code as usize]);
        sum += group.records as f64 * cells.sum::<f64>();
    });
    Ok(sum / (all * published.records() as f64).max(f64::MIN_POSITIVE))
}

/// By code, the share of the attribute's other values that a published value covers.
fn covered(
    attribute: &QuasiIdentifier,
    stated: &StatedValues,
    level: Option<Level>,
) -> Result<Vec<f64>, String> {
    let (name, labels) = (&attribute.name, labels(attribute));
    let unknown = || format!("the labels of '{name}' do not say how many values they cover");
    if level == Some(Level::RECORDED) {
        return Ok(vec![0.0; labels.len()]);
    }
    let cells = labels.iter().copied().filter(|label| *label != UNMATCHED);
    // Where values are not listed, an interval with an open end does not say where it ends.
    let is_open = |label: &str| Interval::parse(label).is_some_and(|it| it.width().is_none());
    if !matches!(stated, StatedValues::Listed(_)) && labels.iter().any(|label| is_open(label)) {
        return Err(unknown());
    }
    let of_cells = || hierarchy_of_cells(name, cells.clone()).map_err(|_| unknown());
    match stated {
        StatedValues::Listed(values) => {
            let share = |label: &&str| share(values, label).unwrap_or_default();
            Ok(labels.iter().map(share).collect())
        }
        StatedValues::Nothing => {
            let values = of_cells()?;
            let share = |label: &&str| match *label {
                ANY => 1.0,
                label => share(&values, label).unwrap_or_default(),
            };
            Ok(labels.iter().map(share).collect())
        }
        StatedValues::Numbers => {
            let values = of_cells()?;
            let share = |label: &&str| match *label {
                ANY => Ok(1.0),
                UNMATCHED => Ok(0.0),
                // A label that is taken for a value is no interval.
                label if values.code(label).is_some() && label.parse::<f64>().is_err() => {
                    Err(unknown())
                }
                label => share(&values, label).ok_or_else(unknown),
            };
            labels.iter().map(share).collect()
        }
        StatedValues::Rule => {
            let share = |label: &&str| match *label {
                ANY => Ok(1.0),
                UNMATCHED => Ok(0.0),
                _ => Err(unknown()),
            };
            labels.iter().map(share).collect()
        }
    }
}

/// The share of the other values that a label covers; none if it is not a label of these values.
fn share(values: &Hierarchy, label: &str) -> Option<f64> {
    let all = values.len(Level::RECORDED).max(2);
    let covered = value_set(values, label)?.len().max(1);
    Some((covered - 1) as f64 / (all - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(labels: &[&str]) -> QuasiIdentifier {
        let hierarchy = Hierarchy::flat(labels.iter().copied());
        QuasiIdentifier { name: "age".into(), hierarchy }
    }

    #[test]
    fn a_cell_covers_what_the_project_lists_below_it() {
        let decade = |age: &'static str| [age, if age < "40" { "30-39" } else { "40-49" }];
        let rows = ["37", "38", "41", "42", "43"].map(decade);
        let listed = StatedValues::Listed(Hierarchy::from_paths("age", rows).unwrap());
        let shares = |labels: &[&str]| covered(&published(labels), &listed, None);
        // One and two of four others, and all of them.
        assert_eq!(shares(&["30-39"]), Ok(vec![0.25]));
        assert_eq!(shares(&["40-49"]), Ok(vec![0.5]));
        assert_eq!(shares(&["*"]), Ok(vec![1.0]));
        assert_eq!(shares(&["41"]), Ok(vec![0.0]));
    }

    #[test]
    fn where_no_values_are_stated_those_of_the_cells_count() {
        let shares =
            |labels: &[&str], stated| covered(&published(labels), &stated, Some(Level::from(1)));
        assert_eq!(shares(&["*"], StatedValues::Nothing), Ok(vec![1.0]));
        // Five of ten numbers: four of nine others.
        let found = shares(&["20-24", "25-29"], StatedValues::Numbers);
        assert_eq!(found, Ok(vec![4.0 / 9.0, 4.0 / 9.0]));
        let why = "the labels of 'age' do not say how many values they cover".to_owned();
        assert_eq!(shares(&["20-24", "over 90"], StatedValues::Numbers), Err(why.clone()));
        assert_eq!(shares(&["<18", "18-24"], StatedValues::Nothing), Err(why.clone()));
        assert_eq!(shares(&["12**"], StatedValues::Rule), Err(why));
        assert_eq!(shares(&["*"], StatedValues::Rule), Ok(vec![1.0]));
    }

    #[test]
    fn values_as_recorded_lose_nothing() {
        let zip = published(&["1234", "5678"]);
        let recorded = covered(&zip, &StatedValues::Rule, Some(Level::RECORDED));
        assert_eq!(recorded, Ok(vec![0.0, 0.0]));
    }
}
