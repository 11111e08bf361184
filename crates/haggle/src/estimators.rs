//! How well estimators choose the schemes of a partial lattice: their deviations and errors per height.

use haggle_search::partial::{
    Accuracy, Deviations, ESTIMATORS, Estimator, LevelMetrics, Selection, accuracy,
};
use serde::Serialize;

use crate::{Account, Ask, Engine, Error};

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
    /// The same as a formula.
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

impl Engine {
    /// How well the estimators select so many per cent of each height, at the thresholds asked for.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Privacy, Project};
    /// # let project = Project::open("demo:adult")?;
    /// let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// let ask = Ask { privacy: vec![Privacy::of("k-anonymity", 3.0)], ..Ask::default() };
    /// let study = engine.estimators(&ask, 5.0)?;
    /// let lambda = study.estimators.iter().find(|e| e.estimator == "lambda").unwrap();
    /// assert_eq!((lambda.heights[3].actual, lambda.heights[3].chosen), (12, 17));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn estimators(&self, ask: &Ask, percent: f64) -> Result<EstimatorsStudy, Error> {
        let (judged, _) = self.judged(&ask.or(self.defaults()))?;
        let metrics = LevelMetrics::of(self.cube())?;
        let space = self.cube().space();
        let study = |&estimator: &&'static Estimator| {
            let selected = Selection::new(estimator, percent)?.of(&space, &metrics)?;
            let found = accuracy(&judged.lattice, &judged.requirements, &selected)?;
            Ok(told(estimator, &found))
        };
        let estimators = ESTIMATORS.iter().map(study).collect::<Result<_, Error>>()?;
        Ok(EstimatorsStudy {
            asked: Ask { privacy: self.asked(ask)?.privacy, ..Ask::default() },
            account: self.account(),
            percent,
            levels: self.levels(&metrics),
            estimators,
        })
    }

    fn levels(&self, metrics: &LevelMetrics) -> Vec<LevelStudy> {
        let attributes = self.attributes().into_iter().zip(metrics.attributes());
        attributes
            .flat_map(|(name, levels)| {
                levels.iter().zip(0..).map(|(power, level)| LevelStudy {
                    attribute: name.to_owned(),
                    level,
                    groups: power.groups,
                    average_group_size: power.average,
                    relative_importance: power.importance,
                })
            })
            .collect()
    }
}

fn told(estimator: &'static Estimator, found: &Accuracy) -> EstimatorStudy {
    let deviations = |found: Deviations| DeviationStudy {
        deviations: found.deviations,
        mean_error: found.mean_error,
    };
    let heights = found.heights.iter().map(|height| ChosenStudy {
        height: height.height,
        schemes: height.schemes,
        selected: height.selected,
        actual: height.actual,
        chosen: height.chosen,
        error: height.error,
    });
    EstimatorStudy {
        estimator: estimator.id,
        title: estimator.title,
        formula: estimator.formula,
        heights: heights.collect(),
        substantial: deviations(found.substantial),
        overall: deviations(found.overall),
    }
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
