//! Losses of schemes that are annotated on demand, and bounds for the search.

use std::cmp::Reverse;

use haggle_cube::{Cube, Lattice, OnDemand, Statistic};
use haggle_loss::Measure;
use haggle_model::{Error, Scheme};
use haggle_search::LatticeRequest;
use haggle_search::Objective;

use crate::criteria::criterion::Criterion;
use crate::criteria::judging::ResolvedMeasure;

/// Returns the statistics of criteria, in the order of their columns.
pub(crate) fn statistics(criteria: Vec<Criterion>) -> Vec<Box<dyn Statistic>> {
    let numbers = criteria.into_iter().flat_map(|criterion| criterion.numbers);
    numbers.map(|number| number.statistic).collect()
}

/// Returns the names of the columns of criteria.
pub(crate) fn column_ids(criteria: &[Criterion]) -> Vec<String> {
    let numbers = criteria.iter().flat_map(|criterion| &criterion.numbers);
    numbers.map(|number| number.statistic.column().id.clone()).collect()
}

/// What schemes lose where they are annotated on demand.
pub(crate) struct LossObjective<'a> {
    lattice: &'a OnDemand,
    resolved: &'a ResolvedMeasure,
    thresholds: Vec<(usize, f64)>,
    caps: Scheme,
    /// Whether no scheme above another loses less than that would if it suppressed nothing.
    bounded: bool,
}

impl<'a> LossObjective<'a> {
    pub(crate) fn new(
        lattice: &'a OnDemand,
        resolved: &'a ResolvedMeasure,
        request: &LatticeRequest,
    ) -> Self {
        let thresholds = request.requirements.iter().map(|r| (r.column, r.threshold)).collect();
        let Measure { monotone, suppressing_costs, .. } = *resolved.entry;
        let bounded = monotone && (suppressing_costs || request.limit == 0);
        Self { lattice, resolved, thresholds, caps: request.caps.clone(), bounded }
    }

    /// Sums in another order may differ in their last digits; a bound must not be too large.
    fn with_slack(bound: f64) -> f64 {
        bound - 1e-9 * bound.abs()
    }
}

impl Objective for LossObjective<'_> {
    fn loss(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.lattice.loss(scheme, self.resolved.loss.as_ref(), &self.thresholds))
    }

    fn lower_bound_above(&self, scheme: &Scheme) -> f64 {
        let records = self.lattice.records();
        let of_all = self.bounded.then(|| self.resolved.loss.of_all(scheme, records)).flatten();
        of_all.map_or(f64::NEG_INFINITY, Self::with_slack)
    }

    fn lower_bound_above_by_groups(&self, scheme: &Scheme) -> Result<f64, Error> {
        let bound = self.lower_bound_above(scheme);
        if bound.is_finite() || !self.bounded {
            return Ok(bound);
        }
        Ok(Self::with_slack(self.lattice.loss(scheme, self.resolved.loss.as_ref(), &[])))
    }

    fn first_path(&self) -> Vec<Scheme> {
        datafly_path(self.lattice.cube(), &self.caps)
    }
}

/// The schemes that Datafly goes through: the attribute with the most values climbs, the first of
/// several, until all are at their maximum levels.
fn datafly_path(cube: &Cube, caps: &Scheme) -> Vec<Scheme> {
    let values = |scheme: &Scheme, i: usize| cube.attributes()[i].hierarchy.len(scheme.level(i));
    let next = |scheme: &Scheme| {
        let may = (0..cube.attributes().len()).filter(|&i| scheme.level(i) < caps.level(i));
        let climbing = may.max_by_key(|&i| (values(scheme, i), Reverse(i)))?;
        Some(scheme.with(climbing, scheme.level(climbing).up()))
    };
    std::iter::successors(Some(cube.space().start()), next).collect()
}
