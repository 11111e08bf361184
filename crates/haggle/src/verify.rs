//! Whether a file keeps a promise, and what it promises without having been asked.

use std::path::{Path, PathBuf};

use haggle_cube::Statistic;
use haggle_data::{CsvOptions, Input, Table};
use haggle_model::Role;
use serde::Serialize;

use crate::answer::numbers;
use crate::ask::Privacy;
use crate::engine::statistics;
use crate::manifest::Manifest;
use crate::measure::Measured;
use crate::{Error, Project};

/// A file to be looked at, and what its columns mean.
#[derive(Debug, Clone)]
pub struct Inspection {
    table: Table,
    qi: Vec<String>,
    sensitive: Vec<String>,
    unit: Option<String>,
    unit_absent: Option<String>,
    memory: usize,
    from: String,
}

/// Whether a promise is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether every group passes every threshold.
    pub holds: bool,
    /// The thresholds asked for.
    #[serde(serialize_with = "numbers")]
    pub asked: Vec<(String, f64)>,
    /// What the weakest group attains.
    #[serde(serialize_with = "numbers")]
    pub attained: Vec<(String, f64)>,
    /// Records in groups that fail.
    pub failing: u64,
    /// All records of the file.
    pub records: u64,
    /// Records with `*` in every quasi-identifier: suppressed, in no group.
    pub starred: u64,
    /// The groups.
    pub groups: u64,
    /// The quasi-identifiers looked at.
    pub quasi_identifiers: Vec<String>,
    /// The column whose different values were counted as persons; records were, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The project's column of persons, if the file does not have it: records were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_absent: Option<String>,
    /// Whether the file is the one that its manifest speaks of; `None` without a manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_matches: Option<bool>,
}

/// What a file is, by every statistic that can be told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assessment {
    /// All records.
    pub records: u64,
    /// Records with `*` in every quasi-identifier: suppressed, in no group.
    pub starred: u64,
    /// The groups.
    pub groups: u64,
    /// The quasi-identifiers looked at.
    pub quasi_identifiers: Vec<String>,
    /// How the quasi-identifiers were chosen.
    pub chosen_by: String,
    /// The weakest group by every model.
    #[serde(serialize_with = "numbers")]
    pub attained: Vec<(String, f64)>,
    /// Records that are alone in their group.
    pub unique: u64,
    /// Records in groups of fewer than five.
    pub under_five: u64,
    /// Records in groups of fewer than ten.
    pub under_ten: u64,
    /// The mean number of records in a group.
    pub mean_group: f64,
    /// The highest chance of picking the right record for a known person: one over the smallest group.
    pub highest_risk: f64,
    /// The mean of that chance over all records.
    pub mean_risk: f64,
}

impl Inspection {
    /// Opens a file. What its columns mean comes from the names given, else from the project, else
    /// from the manifest beside the file.
    pub fn open(
        file: &Path,
        project: Option<&Project>,
        qi: Option<Vec<String>>,
        sensitive: Option<Vec<String>>,
        memory: usize,
    ) -> Result<Self, Error> {
        let table = Table::open(Input::file(file), &CsvOptions::default())?;
        let manifest = Manifest::beside(file)?;
        let named = qi.map(|qi| (qi, "as named"));
        let stated = || project.map(|project| (project.default_qi(), "as the project says"));
        let published = || {
            let qi = manifest.as_ref()?.attributes.iter().map(|a| a.name.clone()).collect();
            Some((qi, "as the manifest beside the file says"))
        };
        let (qi, from) = named.or_else(stated).or_else(published).ok_or_else(|| {
            // The columns are not listed: without a header they would be a record.
            let fix = "name them with --qi a,b,c, or name the project behind the file";
            Error::new("which columns are quasi-identifiers?", fix)
        })?;
        let sensitive = sensitive
            .or_else(|| project.map(|project| project.named(Role::Sensitive)))
            .or_else(|| manifest.map(|manifest| manifest.sensitive))
            .unwrap_or_default();
        let unit = project.and_then(|project| project.data.unit.clone());
        let (unit, unit_absent) = match unit {
            Some(unit) if table.column(&unit).is_none() => (None, Some(unit)),
            unit => (unit, None),
        };
        Ok(Self { table, qi, sensitive, unit, unit_absent, memory, from: from.into() })
    }

    fn measured(&self) -> Result<Measured, Error> {
        Measured::of(&self.table, &self.qi, &self.sensitive, self.unit.as_ref(), self.memory)
    }

