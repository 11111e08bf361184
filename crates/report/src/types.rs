//! What a report says, as data.

use std::collections::BTreeMap;

use haggle_api::{
    Account, Ask, Front, Pinned, Privacy, ReportForm, RiskReport, Threshold, UtilityReport,
    WholeRecords, Why, WorkloadReport,
};
use haggle_assess::Verdict;
use haggle_model::Scheme;
use serde::Serialize;

/// A report on a publication. What is outside [`PrivatePart`] follows from the published records and
/// from what the curator stated: whatever else was suppressed or dropped, it would be the same.
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
    /// The thresholds asked for, as they were stated.
    pub privacy: Vec<Privacy>,
    /// The thresholds asked for, in words.
    pub privacy_words: String,
    /// The maximum levels that were stated.
    pub maximum_levels: BTreeMap<String, u8>,
    /// The lowest levels at which the records look as they do, if there is one for each
    /// quasi-identifier.
    pub scheme: Option<Scheme>,
    /// The published records.
    pub records: u64,
    /// The published groups.
    pub groups: u64,
    /// By model, what the published records attain by themselves.
    pub attained: BTreeMap<String, Threshold>,
    /// The published file; none if no file was named.
    pub proof: Option<Proof>,
    /// By measure, what is lost over the published records.
    pub loss: BTreeMap<String, f64>,
    /// By measure, why its loss does not follow from the published records.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub loss_reason: BTreeMap<String, String>,
    /// How quasi-identifiers and sensitive attributes are associated in the publication.
    pub associations: Vec<ReportedAssociation>,
    /// How far records can be picked out.
    pub risk: ReportRisk,
    /// How far they can be picked out by all published columns that are not sensitive: of the file,
    /// if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<WholeRecords>,
    /// How many records attacks expose.
    pub attacks: Vec<AttackCount>,
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
    /// Its level, if all of its values have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
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
    /// How many groups the file has.
    pub groups: u64,
    /// Whether every group keeps the promise by itself, and the file is the one of its manifest.
    /// Models that compare groups with the whole table are not judged here.
    pub holds: bool,
}

/// The association of a quasi-identifier with a sensitive attribute in a publication.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportedAssociation {
    /// The quasi-identifier.
    pub attribute: String,
    /// The sensitive attribute.
    pub with: String,
    /// Cramér's V.
    pub cramers_v: f64,
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

/// A publication among the points of a front.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChosenPoint {
    /// The promised threshold.
    pub threshold: f64,
    /// The loss of the scheme, by the measure asked for.
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
    /// By measure, what is lost of the table.
    pub loss: BTreeMap<String, f64>,
    /// Why that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_reason: Option<String>,
    /// What is suppressed, as `why` has it; none of such a file.
    pub why: Option<Why>,
    /// Published values all of whose records are suppressed.
    pub vanished: Vec<String>,
    /// The queries, as `query` has them.
    pub queries: WorkloadReport,
    /// The utility, as `utility` has it; none of such a file, or where nothing can be predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utility: Option<UtilityReport>,
    /// The risk, as `risk` has it.
    pub risk: RiskReport,
    /// The front, as `pareto` has it.
    pub front: Option<Front>,
    /// Why there is no front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_reason: Option<String>,
    /// This publication among the points of the front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<ChosenPoint>,
    /// The picture of the front as SVG.
    #[serde(skip)]
    pub picture: Option<String>,
    /// Whether the queries were named; else they are random ranges.
    #[serde(skip)]
    pub queries_named: bool,
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
