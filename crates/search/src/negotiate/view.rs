//! A lattice seen through the privacy asked for, with the looks counted.

use std::ops::ControlFlow;
use std::sync::Arc;

use haggle_cube::{Column, Costs, Kind, Lattice};
use haggle_model::{Scheme, Space, Sublattice};

use super::joint::Joint;
use super::known::Known;
use super::{Closing, Requirement, Solution, Watch};
use crate::Error;

/// What happens to each scheme under the requirements.
pub(crate) struct Lens<'a> {
    lattice: &'a dyn Lattice,
    requirements: Vec<Requirement>,
    /// For each requirement alone what every scheme suppresses, if the lattice can tell them all at
    /// once.
    costs: Vec<Option<Costs>>,
}

/// A lattice through such a lens, and what was seen of it.
pub(crate) struct View<'a> {
    lens: Arc<Lens<'a>>,
    visited: u64,
    watch: &'a Watch<'a>,
    closing: Closing,
    /// What is known where schemes are looked at one by one.
    pub(crate) border: Known,
}

impl Lens<'_> {
    /// What a scheme suppresses, unless that is more than the limit.
    ///
    /// All requirements together suppress at least what the costliest does and at most the sum;
    /// groups are looked at only where that does not settle it.
    fn cost(&self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        if let [Some(costs)] = self.costs.as_slice() {
            let cost = u64::from(costs[self.lattice.space().index(scheme)]);
            return Ok((cost <= limit).then_some(cost));
        }
        let annotated = self.lattice.annotate(scheme)?;
        let alone = |(requirement, costs): (&Requirement, &Option<Costs>)| match costs {
            Some(costs) => u64::from(costs[self.lattice.space().index(scheme)]),
            None => annotated.histogram(requirement.column).suppressed(requirement.threshold),
        };
        let (mut most, mut sum) = (0, 0);
        for cost in self.requirements.iter().zip(&self.costs).map(alone) {
            (most, sum) = (most.max(cost), sum + cost);
        }
        if most < sum && most <= limit {
            most = Joint::of(&annotated, &self.requirements)?.suppressed();
        }
        Ok((most <= limit).then_some(most))
    }

    /// The same, if it leaves a record to publish.
    pub(super) fn suppressed(&self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        Ok(self.cost(scheme, limit)?.filter(|&suppressed| suppressed < self.lattice.records()))
    }
}

impl<'a> View<'a> {
    pub(crate) fn new(lattice: &'a dyn Lattice, requirements: Vec<Requirement>) -> Self {
        let costs = requirements.iter().map(|r| lattice.costs(r.column, r.threshold)).collect();
        Self {
            border: Known::within(lattice.room(), lattice.space().top().levels().len()),
            lens: Arc::new(Lens { lattice, requirements, costs }),
            visited: 0,
            watch: &|_| true,
            closing: Closing::default(),
        }
    }

    /// The same, asking before each look at a scheme that is not known whether to go on.
    pub(crate) fn watched(self, watch: &'a Watch<'a>) -> Self {
        Self { watch, ..self }
    }

    /// Whether what every scheme suppresses is known beforehand.
    pub(super) fn is_told(&self) -> bool {
        self.lens.costs.iter().all(Option::is_some)
    }

    /// Whether some schemes are not annotated, so that none speaks for another.
    pub(super) fn is_partial(&self) -> bool {
        self.lens.lattice.annotated_at(0).is_some()
    }

    /// Whether the most general scheme of a part speaks for all below it.
    pub(super) fn falls(&self) -> bool {
        self.kind() == Kind::UnionMonotone && !self.is_partial()
    }

    /// Whether the search shall go on; once it shall not, it never does again.
    pub(crate) fn goes_on(&mut self, closing: Closing) -> bool {
        self.closing.stopped |= !(self.watch)(&closing);
        !self.closing.stopped
    }

    /// Whether one more of many schemes may be looked at, where looking takes time.
    pub(super) fn may_go_on(&mut self) -> bool {
        self.is_told() || self.goes_on(self.closing)
    }

    /// A search came so far.
    pub(crate) fn close(&mut self, closing: Closing) {
        self.closing = Closing { stopped: self.closing.stopped || closing.stopped, ..closing };
    }

    /// How far the last search came, and whether any was stopped.
    pub(crate) fn closing(&self) -> Closing {
        self.closing
    }

    /// The same lattice with one requirement replaced; what was visited goes on being counted.
    pub(super) fn with<T>(
        &mut self,
        position: usize,
        requirement: Requirement,
        look: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut requirements = self.lens.requirements.clone();
        requirements[position] = requirement;
        let (visited, closing) = (self.visited, self.closing);
        let other = Self::new(self.lens.lattice, requirements).watched(self.watch);
        let mut other = Self { visited, closing, border: self.border.for_another(), ..other };
        let seen = look(&mut other);
        (self.visited, self.closing) = (other.visited, other.closing);
        self.border.see(other.border);
        seen
    }

    pub(crate) fn visited(&self) -> u64 {
        self.visited
    }

