//! A hierarchy as data: the rules of a project file, as an editor changes them.

use serde::{Deserialize, Serialize};

/// A rule that builds a hierarchy, or the file that holds one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HierarchyRule {
    /// Intervals of equal width, wider at each level.
    Intervals {
        /// The width of each level.
        widths: Vec<f64>,
        /// Where an interval begins.
        #[serde(default)]
        origin: f64,
        /// Smaller numbers are one interval.
        #[serde(default)]
        below: Option<f64>,
        /// Numbers from this one on are one interval.
        #[serde(default)]
        above: Option<f64>,
        /// Whether values have decimals where these numbers have none.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        decimals: bool,
    },
    /// Intervals between stated bounds, fewer at each level.
    Bounds {
        /// The bounds of each level.
        levels: Vec<Vec<f64>>,
        /// Whether values have decimals where the bounds have none.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        decimals: bool,
    },
    /// The last characters hidden, more at each level.
    Prefix {
        /// How many characters each level hides.
        hidden: Vec<usize>,
        /// Where shorter values are filled up.
        #[serde(default)]
        pad: PaddingSide,
        /// The length that values are filled up to; that of the longest value if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<usize>,
    },
    /// Parts of the calendar.
    Dates {
        /// The unit of each level: day, week, month, quarter, year or decade.
        units: Vec<String>,
        /// How dates are written; recognized if not given.
        #[serde(default)]
        format: Option<String>,
    },
    /// Groups of values, then groups of those groups.
    Groups {
        /// The groups of each level.
        levels: Vec<Vec<LabelledGroup>>,
        /// The values in their order, where groups must be contiguous.
        #[serde(default)]
        order: Option<Vec<String>>,
        /// The label of what no group lists.
        #[serde(default)]
        rest: Option<String>,
    },
    /// A tree that is written out.
    Tree {
        /// The branches below `*`.
        branches: Vec<TreeNode>,
        /// The label of what the tree does not list.
        #[serde(default)]
        rest: Option<String>,
    },
    /// A hierarchy file of the project.
    File {
        /// Its path, as the project states it.
        path: String,
    },
}

/// Where short values are filled up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PaddingSide {
    /// At the end.
    #[default]
    Right,
    /// At the beginning.
    Left,
}

/// A label and its members: values, or labels of the level below.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LabelledGroup {
    /// The label.
    pub label: String,
    /// Its members.
    pub members: Vec<String>,
}

/// A value, or a label with what lies below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TreeNode {
    /// The value or the label.
    pub label: String,
    /// What lies below it; nothing for a value.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub below: Vec<TreeNode>,
}
