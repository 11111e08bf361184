//! The front of privacy against loss, with the publication among its points.

use haggle_api::{Front, Judge};
use haggle_engine::Engine;
use haggle_model::Error;

use crate::answers::{Answers, PlanAnswers};
use crate::types::{ChosenPoint, ReportForm, ReportFront, ReportPoint};
use crate::words::rounded;

/// Returns the front as it is reported, with its picture.
pub(crate) fn reported_front(
    engine: &Engine,
    answers: &Answers,
    plan: &PlanAnswers,
    front: &Front,
    form: ReportForm,
) -> Result<ReportFront, Error> {
    let criteria = engine.criteria(&answers.request)?;
    let threshold = criteria.first().map_or(0.0, |criterion| criterion.numbers[0].value);
    let loss = plan.pinned.loss.get(&answers.measure.to_string()).copied().unwrap_or_default();
    let at_least_as_good = |point: &&haggle_api::FrontPoint| point.scheme == plan.scheme;
    let chosen = ChosenPoint {
        threshold,
        loss: rounded(loss),
        optimal: front.points.iter().any(|point| at_least_as_good(&point) && point.loss <= loss),
    };
    let is_private = form == ReportForm::Private;
    let point = |point: &haggle_api::FrontPoint| ReportPoint {
        threshold: shown_threshold(point.threshold, form),
        loss: rounded(point.loss),
        scheme: is_private.then(|| point.scheme.clone()),
    };
    let mut points: Vec<ReportPoint> = front.points.iter().map(point).collect();
    points.dedup();
    Ok(ReportFront {
        model: front.model.clone(),
        parameter: front.parameter,
        loss: front.loss.clone(),
        picture: picture(&answers.measure, plan, front, &chosen, form),
        points,
        chosen,
    })
}

/// A threshold as it is reported: the public form has two digits of it.
fn shown_threshold(threshold: f64, form: ReportForm) -> f64 {
    if form == ReportForm::Private || threshold == 0.0 {
        return threshold;
    }
    let unit = 10_f64.powf(threshold.abs().log10().floor() - 1.0);
    // Divided by the inverse where that is a whole number, so that 0.15 stays 0.15.
    if unit < 1.0 {
        let parts = (1.0 / unit).round();
        return (threshold * parts).round() / parts;
    }
    (threshold / unit).round() * unit
}

#[cfg(not(feature = "plot"))]
fn picture(
    _: &Judge,
    _: &PlanAnswers,
    _: &Front,
    _: &ChosenPoint,
    _: ReportForm,
) -> Option<String> {
    None
}

/// Draws the front. In the public form no point says how much it suppresses.
#[cfg(feature = "plot")]
fn picture(
    measure: &Judge,
    plan: &PlanAnswers,
    front: &Front,
    chosen: &ChosenPoint,
    form: ReportForm,
) -> Option<String> {
    use haggle_plot::{Caption, Front as Drawn, Picture, Point};

    if front.points.is_empty() {
        return None;
    }
    let measure = haggle_loss::find(&measure.measure);
    let title = measure.map_or(front.loss.as_str(), |measure| measure.title);
    let is_private = form == ReportForm::Private;
    let shown = |loss: f64| if is_private { loss } else { rounded(loss) };
    let point = |point: &haggle_api::FrontPoint| Point {
        threshold: shown_threshold(point.threshold, form),
        loss: shown(point.loss),
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
        records: if is_private { front.account.counted } else { 0 },
        suppression: false,
        points: front.points.iter().map(point).collect(),
        missed: Vec::new(),
        chosen: Some(chosen),
    };
    Some(Picture::Front(drawn).svg())
}
