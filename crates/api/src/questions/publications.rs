//! Questions about a publication: one that was made, or one that would be.

use std::path::PathBuf;

use haggle_model::{Error, Scheme};
use serde::{Deserialize, Serialize};

use crate::{
    Document, Preview, PublishRequest, QueryAnswer, QueryAsk, QueryDomain, Question, Reveals,
    RiskAsk, RiskReport, SuppressedRecords, UtilityAsk, UtilityReport, WorkloadOverSchemes,
    WorkloadReport,
};

impl Question for RiskAsk {
    const ID: &'static str = "risk";
    const TITLE: &'static str =
        "What a scheme tells an attacker: re-identification risk, attacks and beliefs";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "key_size": 1, "threshold": 0.1}"#,
        r#"{"strategy": "mondrian", "privacy": {"k-anonymity": 100}, "key_size": 1, "sampling_fraction": 0.1, "least_group": 3, "knows": 1}"#,
        r#"{"scheme": [3, 1, 2], "key_size": 1, "attacks": ["homogeneity"], "on": "hours-per-week", "prior": "marginal", "target": {"age": "39", "race": "White", "workclass": "Private"}, "rule_out": ["40"], "alpha": {"40": 2}, "delta": 0.3, "epsilon": 0.02, "rho1": 0.2, "rho2": 0.6, "moved": 0.2, "known_values": 2, "similar": 0.1, "width": 2}"#,
    ];
    const FILES: &'static [&'static str] = &["population"];
    type Answer = RiskReport;
}

impl Question for UtilityAsk {
    const ID: &'static str = "utility";
    const TITLE: &'static str =
        "What an analyst can still do with a scheme: summaries, associations, models and rules";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "target": "salary-class", "held_out": 0.4, "seed": 2, "support": 0.05, "confidence": 0.7, "rule_length": 1}"#,
        r#"{"privacy": {"k-anonymity": 100}, "strategy": "mondrian", "target": "salary-class"}"#,
    ];
    type Answer = UtilityReport;
}

/// A query, and the scheme or strategy whose publication is asked. Without a threshold nothing is
/// suppressed: the project's default request does not apply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct QueryQuestion {
    /// The scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy whose recoding is asked, instead of a scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The condition, such as `age < 25 and race = White`; empty for all records.
    pub condition: String,
    /// The column whose distribution is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// A column for each of whose recorded values the query is asked too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_by: Option<String>,
    /// Which recorded values a published value may stand for.
    pub domain: QueryDomain,
    /// What is published of suppressed records.
    pub suppress: SuppressedRecords,
}

impl Question for QueryQuestion {
    const ID: &'static str = "query";
    const TITLE: &'static str = "What an analyst learns from a scheme, next to the truth";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"scheme": [2, 1, 1], "condition": "age < 25 and race = White", "of": "hours-per-week"}"#,
        r#"{"strategy": "mondrian", "privacy": {"k-anonymity": 100}, "condition": "age < 25", "group_by": "race", "domain": "leaves", "suppress": "star"}"#,
    ];
    type Answer = QueryAnswer;
}

/// A query of a list: its condition, or all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum ListedQuery {
    /// The condition.
    Condition(String),
    /// The condition and the column whose distribution is asked for.
    Full(QueryAsk),
}

/// Many queries on a publication: those of a file, those of a list, or random ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WorkloadQuestion {
    /// A file with one query on each line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub file: Option<PathBuf>,
    /// The queries themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<Vec<ListedQuery>>,
    /// The number of random queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random: Option<usize>,
    /// How many quasi-identifiers each random query restricts.
    pub dimensions: usize,
    /// About which share of the records each random query selects.
    pub selectivity: f64,
    /// The seed of random queries.
    pub seed: u64,
    /// The column whose distribution random queries ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy whose recoding is asked, instead of a scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// What is published of suppressed records.
    pub suppress: SuppressedRecords,
    /// The answer by whose errors every scheme is compared: `nc`, `cc` or `ic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every_scheme: Option<String>,
}

impl Default for WorkloadQuestion {
    fn default() -> Self {
        Self {
            file: None,
            queries: None,
            random: None,
            dimensions: 2,
            selectivity: 0.05,
            seed: 1,
            of: None,
            scheme: None,
            strategy: None,
            suppress: SuppressedRecords::default(),
            every_scheme: None,
        }
    }
}

impl Question for WorkloadQuestion {
    const ID: &'static str = "workload";
    const TITLE: &'static str = "How far the answers to many queries are from the truth";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"queries": ["age < 25", {"condition": "race = White", "of": "hours-per-week"}], "scheme": [2, 1, 1], "suppress": "drop"}"#,
        r#"{"random": 5, "dimensions": 1, "selectivity": 0.1, "seed": 3, "of": "hours-per-week", "strategy": "mondrian", "privacy": {"k-anonymity": 100}}"#,
        r#"{"random": 5, "every_scheme": "ic"}"#,
    ];
    const FILES: &'static [&'static str] = &["file"];
    type Answer = WorkloadAnswer;
}

/// The errors of many queries, on one publication or on every scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum WorkloadAnswer {
    /// On one publication.
    One(WorkloadReport),
    /// On every scheme.
    EveryScheme(WorkloadOverSchemes),
}

