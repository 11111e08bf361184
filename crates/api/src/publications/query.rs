//! Queries on a publication: what is asked, and what it answers next to the truth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A query: which records, and the distribution of which column among them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct QueryAsk {
    /// The condition, such as `age < 25 and race = White`; empty for all records.
    #[serde(default)]
    pub condition: String,
    /// The column whose distribution is asked for; without one, records are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// A column for each of whose recorded values the query is asked too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_by: Option<String>,
    /// Which recorded values a published value may stand for.
    #[serde(default)]
    pub domain: QueryDomain,
}

/// Which recorded values a published value may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum QueryDomain {
    /// Those that occur in the table.
    #[default]
    Occurring,
    /// All that the hierarchy has.
    Leaves,
}

/// What is published of suppressed records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SuppressedRecords {
    /// They are left out.
    #[default]
    Drop,
    /// They are kept with `*` in every quasi-identifier.
    Star,
}

/// What a publication answers to a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryAnswer {
    #[serde(flatten)]
    #[allow(missing_docs)]
    pub result: QueryResult,
    /// The results for each recorded value of the column that is grouped by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_value: Vec<QueryOfValue>,
    /// How it was computed.
    pub basis: QueryBasis,
}

/// The answers without and with corrections, next to the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryResult {
    /// How many groups satisfy the condition.
    pub groups: SatisfyingGroups,
    /// The answer of the table itself, suppressed records included; null if only a file is known.
    pub truth: Option<SelectedRecords>,
    /// Every record whose published values satisfy the condition fully or partially.
    pub non_corrected: SelectedRecords,
    /// Each record by the probability of the condition in the joint distribution of the
    /// quasi-identifiers.
    pub corrected: SelectedRecords,
    /// Each record by the probability of the condition if attributes were independent.
    pub independently_corrected: SelectedRecords,
    /// How far each answer is from the truth; null if the truth is not known or empty.
    pub error: Option<QueryErrors>,
}

/// How many groups satisfy a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SatisfyingGroups {
    /// Fully: all of their records do.
    pub full: u64,
    /// Partially: some of their records do, or may do.
    pub partial: u64,
}

/// Records, possibly fractional: never rounded, and never reduced to shares.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SelectedRecords {
    /// All of them.
    pub total: f64,
    /// By the value of the target; empty if there is none.
    pub values: BTreeMap<String, f64>,
    /// The mean of the values that are numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

/// How far each answer is from the truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryErrors {
    /// Of the answer without correction.
    pub non_corrected: QueryError,
    /// Of the corrected answer.
    pub corrected: QueryError,
    /// Of the independently corrected answer.
    pub independently_corrected: QueryError,
}

/// How far one answer is from the truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryError {
    /// Half the sum of the differences between shares; null without a target.
    pub total_variation: Option<f64>,
    /// The earth mover's distance between shares; null without a target.
    pub earth_movers: Option<f64>,
    /// The difference between the totals, divided by the true one.
    pub relative_count: f64,
}

/// The results for one recorded value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryOfValue {
    /// The value.
    pub value: String,
    #[serde(flatten)]
    #[allow(missing_docs)]
    pub result: QueryResult,
}

/// How an answer was computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueryBasis {
    /// The records that are published.
    pub records: u64,
    /// The records that are left out; null if not known.
    pub dropped: Option<u64>,
    /// Where probabilities come from: `table` (its counts) or `uniform` (equally likely values).
    pub probabilities: String,
    /// Which recorded values a published value may stand for.
    pub domain: QueryDomain,
    /// The columns that the query names and that are published as recorded.
    pub as_recorded: Vec<String>,
    /// The scans of the data that the query needed beyond the first.
    pub scans: u64,
    /// Whether no record of the table satisfies the condition; then there are no errors.
    pub empty_truth: bool,
    /// How the records of a generalized target are divided among its recorded values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apportioned: Option<String>,
    /// Which distance between values the earth mover's distance uses: `ordered` or `equal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
}

/// The errors of many queries under one scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkloadReport {
    /// The queries.
    pub queries: u64,
    /// Those that no record of the table satisfies; they are not among the errors.
    pub empty_truth: u64,
    /// How the answers were computed.
    pub basis: QueryBasis,
    /// By answer (`non_corrected`, `corrected`, `independently_corrected`), its errors.
    pub errors: BTreeMap<String, WorkloadErrors>,
}

/// The errors of one way of answering.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkloadErrors {
    /// Of the number of records, relative to the true one.
    pub relative_count: ErrorSummary,
    /// Of the distribution of the target, in queries that have one.
    pub total_variation: Option<ErrorSummary>,
}

/// A summary of errors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorSummary {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// 95 of 100 queries have at most this error.
    pub percentile_95: f64,
}

/// Every scheme with the mean error of a workload, the smallest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkloadOverSchemes {
    /// The queries.
    pub queries: u64,
    /// Those that no record of the table satisfies; they are not among the errors.
    pub empty_truth: u64,
    /// Which answer the errors are of.
    pub answer: String,
    /// The schemes.
    pub schemes: Vec<WorkloadOfScheme>,
}

/// The errors of a workload under one scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkloadOfScheme {
    /// The scheme.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<u8>))]
    pub scheme: haggle_model::Scheme,
    /// The records that it suppresses.
    pub suppressed: u64,
    /// The errors of the number of records.
    pub relative_count: ErrorSummary,
}
