//! The publication among the points of the front of privacy against loss.

use haggle_engine::Engine;
use haggle_model::Error;

use crate::answers::PlanAnswers;
use crate::subject::Subject;
use crate::types::ChosenPoint;

/// Returns the publication as a point among those of the front, if there is one.
pub(crate) fn chosen_point(
    engine: &Engine,
    subject: &Subject,
    plan: &PlanAnswers,
) -> Result<Option<ChosenPoint>, Error> {
    let Ok(front) = &plan.front else { return Ok(None) };
    let criteria = engine.criteria(&subject.request)?;
    let threshold = criteria.first().map_or(0.0, |criterion| criterion.numbers[0].value);
    let loss = plan.pinned.loss.get(&subject.measure.to_string()).copied().unwrap_or_default();
    let at_least_as_good =
        |point: &haggle_api::FrontPoint| point.scheme == plan.scheme && point.loss <= loss;
    let optimal = front.points.iter().any(at_least_as_good);
    Ok(Some(ChosenPoint { threshold, loss, optimal }))
}

#[cfg(not(feature = "plot"))]
pub(crate) fn picture(_: &Subject, _: &PlanAnswers, _: &ChosenPoint) -> Option<String> {
    None
}

/// Draws the front.
#[cfg(feature = "plot")]
pub(crate) fn picture(
    subject: &Subject,
    plan: &PlanAnswers,
    chosen: &ChosenPoint,
) -> Option<String> {
    use haggle_plot::{Caption, Front as Drawn, Picture, Point};

    let front = plan.front.as_ref().ok()?;
    if front.points.is_empty() {
        return None;
    }
    let measure = haggle_loss::find(&subject.measure.measure);
    let title = measure.map_or(front.loss.as_str(), |measure| measure.title);
    let point = |point: &haggle_api::FrontPoint| Point {
        threshold: point.threshold,
        loss: point.loss,
        suppressed: point.suppressed,
        scheme: point.scheme.clone(),
        knee: false,
    };
    let chosen = Point {
        threshold: chosen.threshold,
        loss: chosen.loss,
        suppressed: plan.pinned.suppressed,
        scheme: plan.scheme.clone(),
        knee: false,
    };
    let drawn = Drawn {
        caption: Caption {
            title: format!("{} against {title}", front.model),
            asked: vec![format!("{} schemes, none of which another one beats", front.points.len())],
        },
        parameter: front.parameter.into(),
        privacy: format!("{}, stronger to the right", front.parameter),
        loss: format!("loss, {}", measure.map_or("", |measure| measure.range)),
        second: "loss".into(),
        best: "the best for its threshold".into(),
        records: front.account.counted,
        suppression: false,
        points: front.points.iter().map(point).collect(),
        missed: Vec::new(),
        chosen: Some(chosen),
    };
    Some(Picture::Front(drawn).svg())
}
