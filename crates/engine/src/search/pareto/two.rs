//! The front of two models at a bound of loss.

use std::sync::Arc;

use haggle_api::{Ask, MeasureSpec};
use haggle_cube::{Cube, Lattice, Weighed};
use haggle_model::{Error, Scheme};
use haggle_search::pareto::{GroupStatistics, TwoModels, front_of_two};

use crate::Engine;
use crate::answer::resolve::request_of;
use crate::answer::thresholds::in_full;
use crate::criteria::criterion::Criterion;
use crate::criteria::judging::ResolvedMeasure;
use crate::lattice::tables::Judged;

pub use haggle_api::PairPoint;
pub use haggle_api::PairsFront;

/// The exact front of the two models asked for (their thresholds vary), losing at most so much.
pub(crate) fn pareto_of_two(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
    max_loss: f64,
) -> Result<PairsFront, Error> {
    let ask = ask.or(engine.defaults());
    let (judged, criteria) = engine.judged(&ask)?;
    let [first, second] = criteria.as_slice() else {
        let fix = "name two, such as k-anonymity and t-closeness";
        return Err(Error::new("a front within a limit of loss compares two privacy models", fix));
    };
    let resolved = engine.resolve_measure(spec)?;
    let request = request_of(&ask, &judged)?;
    let columns = [0, 1].map(|i| judged.lattice.column(judged.requirements[i].column));
    let bounds = bounds(engine, &judged, &criteria, spec, &resolved)?;
    let within =
        |scheme: &Scheme| bounds.iter().all(|bound| bound.allows(scheme, request.limit, max_loss));
    let groups = |scheme: &Scheme| {
        within(scheme).then(|| groups(engine.cube(), scheme, [first, second], &resolved))
    };
    let two = TwoModels {
        columns,
        loss: resolved.loss.as_ref(),
        limit: request.limit,
        bound: max_loss,
        groups: &groups,
    };
    let part = judged.lattice.space().under(&request.caps);
    Ok(PairsFront {
        models: criteria.iter().map(|criterion| criterion.label.clone()).collect(),
        parameters: criteria.iter().map(|c| c.numbers[0].parameter.name).collect(),
        loss: spec.to_string(),
        max_loss,
        limit: request.limit,
        asked: in_full(engine, &ask, &criteria, &request).varying(),
        account: engine.account(),
        points: front_of_two(&part, &two).into_iter().map(PairPoint::from).collect(),
    })
}

/// What each model alone costs at least.
fn bounds<'a>(
    engine: &Engine,
    judged: &'a Judged,
    criteria: &[Criterion],
    spec: &MeasureSpec,
    resolved: &'a ResolvedMeasure,
) -> Result<Vec<Bound<'a>>, Error> {
    let bound = |(criterion, requirement): (&Criterion, &haggle_search::Requirement)| {
        let weighed = engine.weighed(judged, criterion, requirement.column, spec, resolved)?;
        Ok(Bound { judged, resolved, weighed, column: requirement.column })
    };
    criteria.iter().zip(&judged.requirements).map(bound).collect()
}

/// What one model alone suppresses and loses at its weakest threshold; both together cost more.
struct Bound<'a> {
    judged: &'a Judged,
    resolved: &'a ResolvedMeasure,
    weighed: Arc<Weighed>,
    column: usize,
}

impl Bound<'_> {
    fn allows(&self, scheme: &Scheme, limit: u64, max_loss: f64) -> bool {
        let position = self.judged.lattice.space().index(scheme);
        let histogram = self.weighed.table().histogram(position);
        let failing = histogram.failing(self.judged.lattice.column(self.column).weakest);
        if histogram.suppressed_by(failing) > limit {
            return false;
        }
        let loss = self.weighed.loss(self.resolved.loss.as_ref(), scheme, position, failing);
        !self.resolved.entry.suppressing_costs || loss <= max_loss + 1e-9 * max_loss.abs()
    }
}

/// The groups of a scheme with both statistics and what the measure needs. However groups are
/// counted, they come in the same order.
fn groups(
    cube: &Cube,
    scheme: &Scheme,
    criteria: [&Criterion; 2],
    resolved: &ResolvedMeasure,
) -> GroupStatistics {
    let mut groups = GroupStatistics::default();
    cube.for_each_group(scheme, criteria[0].watches(), |_, group| {
        groups.records.push(group.records);
        groups.statistics.push([criteria[0].judge().of(group), 0.0]);
    });
    let mut statistics = groups.statistics.iter_mut();
    cube.for_each_group(scheme, criteria[1].watches(), |_, group| {
        statistics.next().expect("the same groups")[1] = criteria[1].judge().of(group);
    });
    let mut numbers = vec![0.0; resolved.loss.width()];
    cube.for_each_generalized(scheme, resolved.loss.as_ref(), |group| {
        resolved.loss.measure(group, &mut numbers);
        groups.numbers.extend_from_slice(&numbers);
    });
    groups
}
