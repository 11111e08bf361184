//! The front at some thresholds: the least loss at each is searched on its own, so that schemes can be
//! annotated on demand.

use haggle_api::{Ask, Front, MeasureSpec, Offer};
use haggle_model::{Error, Progress};
use haggle_search::pareto::Point;

use super::{described, in_words, only};
use crate::Engine;
use crate::answer::resolve::request_on;
use crate::criteria::criterion::Criterion;
use crate::lattice::tables::positions;

/// More thresholds are not searched one by one.
const MOST_THRESHOLDS: usize = 200;

/// Returns the points of the exact front that are the least loss at one of these thresholds. A point
/// has the strongest threshold that keeps its groups.
pub(crate) fn front_at(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    thresholds: &[f64],
    progress: &dyn Progress,
) -> Result<Front, Error> {
    let ask = Ask { optimize: Some(spec.clone()), top: None, ..ask.or(engine.defaults()) };
    let criteria = engine.criteria(&ask)?;
    let criterion = only(&criteria)?;
    let (requirements, negotiable) = positions(&criteria);
    let request = request_on(&ask, engine.cube(), requirements, negotiable)?;
    let search = ThresholdSearch { engine, ask: &ask, criterion, progress };
    let found = search.run(&strongest_first(criterion, thresholds)?)?;
    let error = |point: &Point| found.iter().find(|one| one.point == *point)?.error;
    let points: Vec<Point> = found.iter().map(|one| one.point.clone()).collect();
    Ok(in_words(engine, &ask, &criteria, &request, spec, described(&points, false, error)))
}

/// Orders thresholds by strength.
fn strongest_first(criterion: &Criterion, thresholds: &[f64]) -> Result<Vec<f64>, Error> {
    if thresholds.is_empty() || thresholds.len() > MOST_THRESHOLDS {
        let what = format!("a front is searched at 1 to {MOST_THRESHOLDS} thresholds");
        return Err(Error::new(what, "state some thresholds"));
    }
    let comparison = criterion.judge().column().comparison;
    let mut ordered = thresholds.to_vec();
    ordered.sort_by(|a, b| comparison.by_strength(*b, *a));
    ordered.dedup();
    Ok(ordered)
}

/// A point, with the standard error of its loss if that is an estimate.
struct FoundPoint {
    point: Point,
    error: Option<f64>,
}

struct ThresholdSearch<'a> {
    engine: &'a Engine,
    ask: &'a Ask,
    criterion: &'a Criterion,
    progress: &'a dyn Progress,
}

impl ThresholdSearch<'_> {
    /// Returns the points that lose less than every stronger one.
    fn run(&self, thresholds: &[f64]) -> Result<Vec<FoundPoint>, Error> {
        self.progress.start("thresholds", thresholds.len() as u64);
        let mut found: Vec<FoundPoint> = Vec::new();
        for &threshold in thresholds {
            let best = self.best_at(threshold)?;
            let least = found.last().map_or(f64::INFINITY, |last| last.point.loss);
            found.extend(best.filter(|best| best.point.loss < least));
            self.progress.advance(1);
        }
        self.progress.finish();
        Ok(found)
    }

    /// Returns the point with the least loss at a threshold; none if no scheme attains it.
    fn best_at(&self, threshold: f64) -> Result<Option<FoundPoint>, Error> {
        let parameter = self.criterion.numbers[0].parameter.name;
        let privacy = vec![self.ask.privacy[0].with(parameter, threshold)];
        let ask = Ask { privacy, ..self.ask.clone() };
        let answer = self.engine.exact_while(&ask, self.progress)?;
        answer.exact.map(|offer| self.point_of(&ask, offer, threshold)).transpose()
    }

    fn point_of(&self, ask: &Ask, offer: Offer, asked: f64) -> Result<FoundPoint, Error> {
        let threshold = self.attained(ask, &offer, asked)?.unwrap_or(asked);
        let loss = offer.loss.values().next().copied().unwrap_or_default();
        let error = offer.loss_error.values().next().copied();
        let (suppressed, scheme) = (offer.suppressed, offer.scheme);
        Ok(FoundPoint { point: Point { threshold, loss, suppressed, scheme }, error })
    }

    /// Returns the strongest threshold at which a scheme keeps the same groups.
    fn attained(&self, ask: &Ask, offer: &Offer, asked: f64) -> Result<Option<f64>, Error> {
        let carried = self.engine.carried(ask)?;
        let column = carried.request.requirements[0].column;
        let annotated = carried.lattice().annotate(&offer.scheme)?;
        let histogram = annotated.histogram(column);
        let weakest_kept = histogram.bins().nth(histogram.failing(asked));
        Ok(weakest_kept.and_then(|bin| carried.lattice().column(column).offered(bin.value)))
    }
}
