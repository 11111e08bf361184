//! What thresholds cost: at each height, and under one scheme.

use haggle_cube::Bin;
use serde::Serialize;

use crate::{Account, Ask};

/// The cost of a threshold at one height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeightStudy {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: u64,
    /// The fewest records suppressed by one of them.
    pub least: u64,
    /// The mean over them.
    pub mean: f64,
    /// The most records suppressed by one of them.
    pub most: u64,
}

/// The cost of a threshold at every height.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Study {
    /// At each height.
    pub heights: Vec<HeightStudy>,
    /// What was asked, in full.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
}

/// How far one attribute alone divides the records into small groups, with all others fully
/// generalized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupingPower {
    /// The attribute.
    pub attribute: String,
    /// The size of the smallest group: the records (or persons) with its rarest value.
    pub smallest: u64,
    /// The number of groups: its different values.
    pub groups: u64,
    /// How many groups have which size, the smallest first.
    pub sizes: Vec<GroupSize>,
}

/// How many groups have a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupSize {
    /// The size.
    pub size: u64,
    /// The groups that have it.
    pub groups: u64,
}

/// The attributes by grouping power: the one with the smallest group first, because it forces most
/// suppression.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupingStudy {
    /// The attributes, the smallest group first.
    pub attributes: Vec<GroupingPower>,
    /// What became of the records.
    pub account: Account,
}

/// One scheme's histogram of a model's statistic.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SchemeHistogram {
    /// The model.
    pub model: &'static str,
    /// The number that the statistic is compared with.
    pub parameter: &'static str,
    /// The groups of the scheme.
    pub groups: u64,
    /// The values with their groups and records, weakest first.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<crate::schema::HistogramBin>))]
    pub bins: Vec<Bin>,
}
