//! Setting up a project on a page: the table that was opened, the plan for it, and what the plan
//! costs.

use haggle_model::Role;
use serde::{Deserialize, Serialize};

use crate::ValueRecords;

mod price;
mod rule;

pub use price::{AttributePrice, LevelPrice, MissingPrice, PlanCheck, PlanPrice};
pub use rule::{HierarchyRule, LabelledGroup, PaddingSide, TreeNode};

/// Where a table that is being set up comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SetupSource {
    /// A file that was sent; it is in a private folder of the server.
    Uploaded,
    /// The file that the server was started with.
    Given,
    /// The data of the project that is served.
    Project,
    /// A table of a database.
    Database,
}

/// What becomes of records with missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MissingPolicy {
    /// They are left out.
    Drop,
    /// Missing is a value of its own.
    Value,
    /// Missing matches nothing, not even another missing value.
    Unmatched,
    /// Reading fails.
    Error,
}

impl MissingPolicy {
    /// All policies with the names a project file uses.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Drop, "drop"),
        (Self::Value, "value"),
        (Self::Unmatched, "unmatched"),
        (Self::Error, "error"),
    ];

    /// Its name in a project file.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(policy, _)| *policy == self).map_or("", |(_, name)| name)
    }
}

/// What kind of values a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// All values are numbers.
    Number,
    /// All values are dates.
    Date,
    /// Anything else.
    Text,
}

/// A table that was opened to be set up: its columns with guesses, each with its reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupTable {
    /// What requests about it name it by.
    pub id: String,
    /// The name of the file, of the project or of the table.
    pub name: String,
    /// Where it comes from.
    pub source: SetupSource,
    /// How many records it has.
    pub records: u64,
    /// Its columns, in their order.
    pub columns: Vec<SetupColumn>,
    /// What to review first.
    pub look_first: Vec<String>,
    /// Whether a project file can be saved next to the data.
    pub can_save: bool,
    /// The plan to begin with: the guesses, or what the project states.
    pub plan: SetupPlan,
}

/// A column, what it likely is, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupColumn {
    /// Its name.
    pub name: String,
    /// What kind of values it has.
    pub kind: ColumnKind,
    /// How many different values it has.
    pub distinct: u64,
    /// Whether that is an estimate.
    pub estimated: bool,
    /// How many records have no value.
    pub missing: u64,
    /// The smallest and the largest number, if all values are numbers.
    pub range: Option<(f64, f64)>,
    /// The length of the longest value, in characters.
    pub longest: usize,
    /// Its likely role.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// Why.
    pub why: String,
    /// Whether the guess should be reviewed first.
    pub doubtful: bool,
    /// The hierarchy that suits it, whatever its role; none if the values and `*` are enough.
    pub hierarchy: Option<HierarchyRule>,
    /// Why this hierarchy, or why none.
    pub hierarchy_why: String,
}

/// The values of a column, for an editor of its hierarchy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SetupValues {
    /// The column.
    pub name: String,
    /// The values in their natural order and how many records have each; the rarest ones of very many
    /// are summed. Empty for a column that almost every record has its own value of.
    pub values: Vec<ValueRecords>,
    /// For numbers: how many records lie in each of some intervals of equal width.
    pub histogram: Vec<HistogramColumn>,
}

/// An interval of numbers and its records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistogramColumn {
    /// Where it begins.
    pub from: f64,
    /// Where the next one begins.
    pub to: f64,
    /// How many records lie in it.
    pub records: u64,
}

/// What a project is to state of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetupPlan {
    /// The columns; those that are not listed are insensitive.
    pub columns: Vec<PlannedColumn>,
    /// The fields that mean "not known".
    #[serde(default)]
    pub missing: Vec<String>,
    /// What becomes of records with such a field.
    pub on_missing: MissingPolicy,
    /// The column that names the persons, where a person may have several records.
    #[serde(default)]
    pub unit: Option<String>,
    /// The smallest group of the default request.
    #[serde(default)]
    pub k: Option<u64>,
    /// The most records that the default request allows to be suppressed: a count or a percentage.
    #[serde(default)]
    pub max_suppressed: Option<String>,
}

/// What a project is to state of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedColumn {
    /// Its name.
    pub name: String,
    /// Its role. Identifiers are never published.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub role: Role,
    /// Whether a quasi-identifier is negotiated unless others are asked for.
    #[serde(default)]
    pub negotiated: bool,
    /// Its hierarchy; none means the values and `*`. Used for quasi-identifiers and, where a project
    /// states one, for sensitive columns.
    #[serde(default)]
    pub hierarchy: Option<HierarchyRule>,
}

impl SetupPlan {
    /// The negotiated quasi-identifiers, in order.
    pub fn negotiated(&self) -> Vec<String> {
        let chosen = |c: &&PlannedColumn| c.role == Role::QuasiIdentifier && c.negotiated;
        self.columns.iter().filter(chosen).map(|column| column.name.clone()).collect()
    }
}