/// What a publication would look like, with its first rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PreviewQuestion {
    /// The scheme; that of the answer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The strategy that finds what is shown, if no scheme is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The result of a comparison that the strategy found; exactly that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Whether suppressed records are grouped again at higher levels.
    pub refine: bool,
    /// The columns that are published as recorded although they would be dropped; those that the
    /// project names if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_recorded: Option<Vec<String>>,
    /// What becomes of records whose group fails.
    pub suppress: SuppressedRecords,
    /// How many rows, at most 50.
    pub rows: usize,
}

impl Default for PreviewQuestion {
    fn default() -> Self {
        Self {
            scheme: None,
            strategy: None,
            result: None,
            refine: false,
            as_recorded: None,
            suppress: SuppressedRecords::default(),
            rows: 10,
        }
    }
}

impl PreviewQuestion {
    /// Returns the publication whose first rows are shown.
    pub fn publication(&self) -> PublishRequest {
        PublishRequest {
            scheme: self.scheme.clone(),
            strategy: self.strategy.clone(),
            result: self.result.clone(),
            refine: self.refine,
            as_recorded: self.as_recorded.clone(),
            suppress: self.suppress,
            ..PublishRequest::default()
        }
    }
}

impl Question for PreviewQuestion {
    const ID: &'static str = "preview";
    const TITLE: &'static str = "What a publication would look like, with its first rows";
    const REVEALS: Reveals = Reveals::Records;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "refine": true, "as_recorded": ["sex"], "suppress": "star", "rows": 3}"#,
        r#"{"privacy": {"k-anonymity": 100}, "strategy": "mondrian", "rows": 2}"#,
        r#"{"privacy": {"k-anonymity": 100}, "strategy": "mondrian", "result": "0"}"#,
        r#"{"privacy": {"k-anonymity": 10}, "max_suppressed": 321, "rows": 2}"#,
    ];
    type Answer = Preview;
}

/// Who may read a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReportForm {
    /// Everybody: it follows from the published records.
    #[default]
    Public,
    /// The curator and the data-protection officer.
    Private,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReportFormat {
    /// A page that needs nothing else.
    #[default]
    Html,
    /// Text with tables.
    #[serde(rename = "md")]
    Markdown,
    /// The numbers.
    Json,
}

impl ReportFormat {
    /// Returns the ending of file names, and the media type.
    pub fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Html => ("html", "text/html; charset=utf-8"),
            Self::Markdown => ("md", "text/markdown; charset=utf-8"),
            Self::Json => ("json", "application/json"),
        }
    }
}

/// A report on a publication: who reads it, in which format, about what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ReportQuestion {
    /// Who may read it.
    pub form: ReportForm,
    /// The format.
    pub format: ReportFormat,
    /// The published file whose promise is measured again; over HTTP `ID/FILE` of a download.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub published: Option<PathBuf>,
    /// A file with one query on each line, for the private form; random queries if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub workload: Option<PathBuf>,
    /// The scheme; without one, the answer to the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The column that models predict and rules imply; the first sensitive attribute if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The share of records that are held out.
    pub held_out: f64,
    /// The seed of the choice of held-out records.
    pub seed: u64,
    /// The least share of all records that a rule holds for.
    pub support: f64,
    /// The least share of the class among the records that a rule is about.
    pub confidence: f64,
    /// At most this many values imply a class.
    pub rule_length: usize,
}

impl Default for ReportQuestion {
    fn default() -> Self {
        let usual = UtilityAsk::default();
        Self {
            form: ReportForm::default(),
            format: ReportFormat::default(),
            published: None,
            workload: None,
            scheme: None,
            target: None,
            held_out: usual.held_out,
            seed: usual.seed,
            support: usual.support,
            confidence: usual.confidence,
            rule_length: usual.rule_length,
        }
    }
}

impl ReportQuestion {
    /// Returns what the report asks about utility.
    pub fn utility(&self) -> UtilityAsk {
        UtilityAsk {
            scheme: self.scheme.clone(),
            target: self.target.clone(),
            held_out: self.held_out,
            seed: self.seed,
            support: self.support,
            confidence: self.confidence,
            rule_length: self.rule_length,
            ..UtilityAsk::default()
        }
    }

    /// Returns the name of the report's file.
    pub fn file_name(&self) -> String {
        let name = match self.form {
            ReportForm::Public => "report",
            ReportForm::Private => "report-private",
        };
        format!("{name}.{}", self.format.described().0)
    }
}

impl Question for ReportQuestion {
    const ID: &'static str = "report";
    const TITLE: &'static str = "A report on a publication, public or private";
    const REVEALS: Reveals = Reveals::Labels;
    const EXAMPLES: &'static [&'static str] = &[
        r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "form": "public", "format": "md"}"#,
        r#"{"privacy": {"k-anonymity": 10}, "scheme": [1, 1, 0], "form": "private", "format": "json", "target": "salary-class", "held_out": 0.4, "seed": 2, "support": 0.05, "confidence": 0.7, "rule_length": 1}"#,
    ];
    const FILES: &'static [&'static str] = &["published", "workload"];
    const MEDIA_TYPES: &'static [&'static str] =
        &["text/html; charset=utf-8", "text/markdown; charset=utf-8", "application/json"];
    type Answer = Document;

    fn written(answer: &Document) -> Result<Document, Error> {
        Ok(answer.clone())
    }
}
