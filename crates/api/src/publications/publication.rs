//! What came of a publication: the report, or why there is none.

use std::path::PathBuf;

use haggle_model::Scheme;
use serde::{Deserialize, Serialize, Serializer};

use crate::threshold::by_name;
use crate::{Account, Answer, ColumnPlan, Threshold, Together, Weakened, WholeRecords};

/// What was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[allow(clippy::struct_excessive_bools)] // each answers a question of its own
pub struct PublicationReport {
    /// The published file.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub output: PathBuf,
    /// Its public manifest; a table in a database has one only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub manifest: Option<PathBuf>,
    /// The private manifest, if one was asked for.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub private: Option<PathBuf>,
    /// The kind of recoding: `levels`, `cuts`, `boxes`, `parts` or `cells`.
    pub recoding: &'static str,
    /// Whether the ends of boxes are recorded values, as was asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tight: bool,
    /// The strategy that found it, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The name of the recoding; comparisons that report the same name found the same recoding.
    pub result: String,
    /// The scheme applied, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
    /// The groups in the file.
    pub groups: u64,
    /// The records in the file.
    pub records: u64,
    /// What became of the records: those read are dropped, suppressed or published.
    #[serde(flatten, serialize_with = "with_fields")]
    #[cfg_attr(feature = "openapi", schema(value_type = AccountFields))]
    pub account: Account,
    /// Whether the search for the recoding was stopped before it was done, so that there may be a
    /// better one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub search_stopped: bool,
    /// The order of the records: `random`, or `kept` as in the table.
    pub order: &'static str,
    /// The records in the file with `*` in every quasi-identifier. They count as suppressed, and
    /// keep the promise as a group of their own.
    pub starred: u64,
    /// Models that suppressed records would have failed as a group of their own, so that they were
    /// dropped although stars were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stars_failed: Vec<String>,
    /// The thresholds promised.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub promised: Vec<(String, Threshold)>,
    /// What the written file was measured to attain.
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, Threshold>))]
    pub attained: Vec<(String, Threshold)>,
    /// Where sensitive attributes have one value only in a group, if the promise is about none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub single_valued: Vec<SingleValued>,
    /// The SHA-256 of the file; a table in a database has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The columns that the promise holds over.
    pub promise_over: Vec<String>,
    /// The columns that are in the file unchanged.
    pub unchanged: Vec<String>,
    /// Fields and names of columns that spreadsheets take for formulas.
    pub formulas: u64,
    /// Whether they were written with a `'` before them, so that spreadsheets take them for text.
    pub spreadsheet_safe: bool,
    /// Earlier publications of the table, the oldest first; the newest thousand of them.
    pub earlier: Vec<EarlierPublication>,
    /// What they and this one reveal together, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Together>,
    /// The private file that this publication was recorded in.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub record: Option<PathBuf>,
    /// Why it was not recorded, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unrecorded: Option<String>,
    /// The columns that were named to be published as recorded.
    pub as_recorded: Vec<String>,
    /// Published records that no other one equals over all columns that are not sensitive.
    pub unique_over_all_columns: u64,
    /// Whether that is an estimate, because the records do not fit into memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unique_estimated: bool,
    /// What became of every column.
    pub columns: ColumnPlan,
    /// The table of sensitive values, where the publication is two tables that are joined by group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anatomy: Option<PublishedAnatomy>,
}

/// The table of sensitive values of a publication in two tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublishedAnatomy {
    /// Its file.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub sensitive: PathBuf,
    /// The sensitive attribute.
    pub attribute: String,
    /// The column of both tables that joins them.
    pub group: String,
    /// The quasi-identifiers, which are published exactly: no size of groups is promised.
    pub exact: Vec<String>,
}

impl PublicationReport {
    /// The records suppressed.
    pub fn suppressed(&self) -> u64 {
        self.account.suppressed.unwrap_or_default()
    }

    /// Returns how many records are unique over all columns that are not sensitive.
    pub fn whole(&self) -> WholeRecords {
        WholeRecords {
            unchanged: self.unchanged.clone(),
            unique: self.unique_over_all_columns,
            records: self.records,
            estimated: self.unique_estimated,
        }
    }

    /// Adds where the publication was recorded, or why it was not.
    pub fn recorded(self, recorded: Result<PathBuf, String>) -> Self {
        match recorded {
            Ok(path) => Self { record: Some(path), ..self },
            Err(why) => Self { unrecorded: Some(why), ..self },
        }
    }

    /// Reduces the paths of files to their names, for readers who may not know folders.
    pub fn with_names_only(mut self) -> Self {
        let papers = self.manifest.iter_mut().chain(&mut self.private).chain(&mut self.record);
        let sensitive = self.anatomy.as_mut().map(|anatomy| &mut anatomy.sensitive);
        for path in [&mut self.output].into_iter().chain(papers).chain(sensitive) {
            *path = path.file_name().map(PathBuf::from).unwrap_or_default();
        }
        self
    }
}

