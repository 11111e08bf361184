//! How well estimators select the schemes of a partial lattice.

use serde::Serialize;

use crate::{Account, Ask};

/// What a level of a hierarchy does to the groups, everything else as recorded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelStudy {
    /// The attribute.
    pub attribute: String,
    /// The level.
    pub level: u8,
    /// The groups that remain.
    pub groups: usize,
    /// γ: their average size.
    pub average_group_size: f64,
    /// µ: that against the level below; for level 0, the inverse of level 1's.
    pub relative_importance: f64,
}

/// How far selected schemes are from the best ones, over some heights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeviationStudy {
    /// At how many heights the best scheme was not selected.
    pub deviations: usize,
    /// The mean of the errors.
    pub mean_error: f64,
}

/// The best of the schemes that an estimator selects at a height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChosenStudy {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: usize,
    /// How many of them are selected.
    pub selected: usize,
    /// The fewest records suppressed by any of them.
    pub actual: u64,
    /// The fewest records suppressed by a selected one.
    pub chosen: u64,
    /// By how much that is more, against the actual; where that is zero, against all records.
    pub error: f64,
}

/// How well one estimator selects.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EstimatorStudy {
    /// Its name.
    pub estimator: &'static str,
    /// The name used in sentences.
    pub title: &'static str,
    /// The estimator as a formula.
    pub formula: &'static str,
    /// Every height.
    pub heights: Vec<ChosenStudy>,
    /// Over the heights whose best scheme suppresses more than a thousandth of the records.
    pub substantial: DeviationStudy,
    /// Over all heights.
    pub overall: DeviationStudy,
}

/// How well every estimator selects a share of each height.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EstimatorsStudy {
    /// The thresholds asked for, in full.
    pub asked: Ask,
    /// What became of the records.
    pub account: Account,
    /// How many per cent of each height are selected, at least two.
    pub percent: f64,
    /// What the levels do to the groups.
    pub levels: Vec<LevelStudy>,
    /// Every estimator of the catalog.
    pub estimators: Vec<EstimatorStudy>,
}

impl EstimatorsStudy {
    /// The heights as CSV: a column of the chosen and one of the error for each estimator.
    pub fn csv(&self) -> String {
        let mut text = String::from("height,schemes,selected,actual");
        for study in &self.estimators {
            text += &format!(",{0},{0}-error", study.estimator);
        }
        for (i, first) in self.estimators[0].heights.iter().enumerate() {
            let ChosenStudy { height, schemes, selected, actual, .. } = first;
            text += &format!("\n{height},{schemes},{selected},{actual}");
            for study in &self.estimators {
                text += &format!(",{},{}", study.heights[i].chosen, study.heights[i].error);
            }
        }
        text + "\n"
    }
}
