//! What a published file was found to keep.

use haggle_api::risk::ReidentificationRisk;
use haggle_api::threshold::by_name;
use haggle_api::{OtherColumns, Threshold};
use haggle_output::Recovery;
use serde::Serialize;

use crate::anatomy::SensitiveTable;

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
#[non_exhaustive]
pub struct Verdict {
    /// Whether every group passes every threshold.
    pub holds: bool,
    /// The thresholds asked for.
    #[serde(serialize_with = "by_name")]
    pub asked: Vec<(String, Threshold)>,
    /// What the weakest group attains.
    #[serde(serialize_with = "by_name")]
    pub attained: Vec<(String, Threshold)>,
    /// What was asked with every word settled on, such as the distance of t-closeness.
    pub judged_by: Vec<String>,
    /// Whose distribution groups were compared with, where a model compares them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// Records in groups that fail.
    pub failing: u64,
    /// All records of the file.
    pub records: u64,
    /// Records with `*` in every quasi-identifier: suppressed, and judged as a group of their own.
    pub starred: u64,
    /// The groups, suppressed records not among them.
    pub groups: u64,
    /// The quasi-identifiers looked at.
    pub quasi_identifiers: Vec<String>,
    /// The column whose different values were counted as persons; records were, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The project's column of persons, if the file does not have it: records were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_absent: Option<String>,
    /// How far the other columns single people out.
    #[serde(flatten)]
    pub others: OtherColumns,
    /// Whether the file is the one that its manifest speaks of; `None` without a manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_matches: Option<bool>,
    /// The table of sensitive values that was joined by group, where the publication is two tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anatomy: Option<SensitiveTable>,
    /// What was done about a publication of this file that was interrupted, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
}

impl Verdict {
    /// Whether the file is what was published, whole, and keeps the promise.
    pub fn is_yes(&self) -> bool {
        let interrupted = self.recovery == Some(Recovery::Interrupted);
        self.holds && self.manifest_matches != Some(false) && !interrupted
    }
}

/// What a file is, by every statistic that it has.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Assessment {
    /// All records.
    pub records: u64,
    /// Records with `*` in every quasi-identifier: suppressed, and judged as a group of their own.
    pub starred: u64,
    /// The groups, suppressed records not among them.
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
    /// The risk for several kinds of attackers, and what each quasi-identifier contributes.
    pub risk: ReidentificationRisk,
    /// How far the other columns single people out.
    #[serde(flatten)]
    pub others: OtherColumns,
}
