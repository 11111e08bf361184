//! A lattice seen through one privacy threshold, with the looks counted.

use std::ops::ControlFlow;

use haggle_cube::{Costs, Histogram, Kind, Lattice};
use haggle_model::{Scheme, Space, Sublattice};

use super::{Requirement, Solution};
use crate::Error;

/// What happens to each scheme under one requirement.
pub(super) struct View<'a> {
    lattice: &'a dyn Lattice,
    requirement: Requirement,
    /// What every scheme suppresses, if the lattice can tell them all at once.
    costs: Option<Costs>,
    visited: u64,
}

impl<'a> View<'a> {
    pub(super) fn new(lattice: &'a dyn Lattice, requirement: Requirement) -> Self {
        let costs = lattice.costs(requirement.column, requirement.threshold);
        Self { lattice, requirement, costs, visited: 0 }
    }

    /// The same lattice through another threshold; what was visited goes on being counted.
    pub(super) fn at<T>(
        &mut self,
        threshold: f64,
        look: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let requirement = Requirement { threshold, ..self.requirement };
        let mut other = Self { visited: self.visited, ..Self::new(self.lattice, requirement) };
        let seen = look(&mut other);
        self.visited = other.visited;
        seen
    }

    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    pub(super) fn space(&self) -> &'a Space {
        self.lattice.space()
    }

    pub(super) fn kind(&self) -> Kind {
        self.column().kind
    }

    /// Whether a threshold still protects anybody.
    pub(super) fn protects(&self, threshold: f64) -> bool {
        let column = self.column();
        column.comparison.by_strength(threshold, column.weakest).is_ge()
    }

    /// Orders thresholds from the weakest to the strongest.
    pub(super) fn by_strength(&self, a: f64, b: f64) -> std::cmp::Ordering {
        self.column().comparison.by_strength(a, b)
    }

    fn column(&self) -> &'a haggle_cube::Column {
        &self.lattice.columns()[self.requirement.column]
    }

    /// What a scheme suppresses, if that is within the limit and leaves a record to publish.
    fn suppressed(&mut self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        self.visited += 1;
        let threshold = self.requirement.threshold;
        let suppressed = match &self.costs {
            Some(costs) => u64::from(costs[self.lattice.space().index(scheme)]),
            None => self.histogram(scheme, |histogram| histogram.suppressed(threshold))?,
        };
        Ok((suppressed <= limit && suppressed < self.lattice.records()).then_some(suppressed))
    }

    /// The scheme as a solution, if it is one within the limit.
    pub(super) fn solution(
        &mut self,
        scheme: &Scheme,
        limit: u64,
    ) -> Result<Option<Solution>, Error> {
        let threshold = self.requirement.threshold;
        let Some(suppressed) = self.suppressed(scheme, limit)? else { return Ok(None) };
        let attained = self.histogram(scheme, |histogram| histogram.attained(threshold))?;
        Ok(attained.map(|attained| Solution {
            scheme: scheme.clone(),
            suppressed,
            threshold,
            attained,
        }))
    }

    /// Asks a scheme's histogram something without counting it as one more look.
    pub(super) fn histogram<T>(
        &self,
        scheme: &Scheme,
        ask: impl FnOnce(&Histogram<'_>) -> T,
    ) -> Result<T, Error> {
        Ok(ask(&self.lattice.annotate(scheme)?.histogram(self.requirement.column)))
    }

    /// Whether any scheme of this height is feasible.
    pub(super) fn any_at(
        &mut self,
        part: &Sublattice,
        height: u32,
        limit: u64,
    ) -> Result<bool, Error> {
        let found = part.visit_height(height, &mut |scheme| match self.suppressed(scheme, limit) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some(_)) => ControlFlow::Break(Ok(())),
            Err(error) => ControlFlow::Break(Err(error)),
        });
        match found {
            ControlFlow::Continue(()) => Ok(false),
            ControlFlow::Break(found) => found.map(|()| true),
        }
    }

    /// The feasible scheme of this height with the least suppression, the first in level order.
    pub(super) fn least_at(
        &mut self,
        part: &Sublattice,
        height: u32,
        limit: u64,
    ) -> Result<Option<Solution>, Error> {
        let mut best: Option<(u64, Scheme)> = None;
        let walk = part.visit_height(height, &mut |scheme| {
            let within = best.as_ref().map_or(Some(limit), |(least, _)| least.checked_sub(1));
            let Some(within) = within else { return ControlFlow::Break(Ok(())) };
            match self.suppressed(scheme, within) {
                Ok(found) => {
                    best = found.map(|least| (least, scheme.clone())).or(best.take());
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(Err(error)),
            }
        });
        if let ControlFlow::Break(stopped) = walk {
            stopped?;
        }
        best.map_or(Ok(None), |(least, scheme)| {
            self.visited -= 1; // looked at already
            self.solution(&scheme, least)
        })
    }
}
