//! What a report says, as data.

use std::collections::BTreeMap;

use haggle_api::{
    Account, Ask, BeforeAfter, ErrorSummary, Front, Pinned, Privacy, RiskReport, Threshold,
    UtilityReport, Why, WorkloadReport,
};
use haggle_model::Scheme;
use haggle_publish::Verdict;
use serde::Serialize;

/// Who may read a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportForm {
    /// Everybody: nothing in it helps an attacker.
    #[default]
    Public,
    /// The curator and the data-protection officer.
    Private,
}

/// A report on a publication. Numbers outside [`PrivatePart`] are rounded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PublicationDossier {
    /// Who may read it.
    pub form: ReportForm,
    /// The version of haggle.
    pub haggle: &'static str,
    /// The project.
    pub project: String,
    /// The quasi-identifiers with their published values.
    pub quasi_identifiers: Vec<PublishedValues>,
    /// The sensitive attributes.
    pub sensitive: Vec<String>,
    /// Columns that are never published.
    pub identifiers: Vec<String>,
    /// The thresholds asked for, with all parameters.
    pub privacy: Vec<Privacy>,
    /// The same in words.
    pub privacy_words: String,
    /// The maximum level of each quasi-identifier.
    pub maximum_levels: BTreeMap<String, u8>,
    /// The scheme; none if the published file has another recoding.
    pub scheme: Option<Scheme>,
    /// The published records.
    pub records: u64,
    /// The published groups.
    pub groups: u64,
    /// By model, what the publication attains.
    pub attained: BTreeMap<String, Threshold>,
    /// What was measured in the published file; none if no file was named.
    pub proof: Option<Proof>,
    /// By measure, what is lost.
    pub loss: BTreeMap<String, f64>,
    /// Why no loss is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_reason: Option<String>,
    /// Errors of queries.
    pub queries: ReportQueries,
    /// What can be mined; none where no column is there to be predicted, or if the published file is
    /// not what a scheme leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mining: Option<ReportMining>,
    /// How far records can be picked out.
    pub risk: ReportRisk,
    /// How many records attacks expose.
    pub attacks: Vec<AttackCount>,
    /// Privacy against loss, with this publication.
    pub front: Option<ReportFront>,
    /// Why there is no front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_reason: Option<String>,
    /// Singling out, linkability and inference.
    pub questions: Vec<QuestionAnswered>,
    /// What only the curator and the officer may know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<Box<PrivatePart>>,
}

/// A quasi-identifier as published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PublishedValues {
    /// Its name.
    pub attribute: String,
    /// Its level; none if the published file is not that of a scheme.
    pub level: Option<u8>,
    /// Its most general level.
    pub top: u8,
    /// The values that occur in the publication.
    pub values: Vec<String>,
}

/// What was measured in a published file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Proof {
    /// Its name.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
    /// Its records.
    pub records: u64,
    /// Its groups.
    pub groups: u64,
    /// Whether every group keeps the promise, and the file is the one of its manifest.
    pub holds: bool,
    /// By model, what was measured.
    pub attained: BTreeMap<String, Threshold>,
}

/// Errors of a workload of queries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportQueries {
    /// The queries.
    pub queries: u64,
    /// What they are.
    pub about: String,
    /// By way of answering, the error of the number of records, relative to the true one.
    pub relative_count: BTreeMap<String, ErrorSummary>,
}

/// What can be mined from a publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportMining {
    /// The column that models predict and rules imply.
    pub target: String,
    /// Pairs of quasi-identifiers and the target.
    pub associations: Vec<ReportedAssociation>,
    /// How well models predict the target of held-out records.
    pub scores: Vec<ReportedScore>,
    /// How records become numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// Why there are no scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Rules of the table.
    pub rules: u64,
    /// Rules that are kept, with these or with more general values.
    pub rules_kept: u64,
}

/// The association of a quasi-identifier with the target.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportedAssociation {
    /// The quasi-identifier.
    pub attribute: String,
    /// Cramér's V.
    pub cramers_v: BeforeAfter,
}

/// The score of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportedScore {
    /// The model.
    pub model: &'static str,
    /// The share of held-out records that are predicted correctly.
    pub accuracy: Option<BeforeAfter>,
}

/// How far records can be picked out of a publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportRisk {
    /// The highest risk of a record, for an attacker who knows that the target is in the table.
    pub highest: f64,
    /// The mean risk.
    pub mean: f64,
    /// The expected share of records that are identified when all are matched.
    pub marketer: f64,
    /// Records that are alone in their group.
    pub unique: u64,
}

/// How many records an attack exposes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AttackCount {
    /// The sensitive attribute.
    pub on: String,
    /// The attack.
    pub attack: &'static str,
    /// When a record is exposed.
    pub definition: &'static str,
    /// The exposed records; none if it could not be checked.
    pub exposed: Option<u64>,
}

/// A front of privacy against loss.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportFront {
    /// The model whose threshold varies.
    pub model: String,
    /// The threshold's letter.
    pub parameter: &'static str,
    /// The measure.
    pub loss: String,
    /// The points.
    pub points: Vec<ReportPoint>,
    /// This publication.
    pub chosen: ChosenPoint,
    /// The picture as SVG.
    #[serde(skip)]
    pub picture: Option<String>,
}

/// A point of a front. The thresholds of other schemes would tell the sizes of their groups, so the
/// public form names no scheme and has thresholds of two digits.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportPoint {
    /// The threshold.
    pub threshold: f64,
    /// What is lost.
    pub loss: f64,
    /// The scheme; in the private form only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Scheme>,
}

/// A publication among the points of a front.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChosenPoint {
    /// The promised threshold.
    pub threshold: f64,
    /// What is lost.
    pub loss: f64,
    /// Whether no scheme with this threshold loses less.
    pub optimal: bool,
}

/// One of the three questions of data protection, answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct QuestionAnswered {
    /// `singling-out`, `linkability` or `inference`.
    pub id: &'static str,
    /// The question.
    pub question: &'static str,
    /// The answer.
    pub answer: String,
}

/// What only the curator and the data-protection officer may know: the answers of the other
/// commands as they are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PrivatePart {
    /// The project file or its folder.
    pub location: String,
    /// The SHA-256 of each input file; none of a database.
    pub input_sha256: Vec<String>,
    /// Records read, dropped, suppressed and published.
    pub account: Account,
    /// The request in full.
    pub asked: Ask,
    /// The scheme in detail, as `ask` and the page have it; none of a file that is not what one
    /// leads to.
    pub scheme: Option<Pinned>,
    /// What is suppressed, as `why` has it; none of such a file.
    pub why: Option<Why>,
    /// Published values all of whose records are suppressed.
    pub vanished: Vec<String>,
    /// The queries, as `query` has them.
    pub queries: WorkloadReport,
    /// The utility, as `utility` has it; none where nothing is mined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utility: Option<UtilityReport>,
    /// The risk, as `risk` has it.
    pub risk: RiskReport,
    /// The front, as `pareto` has it.
    pub front: Option<Front>,
    /// The verification, as `verify` has it.
    pub verification: Option<Verdict>,
    /// By quasi-identifier and published value, the recorded values.
    pub mapping: Vec<RecordedMapping>,
}

/// The recorded values of a published one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RecordedMapping {
    /// The quasi-identifier.
    pub attribute: String,
    /// The published value.
    pub published: String,
    /// The recorded values.
    pub recorded: Vec<String>,
}
