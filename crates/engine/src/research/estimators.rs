//! How well estimators choose the schemes of a partial lattice: their deviations and errors per height.

use haggle_api::{Ask, ChosenStudy, DeviationStudy, EstimatorStudy, EstimatorsStudy, LevelStudy};
use haggle_model::Error;
use haggle_search::partial::{
    Accuracy, Deviations, ESTIMATORS, Estimator, LevelMetrics, Selection, accuracy,
};

use crate::Engine;

/// How well the estimators select a percentage of each height, at the thresholds asked for.
pub(crate) fn estimators(
    engine: &Engine,
    ask: &Ask,
    percent: f64,
) -> Result<EstimatorsStudy, Error> {
    let (judged, _) = engine.judged(&ask.or(engine.defaults()))?;
    let metrics = LevelMetrics::of(engine.cube())?;
    let space = engine.cube().space();
    let study = |&estimator: &&'static Estimator| {
        let selected = Selection::new(estimator, percent)?.select(&space, &metrics)?;
        let found = accuracy(&judged.lattice, &judged.requirements, &selected)?;
        Ok(study_of(estimator, &found))
    };
    let estimators = ESTIMATORS.iter().map(study).collect::<Result<_, Error>>()?;
    Ok(EstimatorsStudy {
        asked: Ask { privacy: engine.asked(ask)?.privacy, ..Ask::default() },
        account: engine.account(),
        percent,
        levels: levels(engine, &metrics),
        estimators,
    })
}

fn levels(engine: &Engine, metrics: &LevelMetrics) -> Vec<LevelStudy> {
    let attributes = engine.attributes().into_iter().zip(metrics.attributes());
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

fn study_of(estimator: &'static Estimator, found: &Accuracy) -> EstimatorStudy {
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
