//! Whether a file keeps a promise, and what it promises without having been asked.

use std::path::{Path, PathBuf};

use haggle_data::{CsvOptions, Input, Missing, Table};
use haggle_model::{Dictionary, Level, Role, Watched};
use haggle_privacy::{Facts, Target};
use serde::Serialize;

use crate::answer::by_name;
use crate::criterion::{Criterion, Threshold, plain, unit, weaker};
use crate::facts::{self, AllStated};
use crate::manifest::Manifest;
use crate::measure::{Measured, in_no_field};
use crate::{Error, Privacy, Project};

/// A file to be looked at, and what its columns mean.
#[derive(Debug, Clone)]
pub struct Inspection {
    table: Table,
    qi: Vec<String>,
    sensitive: Vec<String>,
    unit: Option<String>,
    unit_absent: Option<String>,
    project: Option<Project>,
    missing: Missing,
    memory: usize,
    from: String,
}

/// Whose distribution of sensitive values groups are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// The file's own, which suppression may have shifted.
    File,
    /// That of the project's data.
    Project,
}

/// Whether a promise is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether every group passes every threshold.
    pub holds: bool,
    /// The thresholds asked for.
    #[serde(serialize_with = "by_name")]
    pub asked: Vec<(String, Threshold)>,
    /// What the weakest group attains.
    #[serde(serialize_with = "by_name")]
    pub attained: Vec<(String, Threshold)>,
    /// Whose distribution groups were compared with, where a model compares them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
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
    #[serde(serialize_with = "by_name")]
    pub attained: Vec<(String, Threshold)>,
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
        let missing = project
            .map(|project| project.data.missing.clone())
            .or_else(|| manifest.as_ref().map(Manifest::missing))
            .unwrap_or_else(in_no_field);
        let sensitive = sensitive
            .or_else(|| project.map(|project| project.named(Role::Sensitive)))
            .or_else(|| manifest.map(|manifest| manifest.sensitive))
            .unwrap_or_default();
        let unit = project.and_then(|project| project.data.unit.clone());
        let (unit, unit_absent) = match unit {
            Some(unit) if table.column(&unit).is_none() => (None, Some(unit)),
            unit => (unit, None),
        };
        let (project, from) = (project.cloned(), from.into());
        Ok(Self { table, qi, sensitive, unit, unit_absent, project, missing, memory, from })
    }

    fn measured(&self) -> Result<Measured, Error> {
        let Self { table, qi, sensitive, unit, missing, memory, .. } = self;
        Measured::of(table, qi, sensitive, unit.as_ref(), missing, *memory)
    }

    /// Whether every group passes every threshold.
    pub fn verify(&self, privacy: &[Privacy]) -> Result<Verdict, Error> {
        if privacy.is_empty() {
            return Err(Error::new("which promise?", "say for instance --k 5"));
        }
        let models: Vec<_> =
            privacy.iter().map(|one| Ok(one.resolve()?.0)).collect::<Result<_, Error>>()?;
        let compares = models.iter().any(|model| model.reference);
        let stated = models.iter().any(|model| model.reference || !model.states.is_empty());
        let project = self.project.as_ref().filter(|_| stated);
        let known = project.map(|project| project.facts(self.memory)).transpose()?;
        let (measured, facts) = self.judged_by(known.as_ref())?;
        let criteria = Criterion::all(privacy, &facts, unit(measured.cube()).as_ref())?;
        known.iter().try_for_each(|(known, _)| as_recorded(&measured, known, &criteria))?;
        let groups = groups(&measured);
        let failing = failing(&measured, &criteria);
        let weakest = |c: &Criterion| Some((c.label.clone(), c.threshold(0, measured.weakest(c)?)));
        let reference = if known.is_some() { Reference::Project } else { Reference::File };
        Ok(Verdict {
            holds: failing == 0,
            asked: criteria.iter().map(|c| (c.label.clone(), c.asked())).collect(),
            attained: criteria.iter().filter_map(weakest).collect(),
            reference: compares.then_some(reference),
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

    /// The file, counted, and its sensitive attributes: as the file alone tells, or over the values
    /// and counts of the project's data with what the project states.
    fn judged_by(
        &self,
        known: Option<&(Vec<Facts>, AllStated)>,
    ) -> Result<(Measured, Vec<Facts>), Error> {
        let mut measured = self.measured()?;
        let mut facts = facts::facts(measured.cube(), &AllStated::new())?;
        let Some((of_project, stated)) = known else { return Ok((measured, facts)) };
        for facts in &mut facts {
            let Target { position, name } = facts.target.clone();
            let Some(known) = of_project.iter().find(|f| f.target.name == name) else { continue };
            let watched = &measured.cube().watched()[position];
            let (values, codes) = joined(known, watched);
            let mut counts = known.counts.clone();
            counts.resize(values.len(), 0);
            let stated = stated.get(&name).cloned().unwrap_or_default();
            *facts = facts::of(Target { position, name }, values, counts, &stated)?;
            measured = measured.judged_by(position, codes);
        }
        Ok((measured, facts))
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
        let facts = facts::facts(measured.cube(), &AllStated::new())?;
        let statistics = plain(&facts, unit(measured.cube()).as_ref(), |_| true);
        let attained = statistics.into_iter().filter_map(|statistic| {
            let mut weakest = None;
            measured.for_each_group(statistic.column().watches.unwrap_or(0), |group| {
                weakest = weaker(statistic.as_ref(), weakest, statistic.of(group));
            });
            Some((statistic.column().id.clone(), Threshold::One(weakest?)))
        });
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

/// The values of the project's data and, behind them, those that only the file has; and for each value
/// of the file its code among them. A value that the file shows generalized counts as one that lies
/// below it.
fn joined(known: &Facts, watched: &Watched) -> (Dictionary, Vec<u32>) {
    let mut values = known.values.clone();
    let codes = watched.values.values().map(|value| {
        let general = || known.hierarchy.as_ref().and_then(|h| below(h, value));
        values.code(value).or_else(general).unwrap_or_else(|| values.code_or_add(value))
    });
    let codes = codes.collect();
    (values, codes)
}

/// An error if an attribute is shown generalized and a promise is about its recorded values.
fn as_recorded(measured: &Measured, known: &[Facts], criteria: &[Criterion]) -> Result<(), Error> {
    for criterion in criteria.iter().filter(|c| c.model.published_level.is_none()) {
        let watched = &measured.cube().watched();
        let watched = criterion.judge().column().watches.map(|position| &watched[position]);
        let facts = watched.and_then(|w| known.iter().find(|f| f.target.name == w.name));
        let (Some(watched), Some(facts)) = (watched, facts) else { continue };
        let general = |value: &str| {
            let hierarchy = facts.hierarchy.as_ref();
            facts.values.code(value).is_none()
                && hierarchy.is_some_and(|h| below(h, value).is_some())
        };
        if watched.values.values().any(general) {
            let what = format!(
                "the file shows '{}' generalized, so {} cannot be held against the project's data",
                watched.name, criterion.model.id
            );
            return Err(Error::new(what, "verify without the project, by the file's own values"));
        }
    }
    Ok(())
}

/// The code of a value that lies below a generalized one.
fn below((hierarchy, codes): &(haggle_model::Hierarchy, Vec<u32>), label: &str) -> Option<u32> {
    let levels = (1..=u8::from(hierarchy.top())).map(Level::from);
    let found = levels.flat_map(|level| {
        (0..).zip(codes).filter(move |(_, code)| {
            hierarchy.label(hierarchy.ancestor(**code, level), level) == label
        })
    });
    found.map(|(value, _): (u32, _)| value).next()
}

/// How many groups there are.
pub(crate) fn groups(measured: &Measured) -> u64 {
    let mut groups = 0;
    measured.for_each_group(0, |_| groups += 1);
    groups
}

/// Records in groups that fail at least one criterion.
pub(crate) fn failing(measured: &Measured, criteria: &[Criterion]) -> u64 {
    // Groups come in the same order whatever is watched, so verdicts can be joined by position.
    let mut records: Vec<u64> = Vec::new();
    measured.for_each_group(0, |group| records.push(group.records));
    let mut fails = vec![false; records.len()];
    for criterion in criteria {
        let mut position = 0;
        measured.for_each_group(criterion.watches(), |group| {
            fails[position] |= !criterion.passes(group);
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
