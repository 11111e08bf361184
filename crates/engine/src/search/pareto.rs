//! The front of privacy against loss, point by point with the price of the next step.

use haggle_api::{Ask, Front, FrontPoint, MeasureSpec};
use haggle_cube::{Lattice, Weighed};
use haggle_model::{Error, Space};
use haggle_search::LatticeRequest;
use haggle_search::pareto::{FrontInput, Point, front, front_with_suppression};

use crate::Engine;
use crate::answer::resolve::request_of;
use crate::answer::thresholds::in_full;
use crate::criteria::criterion::Criterion;
use crate::criteria::judging::ResolvedMeasure;

mod at;
pub(crate) mod two;

pub(crate) use at::front_at;
pub use two::{PairPoint, PairsFront};

/// What the points of a front are compared by, next to their threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FrontAxes {
    /// Loss alone.
    #[default]
    Loss,
    /// Loss, and the number of suppressed records.
    LossAndSuppression,
}

impl FrontAxes {
    /// Returns the axes with suppression as one of them, or without.
    pub fn with_suppression(suppression: bool) -> Self {
        if suppression { Self::LossAndSuppression } else { Self::Loss }
    }
}

/// Returns the exact front of the model asked for, whose threshold varies, against a loss measure.
pub(crate) fn exact_front(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    axes: FrontAxes,
) -> Result<Front, Error> {
    let suppression = axes == FrontAxes::LossAndSuppression;
    let ask = ask.or(engine.defaults());
    let (judged, criteria) = engine.judged(&ask)?;
    let criterion = only(&criteria)?;
    let resolved = engine.resolve_measure(spec)?;
    let weighed = engine.weighed(&judged, criterion, 0, spec, &resolved)?;
    let request = request_of(&ask, &judged)?;
    let part = judged.lattice.space().under(&request.caps);
    let against = FrontInput {
        column: judged.lattice.column(0),
        weighed: &weighed,
        loss: resolved.loss.as_ref(),
    };
    let make = if suppression { front_with_suppression } else { front };
    let points = make(&judged.lattice, &part, against, request.limit);
    let error = |point: &Point| error_of(&weighed, &resolved, judged.lattice.space(), point);
    let points = described(&points, suppression, error);
    Ok(in_words(engine, &ask, &criteria, &request, spec, points))
}

/// The one model of a front.
fn only(criteria: &[Criterion]) -> Result<&Criterion, Error> {
    match criteria {
        [criterion] => Ok(criterion),
        _ => Err(Error::new("a front is of one model", "ask for each model alone")),
    }
}

/// The points with what was asked for.
fn in_words(
    engine: &Engine,
    ask: &Ask,
    criteria: &[Criterion],
    request: &LatticeRequest,
    spec: &MeasureSpec,
    points: Vec<FrontPoint>,
) -> Front {
    Front {
        model: criteria[0].label.clone(),
        parameter: criteria[0].numbers[0].parameter.name,
        loss: spec.to_string(),
        limit: request.limit,
        asked: in_full(engine, ask, criteria, request).varying(),
        account: engine.account(),
        points,
    }
}

/// The standard error of a point's loss, if it is an estimate.
pub(crate) fn error_of(
    weighed: &Weighed,
    resolved: &ResolvedMeasure,
    space: &Space,
    point: &Point,
) -> Option<f64> {
    let position = space.index(&point.scheme);
    let failing = weighed.table().histogram(position).failing(point.threshold);
    weighed.standard_error(resolved.loss.as_ref(), &point.scheme, position, failing)
}

/// People rarely ask for groups larger than this.
const LARGEST_ASKED: f64 = 100.0;

pub(crate) fn described(
    points: &[Point],
    suppression: bool,
    error: impl Fn(&Point) -> Option<f64>,
) -> Vec<FrontPoint> {
    let knee = if suppression { None } else { knee(points) };
    let price = |i: usize| {
        let (here, next) = (points.get(i)?, points.get(i + 1)?);
        (!suppression).then(|| (here.loss - next.loss) / (here.threshold - next.threshold).abs())
    };
    let point = |(i, point): (usize, &Point)| FrontPoint {
        threshold: point.threshold,
        loss: point.loss,
        loss_error: error(point),
        suppressed: point.suppressed,
        scheme: point.scheme.clone(),
        height: point.scheme.height(),
        price: price(i),
        knee: knee == Some(i),
    };
    points.iter().enumerate().map(point).collect()
}

/// The point farthest below the line from the first to the last, both axes scaled to one. Thresholds
/// that span orders of magnitude, as k does, are taken by their logarithm. A knee beyond what people
/// ask for helps nobody to choose and is left out.
fn knee(points: &[Point]) -> Option<usize> {
    let (first, last) = (points.first()?, points.last()?);
    let (low, high) = (first.threshold.min(last.threshold), first.threshold.max(last.threshold));
    let wide = low > 0.0 && high > 10.0 * low;
    let on_axis = |threshold: f64| if wide { threshold.ln() } else { threshold };
    let scaled = |point: &Point| {
        let (from, to) = (on_axis(last.threshold), on_axis(first.threshold));
        let privacy = (on_axis(point.threshold) - from) / (to - from);
        let loss = (point.loss - last.loss) / (first.loss - last.loss);
        privacy - loss
    };
    let bends: Vec<f64> = points.iter().map(scaled).collect();
    let (most, bend) = bends.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let asked = points[most].threshold <= LARGEST_ASKED;
    (points.len() > 2 && *bend > 0.0 && asked).then_some(most)
}
