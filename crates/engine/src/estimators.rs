//! How well estimators choose the schemes of a partial lattice: their deviations and errors per height.

use haggle_api::{Ask, ChosenStudy, DeviationStudy, EstimatorStudy, EstimatorsStudy, LevelStudy};
use haggle_model::Error;
use haggle_search::partial::{
    Accuracy, Deviations, ESTIMATORS, Estimator, LevelMetrics, Selection, accuracy,
};

use crate::Engine;

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