/// The account of a publication, as it is written: as a whole, and its numbers next to the report's.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct AccountFields {
    /// What became of the records.
    account: Account,
    /// The records read.
    read: u64,
    /// The records left out because a value was missing.
    dropped: u64,
    /// The records suppressed.
    suppressed: u64,
}

fn with_fields<S: Serializer>(account: &Account, serializer: S) -> Result<S::Ok, S::Error> {
    let Account { read, dropped, suppressed, .. } = *account;
    let suppressed = suppressed.unwrap_or_default();
    AccountFields { account: *account, read, dropped, suppressed }.serialize(serializer)
}

/// Published, or the answer is no.
#[derive(Debug)]
pub enum PublishOutcome {
    /// The file is there and its promise is proved.
    Published(Box<PublicationReport>),
    /// SQL is written that publishes once somebody runs it.
    Written(Box<SqlReport>),
    /// No scheme meets the request; what could be relaxed.
    NoScheme(Box<Answer>),
    /// A strategy found nothing, or not what was wanted of it.
    NotFound {
        /// The strategy.
        strategy: String,
        /// What happened and what to do: a sentence that goes on after the strategy's name.
        why: &'static str,
    },
    /// The promise would be weaker than what the project asks for, and was not said to be.
    Weaker(Vec<Weakened>),
    /// The time was over before the publication was written and proved.
    OutOfTime,
    /// Every group of the scheme fails, so no record would be left.
    Nothing {
        /// How many records it suppresses: all of them.
        suppressed: u64,
    },
    /// The scheme suppresses more records than the request allows.
    TooMany {
        /// How many it suppresses.
        suppressed: u64,
        /// How many it may.
        limit: u64,
    },
}

/// The statements that were written.
#[derive(Debug, Clone, Serialize)]
pub struct SqlReport {
    /// The files.
    pub files: Vec<PathBuf>,
    /// The dialect's name.
    pub dialect: &'static str,
    /// How many records will be published, if the data stays as it is.
    pub records: u64,
    /// How many records will be suppressed.
    pub suppressed: u64,
    /// What is promised.
    pub promised: String,
    /// Columns that will be dropped.
    pub dropped: Vec<String>,
}

/// Why nothing was published.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// In words.
    pub reason: String,
    /// How many records the scheme suppresses, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// How many it may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The relaxations, where no scheme meets the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Answer>>,
    /// The thresholds of the project that would not be kept, where that is the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weaker: Vec<Weakened>,
}

impl PublishOutcome {
    /// What was published, or why nothing was.
    pub fn into_report(self) -> Result<Box<PublicationReport>, Refusal> {
        let refusal = |reason: &str| Refusal {
            reason: reason.into(),
            suppressed: None,
            limit: None,
            answer: None,
            weaker: Vec::new(),
        };
        Err(match self {
            Self::Published(report) => return Ok(report),
            Self::Written(_) => refusal("only SQL was written, which publishes once it is run"),
            Self::NoScheme(answer) => {
                Refusal { answer: Some(answer), ..refusal("no scheme meets the request") }
            }
            Self::Weaker(weaker) => {
                let each: Vec<String> = weaker.iter().map(ToString::to_string).collect();
                Refusal { weaker, ..refusal(&each.join("; ")) }
            }
            Self::NotFound { strategy, why } => refusal(&format!("{strategy} {why}")),
            Self::OutOfTime => refusal(
                "the time limit was reached before the publication was written and proved; nothing was written",
            ),
            Self::Nothing { suppressed } => Refusal {
                suppressed: Some(suppressed),
                ..refusal(
                    "every group fails, so no record would be left; choose a higher scheme or a weaker threshold",
                )
            },
            Self::TooMany { suppressed, limit } => Refusal {
                suppressed: Some(suppressed),
                limit: Some(limit),
                ..refusal(&format!(
                    "the scheme suppresses {suppressed} {}, and at most {limit} may be",
                    if suppressed == 1 { "record" } else { "records" }
                ))
            },
        })
    }
}

/// An earlier publication, as a report lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EarlierPublication {
    /// The version of its record.
    pub version: u32,
    /// When it was published, in UTC.
    pub time: String,
    /// The published file, or table of a database.
    pub output: String,
    /// The SHA-256 of the file; a table in a database has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The records in it.
    pub records: u64,
    /// The quasi-identifiers.
    pub quasi_identifiers: Vec<String>,
    /// The columns that were published unchanged.
    pub unchanged: Vec<String>,
    /// What was promised.
    pub promises: Vec<String>,
    /// What was applied.
    pub recoding: AppliedInShort,
}

/// What a publication applied, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AppliedInShort {
    /// The kind of recoding: `levels`, `cuts`, `boxes`, `parts` or `cells`.
    pub kind: String,
    /// The scheme, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<u8>>))]
    pub scheme: Option<Scheme>,
}

/// How many groups show one value of a sensitive attribute only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SingleValued {
    /// The sensitive attribute.
    pub attribute: String,
    /// The groups.
    pub groups: u64,
    /// The records in them.
    pub records: u64,
}
