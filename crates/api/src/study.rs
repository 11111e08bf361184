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