    pub(crate) fn space(&self) -> &'a Space {
        self.lens.lattice.space()
    }

    /// The bytes that a search may remember beside the lattice.
    pub(crate) fn room(&self) -> usize {
        self.lens.lattice.room()
    }

    pub(super) fn column(&self, position: usize) -> &'a Column {
        self.lens.lattice.column(position)
    }

    /// What merging groups does to the joint verdict.
    pub(super) fn kind(&self) -> Kind {
        let kinds = self.lens.requirements.iter().map(|r| self.lens.lattice.column(r.column).kind);
        kinds.max().unwrap_or(Kind::UnionMonotone)
    }

    /// What a scheme suppresses, unless that is more than the limit.
    pub(crate) fn cost(&self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        self.lens.cost(scheme, limit)
    }

    /// The same, if it leaves a record to publish.
    pub(crate) fn suppressed(&mut self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        self.count(scheme).suppressed(scheme, limit)
    }

    /// Counts a look. Where all is known beforehand every look counts, else every scheme that must be
    /// annotated. What looks at it may do so beside others.
    pub(super) fn count(&mut self, scheme: &Scheme) -> Arc<Lens<'a>> {
        self.visited += u64::from(self.is_told() || self.border.is_new(scheme));
        self.lens.clone()
    }

    /// The scheme as a solution, if it is one within the limit.
    pub(crate) fn solution(
        &mut self,
        scheme: &Scheme,
        limit: u64,
    ) -> Result<Option<Solution>, Error> {
        let Some(suppressed) = self.suppressed(scheme, limit)? else { return Ok(None) };
        Ok(self.attained(scheme)?.map(|attained| Solution {
            scheme: scheme.clone(),
            suppressed,
            requirements: self.lens.requirements.clone(),
            attained,
        }))
    }

    /// A scheme that was found, as a solution.
    pub(crate) fn known(
        &mut self,
        scheme: &Scheme,
        suppressed: u64,
    ) -> Result<Option<Solution>, Error> {
        let solution = self.solution(scheme, suppressed)?;
        self.visited -= u64::from(self.is_told()); // looked at already
        Ok(solution)
    }

    /// The weakest statistics among the groups kept, if any is kept.
    fn attained(&self, scheme: &Scheme) -> Result<Option<Vec<f64>>, Error> {
        let annotated = self.lens.lattice.annotate(scheme)?;
        match self.lens.requirements.as_slice() {
            [alone] => {
                let attained = annotated.histogram(alone.column).attained(alone.threshold);
                Ok(attained.map(|attained| vec![attained]))
            }
            several => Ok(Joint::of(&annotated, several)?.attained()),
        }
    }

    /// The strongest statistic of a column that groups can be asked for in place of a requirement,
    /// the others kept, while the scheme suppresses at most the limit.
    pub(super) fn strongest(
        &self,
        scheme: &Scheme,
        position: usize,
        column: usize,
        limit: u64,
    ) -> Result<Option<f64>, Error> {
        let annotated = self.lens.lattice.annotate(scheme)?;
        if self.lens.requirements.len() == 1 {
            return Ok(annotated.histogram(column).strongest(limit));
        }
        let mut requirements = self.lens.requirements.clone();
        requirements.remove(position);
        requirements.push(Requirement { column, threshold: self.column(column).weakest });
        Ok(Joint::of(&annotated, &requirements)?.strongest_last(limit))
    }

    /// The same over every scheme of a part that the lattice has, as far as the search may go on.
    pub(super) fn strongest_of_all(
        &mut self,
        part: &Sublattice,
        position: usize,
        column: usize,
        limit: u64,
    ) -> Result<Option<f64>, Error> {
        let (lattice, comparison) = (self.lens.lattice, self.column(column).comparison);
        let mut strongest: Option<f64> = None;
        for height in part.heights() {
            let walk = visit(lattice, part, height, &mut |scheme| {
                if !self.may_go_on() {
                    return ControlFlow::Break(Ok(()));
                }
                match self.strongest(scheme, position, column, limit) {
                    Ok(here) => {
                        let by_strength = |a: &f64, b: &f64| comparison.by_strength(*a, *b);
                        strongest = strongest.into_iter().chain(here).max_by(by_strength);
                        ControlFlow::Continue(())
                    }
                    Err(error) => ControlFlow::Break(Err(error)),
                }
            });
            if let ControlFlow::Break(stopped) = walk {
                stopped?;
                break;
            }
        }
        Ok(strongest)
    }

    /// Whether any scheme of this height is feasible.
    pub(super) fn any_at(
        &mut self,
        part: &Sublattice,
        height: u32,
        limit: u64,
    ) -> Result<bool, Error> {
        let lattice = self.lens.lattice;
        let found =
            visit(lattice, part, height, &mut |scheme| match self.suppressed(scheme, limit) {
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
        let lattice = self.lens.lattice;
        let walk = visit(lattice, part, height, &mut |scheme| {
            let within = best.as_ref().map_or(Some(limit), |(least, _)| least.checked_sub(1));
            let Some(within) = within.filter(|_| self.may_go_on()) else {
                return ControlFlow::Break(Ok(()));
            };
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
        best.map_or(Ok(None), |(least, scheme)| self.known(&scheme, least))
    }
}

/// Shows every scheme of a part and a height that the lattice has, in level order, until it breaks.
pub(crate) fn visit<B>(
    lattice: &dyn Lattice,
    part: &Sublattice,
    height: u32,
    show: &mut impl FnMut(&Scheme) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some(annotated) = lattice.annotated_at(height) else {
        return part.visit_height(height, show);
    };
    let within = |scheme: &&Scheme| part.low().is_under(scheme) && scheme.is_under(part.high());
    annotated.iter().filter(within).try_for_each(show)
}