    /// Whether every group passes every threshold.
    pub fn verify(&self, privacy: &[Privacy]) -> Result<Verdict, Error> {
        if privacy.is_empty() {
            return Err(Error::new("which promise?", "say for instance --k 5"));
        }
        let measured = self.measured()?;
        let thresholds = thresholds(privacy, &measured)?;
        let groups = groups(&measured);
        let failing = failing(&measured, &thresholds);
        let name = |t: &Threshold| t.model.to_owned();
        let attained: Vec<_> = thresholds
            .iter()
            .filter_map(|t| Some((name(t), measured.weakest(t.statistic.as_ref())?)))
            .collect();
        Ok(Verdict {
            holds: failing == 0,
            asked: thresholds.iter().map(|t| (name(t), t.value)).collect(),
            attained,
            failing,
            records: measured.records(),
            starred: if groups == 0 { 0 } else { measured.starred() },
            groups,
            quasi_identifiers: self.qi.clone(),
            unit: self.unit.clone(),
            unit_absent: self.unit_absent.clone(),
            manifest_matches: self.manifest_matches()?,
        })
    }

    fn manifest_matches(&self) -> Result<Option<bool>, Error> {
        let file = self.table.input().name();
        let Some(manifest) = Manifest::beside(file)? else { return Ok(None) };
        Ok(Some(manifest.output.sha256 == crate::manifest::sha256(file)?))
    }

    /// Every statistic that can be told.
    pub fn assess(&self) -> Result<Assessment, Error> {
        let measured = self.measured()?;
        let (mut smallest, mut counts) = (u64::MAX, [0_u64; 3]);
        let (mut groups, mut records) = (0_u64, 0_u64);
        measured.for_each_group(0, |group| {
            (groups, records) = (groups + 1, records + group.records);
            smallest = smallest.min(group.records);
            for (count, below) in counts.iter_mut().zip([2, 5, 10]) {
                *count += if group.records < below { group.records } else { 0 };
            }
        });
        let attained = statistics(measured.cube()).into_iter();
        let attained = attained.filter_map(|s| Some((s.id(), measured.weakest(s.as_ref())?)));
        Ok(Assessment {
            records: measured.records(),
            starred: measured.starred(),
            groups,
            quasi_identifiers: self.qi.clone(),
            chosen_by: self.from.clone(),
            attained: attained.collect(),
            unique: counts[0],
            under_five: counts[1],
            under_ten: counts[2],
            mean_group: records as f64 / groups.max(1) as f64,
            highest_risk: if groups > 0 { 1.0 / smallest as f64 } else { 0.0 },
            mean_risk: groups as f64 / records.max(1) as f64,
        })
    }
}

/// A threshold with the statistic that it is about.
pub(crate) struct Threshold {
    pub(crate) model: &'static str,
    pub(crate) statistic: Box<dyn Statistic>,
    pub(crate) value: f64,
}

/// The thresholds asked for, on the watched attributes of a measured table.
pub(crate) fn thresholds(
    privacy: &[Privacy],
    measured: &Measured,
) -> Result<Vec<Threshold>, Error> {
    privacy.iter().map(|one| one.threshold(measured.cube())).collect()
}

/// How many groups there are.
pub(crate) fn groups(measured: &Measured) -> u64 {
    let mut groups = 0;
    measured.for_each_group(0, |_| groups += 1);
    groups
}

/// Records in groups that fail at least one threshold.
pub(crate) fn failing(measured: &Measured, thresholds: &[Threshold]) -> u64 {
    // Groups come in the same order whatever is watched, so verdicts can be joined by position.
    let mut records: Vec<u64> = Vec::new();
    measured.for_each_group(0, |group| records.push(group.records));
    let mut fails = vec![false; records.len()];
    for Threshold { statistic, value, .. } in thresholds {
        let mut position = 0;
        measured.for_each_group(statistic.watches().unwrap_or(0), |group| {
            let of = haggle_cube::Group { records: group.records, values: group.values };
            fails[position] |= !statistic.comparison().passes(statistic.of(&of), *value);
            position += 1;
        });
    }
    records.iter().zip(fails).filter(|(_, fails)| *fails).map(|(records, _)| records).sum()
}

/// Where the manifest of a file stands.
pub(crate) fn manifest_path(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".manifest.json");
    file.with_file_name(name)
}
