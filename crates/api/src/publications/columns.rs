//! What becomes of every column of a table that is published.

use haggle_model::Role;
use haggle_model::numerals::thousands;
use serde::Serialize;

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Treatment {
    /// It is published as its recoding says.
    Generalized,
    /// It is published as recorded.
    Unchanged,
    /// It is not published.
    Dropped,
}

impl Treatment {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generalized => "generalized",
            Self::Unchanged => "unchanged",
            Self::Dropped => "dropped",
        }
    }
}

/// Why a column is dropped unless it is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// It is an identifier of the project.
    Identifier,
    /// It names the persons.
    Person,
    /// It is a quasi-identifier that the request does not negotiate.
    NotNegotiated,
    /// The project does not list it, and its name suggests an identifier.
    NamedLikeIdentifier,
    /// Too many records have a value that fewer than k share.
    NearlyUnique,
    /// Together with the unchanged columns kept before it, it singles out too many records.
    NearlyUniqueTogether,
    /// Together with these and the published quasi-identifiers, it singles out too many records.
    NearlyUniqueJointly,
    /// It determines a finer value of a generalized attribute, or the value of a dropped
    /// quasi-identifier, alone or together with one or two other published columns.
    Shadow,
    /// Values of its type cannot be read.
    Unreadable,
    /// It is sensitive, and is published in a table of its own or not at all.
    Separate,
    /// The policy that is repeated does not publish it.
    NotInPolicy,
}

/// What would keep a column that is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum KeptBy {
    /// Listing it first among the columns that the project wants to keep.
    Keep,
    /// Listing it in the project with a role.
    Role,
    /// Naming it to be published as recorded, whatever it singles out.
    AsRecorded,
}

/// What becomes of one column, and how far it singles people out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnAccount {
    /// Its name.
    pub name: String,
    /// Its role; insensitive if the project does not list it.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// Whether the project lists it.
    pub listed: bool,
    /// What becomes of it.
    pub treatment: Treatment,
    /// Whether it was named to be published as recorded.
    pub as_recorded: bool,
    /// Why it is dropped, or would be if it were not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<DropReason>,
    /// The reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// What would keep it, if it is dropped and something would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_by: Option<KeptBy>,
    /// Published records whose value no other one has; of persons where those are counted.
    pub unique: u64,
    /// Published records whose value fewer than k share.
    pub below_k: u64,
    /// Published records in groups of fewer than k over the published quasi-identifiers and this
    /// column, where it was counted with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_k_jointly: Option<u64>,
    /// Whether the counts are estimates, because the values do not fit into memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// What becomes of every column of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ColumnPlan {
    /// A value that fewer published records share singles people out: the k of the request, or 5.
    pub k: u64,
    /// So many published records may be singled out by unchanged columns.
    pub max_below_k: u64,
    /// How many published records the unchanged columns and the published quasi-identifiers may
    /// single out together.
    pub max_below_k_jointly: u64,
    /// Published records in groups of fewer than k over the quasi-identifiers and the unchanged
    /// columns that were kept; columns that are sensitive or were named do not count.
    pub below_k_jointly: u64,
    /// The published records.
    pub records: u64,
    /// The columns, in the order of the table.
    pub columns: Vec<ColumnAccount>,
    /// What the curator should look at.
    pub notes: Vec<String>,
}

impl ColumnPlan {
    /// The names of the columns of a treatment, in the order of the table.
    pub fn named(&self, treatment: Treatment) -> Vec<String> {
        let columns = self.columns.iter().filter(|column| column.treatment == treatment);
        columns.map(|column| column.name.clone()).collect()
    }

    /// Columns that are published as recorded only because they were named.
    pub fn as_recorded(&self) -> Vec<String> {
        let named = |c: &&ColumnAccount| c.as_recorded && c.treatment == Treatment::Unchanged;
        self.columns.iter().filter(named).map(|column| column.name.clone()).collect()
    }
}

/// How many records of a publication no other one equals over all of its columns that are not
/// sensitive.
///
/// ```
/// use haggle_api::WholeRecords;
///
/// let whole = WholeRecords { unchanged: vec!["ward".into()], unique: 7, records: 1000, estimated: false };
/// assert!(whole.words().starts_with("0.70 % of the records (7) are unique"));
/// assert_eq!(whole.warning(), None);
/// assert!(WholeRecords { unique: 11, ..whole }.warning().is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WholeRecords {
    /// The columns among them that are no quasi-identifiers.
    pub unchanged: Vec<String>,
    /// The records that are unique.
    pub unique: u64,
    /// All records.
    pub records: u64,
    /// Whether the number is an estimate, because the records do not fit into memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl WholeRecords {
    /// The columns that are compared, in words.
    const OVER: &'static str = "unique over all published columns that are not sensitive";

    /// Returns the share of unique records as a clause: "0.69 % of the records (207) are unique …".
    pub fn words(&self) -> String {
        let about = if self.estimated { "about " } else { "" };
        format!(
            "{about}{} of the records ({}) are {}",
            share(self.unique, self.records),
            thousands(self.unique),
            Self::OVER
        )
    }

    /// Returns a warning if more than 1 % of the records are unique.
    pub fn warning(&self) -> Option<String> {
        let is_much = 100 * u128::from(self.unique) > u128::from(self.records);
        is_much.then(|| {
            format!(
                "{}: whoever knows these columns of a person finds that person's record, whatever \
                 is promised over the quasi-identifiers.",
                self.words()
            )
        })
    }
}

/// A share of all records, with as many decimals as needed to see it.
fn share(part: u64, all: u64) -> String {
    let percent = 100.0 * part as f64 / all.max(1) as f64;
    let decimals = if percent > 0.0 && percent < 0.1 { 3 } else { 2 };
    format!("{percent:.decimals$} %")
}

/// How far the columns of a file single people out beyond its quasi-identifiers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherColumns {
    /// A value that fewer records share singles people out: the k that was asked for, or 5.
    pub k: u64,
    /// Records that no other one equals over all columns that are not sensitive.
    pub unique_over_all_columns: u64,
    /// Whether counts are estimates, because the records do not fit into memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// The columns that are no quasi-identifiers.
    pub other_columns: Vec<OtherColumn>,
}

impl OtherColumns {
    /// Returns how many of the file's records are unique over its columns that are not sensitive.
    pub fn whole(&self, records: u64) -> WholeRecords {
        let unchanged = self.other_columns.iter().filter(|column| !column.sensitive);
        WholeRecords {
            unchanged: unchanged.map(|column| column.name.clone()).collect(),
            unique: self.unique_over_all_columns,
            records,
            estimated: self.estimated,
        }
    }
}

/// A column that is no quasi-identifier.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherColumn {
    /// Its name.
    pub name: String,
    /// Whether it is sensitive.
    pub sensitive: bool,
    /// Records whose value no other one has.
    pub unique: u64,
    /// Records whose value fewer than k share.
    pub below_k: u64,
    /// Whether more than 1 % of the records have a value that fewer than k share.
    pub nearly_unique: bool,
}
