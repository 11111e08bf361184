//! A lattice with the requested privacy applied, which counts the visited schemes.

use std::ops::ControlFlow;
use std::sync::Arc;

use haggle_cube::{Column, Costs, Lattice, Merging};
use haggle_model::{Progress, Scheme, SearchState, Silent, Space, Sublattice};

use super::joint::JointVerdicts;
use super::visited::VisitedSchemes;
use crate::Error;
use crate::request::{Requirement, Solution};

/// Evaluates schemes under the requirements.
pub(crate) struct Evaluator<'a> {
    lattice: &'a dyn Lattice,
    requirements: Vec<Requirement>,
    /// For each requirement alone what every scheme suppresses, if the lattice can compute all at
    /// once.
    costs: Vec<Option<Costs>>,
}

/// A lattice with the requirements of a request, and what was visited of it.
pub(crate) struct View<'a> {
    evaluator: Arc<Evaluator<'a>>,
    visited: u64,
    progress: &'a dyn Progress,
    state: SearchState,
    /// The visited schemes, if they are annotated one by one.
    pub(crate) visits: VisitedSchemes,
}

impl Evaluator<'_> {
    /// Returns what a scheme suppresses, unless that exceeds the limit.
    ///
    /// All requirements together suppress at least what the strictest one does and at most the sum
    /// of all; groups are evaluated only if that does not decide.
    fn cost(&self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        if let [Some(costs)] = self.costs.as_slice() {
            let cost = costs[self.lattice.space().index(scheme)];
            return Ok((cost <= limit).then_some(cost));
        }
        let annotated = self.lattice.annotate(scheme)?;
        let alone = |(requirement, costs): (&Requirement, &Option<Costs>)| match costs {
            Some(costs) => costs[self.lattice.space().index(scheme)],
            None => annotated.histogram(requirement.column).suppressed(requirement.threshold),
        };
        let (mut most, mut sum) = (0, 0);
        for cost in self.requirements.iter().zip(&self.costs).map(alone) {
            (most, sum) = (most.max(cost), sum + cost);
        }
        if most < sum && most <= limit {
            most = JointVerdicts::new(&annotated, &self.requirements)?.suppressed();
        }
        Ok((most <= limit).then_some(most))
    }

    /// Returns what a scheme suppresses, if it is within the limit and leaves a record to publish.
    pub(crate) fn suppressed(&self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        Ok(self.cost(scheme, limit)?.filter(|&suppressed| suppressed < self.lattice.records()))
    }
}

impl<'a> View<'a> {
    pub(crate) fn new(lattice: &'a dyn Lattice, requirements: Vec<Requirement>) -> Self {
        let costs = requirements.iter().map(|r| lattice.costs(r.column, r.threshold)).collect();
        Self {
            visits: VisitedSchemes::within(lattice.room(), lattice.space().top().levels().len()),
            evaluator: Arc::new(Evaluator { lattice, requirements, costs }),
            visited: 0,
            progress: &Silent,
            state: SearchState::default(),
        }
    }

    /// Returns the same view, which reports to `progress` before each visit of a new scheme and stops
    /// once it is over.
    pub(crate) fn watched(self, progress: &'a dyn Progress) -> Self {
        Self { progress, ..self }
    }

    /// Returns whether what every scheme suppresses is known in advance.
    pub(crate) fn knows_all_costs(&self) -> bool {
        self.evaluator.costs.iter().all(Option::is_some)
    }

    /// Returns whether some schemes are not annotated, so that nothing follows from one for
    /// another.
    pub(crate) fn is_partial(&self) -> bool {
        self.evaluator.lattice.annotated_at(0).is_some()
    }

    /// Returns whether the most general scheme of a part suppresses least.
    pub(crate) fn top_suppresses_least(&self) -> bool {
        self.kind() == Merging::UnionMonotone && !self.is_partial()
    }

    /// Returns whether the search should continue; once it should not, it never does again.
    pub(crate) fn should_continue(&mut self, state: SearchState) -> bool {
        self.progress.searching(&state);
        self.state.stopped |= self.progress.is_over();
        !self.state.stopped
    }

    /// Returns whether one more of many schemes may be visited, where a visit takes time.
    pub(crate) fn may_continue(&mut self) -> bool {
        self.knows_all_costs() || self.should_continue(self.state)
    }

    /// Records how far a search came.
    pub(crate) fn close(&mut self, state: SearchState) {
        self.state = SearchState { stopped: self.state.stopped || state.stopped, ..state };
    }

    /// Returns how far the last search came, and whether any was stopped.
    pub(crate) fn state(&self) -> SearchState {
        self.state
    }

    /// Runs a search on the same lattice with one requirement replaced; visits are counted
    /// together.
    pub(crate) fn with<T>(
        &mut self,
        position: usize,
        requirement: Requirement,
        look: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut requirements = self.evaluator.requirements.clone();
        requirements[position] = requirement;
        let (visited, state) = (self.visited, self.state);
        let other = Self::new(self.evaluator.lattice, requirements).watched(self.progress);
        let mut other = Self { visited, state, visits: self.visits.for_another(), ..other };
        let seen = look(&mut other);
        (self.visited, self.state) = (other.visited, other.state);
        self.visits.merge(other.visits);
        seen
    }

    pub(crate) fn visited(&self) -> u64 {
        self.visited
    }

    pub(crate) fn space(&self) -> &'a Space {
        self.evaluator.lattice.space()
    }

    /// Returns the bytes that a search may use in addition to the lattice.
    pub(crate) fn room(&self) -> usize {
        self.evaluator.lattice.room()
    }

    pub(crate) fn column(&self, position: usize) -> &'a Column {
        self.evaluator.lattice.column(position)
    }

    /// Returns what merging groups does to the joint verdict.
    pub(crate) fn kind(&self) -> Merging {
        let kinds = self
            .evaluator
            .requirements
            .iter()
            .map(|r| self.evaluator.lattice.column(r.column).kind);
        kinds.max().unwrap_or(Merging::UnionMonotone)
    }

    /// Returns whether a scheme above a feasible one is feasible too, so that heights can be
    /// bisected.
    pub(crate) fn rises(&self, limit: u64) -> bool {
        let rises = match self.kind() {
            Merging::UnionMonotone => true,
            Merging::Closed => limit == 0,
            Merging::Free => false,
        };
        rises && !self.is_partial()
    }

    /// Returns what a scheme suppresses, unless that exceeds the limit.
    pub(crate) fn cost(&self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        self.evaluator.cost(scheme, limit)
    }

    /// Returns what a scheme suppresses, if it is within the limit and leaves a record to publish.
    pub(crate) fn suppressed(&mut self, scheme: &Scheme, limit: u64) -> Result<Option<u64>, Error> {
        self.count(scheme).suppressed(scheme, limit)
    }

    /// Counts a visit. If all costs are known in advance every visit counts, else every scheme that
    /// must be annotated. The returned evaluator can be used without the lock.
    pub(crate) fn count(&mut self, scheme: &Scheme) -> Arc<Evaluator<'a>> {
        self.visited += u64::from(self.knows_all_costs() || self.visits.is_new(scheme));
        self.evaluator.clone()
    }

    /// Returns the scheme as a solution, if it is within the limit.
    pub(crate) fn solution(
        &mut self,
        scheme: &Scheme,
        limit: u64,
    ) -> Result<Option<Solution>, Error> {
        let Some(suppressed) = self.suppressed(scheme, limit)? else { return Ok(None) };
        Ok(self.attained(scheme)?.map(|attained| Solution {
            scheme: scheme.clone(),
            suppressed,
            requirements: self.evaluator.requirements.clone(),
            attained,
        }))
    }

    /// Returns a visited scheme as a solution.
    pub(crate) fn visited_solution(
        &mut self,
        scheme: &Scheme,
        suppressed: u64,
    ) -> Result<Option<Solution>, Error> {
        let solution = self.solution(scheme, suppressed)?;
        self.visited -= u64::from(self.knows_all_costs()); // visited already
        Ok(solution)
    }

    /// Returns the weakest statistics among the groups kept, if any is kept.
    fn attained(&self, scheme: &Scheme) -> Result<Option<Vec<f64>>, Error> {
        let annotated = self.evaluator.lattice.annotate(scheme)?;
        match self.evaluator.requirements.as_slice() {
            [alone] => {
                let attained = annotated.histogram(alone.column).attained(alone.threshold);
                Ok(attained.map(|attained| vec![attained]))
            }
            several => Ok(JointVerdicts::new(&annotated, several)?.attained()),
        }
    }

    /// Returns the strongest statistic of a column that can replace a requirement, with the others
    /// unchanged, while the scheme suppresses at most the limit.
    pub(crate) fn strongest(
        &self,
        scheme: &Scheme,
        position: usize,
        column: usize,
        limit: u64,
    ) -> Result<Option<f64>, Error> {
        let annotated = self.evaluator.lattice.annotate(scheme)?;
        if self.evaluator.requirements.len() == 1 {
            return Ok(annotated.histogram(column).strongest(limit));
        }
        let mut requirements = self.evaluator.requirements.clone();
        requirements.remove(position);
        requirements.push(Requirement { column, threshold: self.column(column).weakest });
        Ok(JointVerdicts::new(&annotated, &requirements)?.strongest_last(limit))
    }

    /// Returns the same over every annotated scheme of a part, while the search may continue.
    pub(crate) fn strongest_of_all(
        &mut self,
        part: &Sublattice,
        position: usize,
        column: usize,
        limit: u64,
    ) -> Result<Option<f64>, Error> {
        let (lattice, comparison) = (self.evaluator.lattice, self.column(column).comparison);
        let mut strongest: Option<f64> = None;
        for height in part.heights() {
            let walk = visit(lattice, part, height, &mut |scheme| {
                if !self.may_continue() {
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

    /// Returns whether any scheme of this height is feasible.
    pub(crate) fn any_at(
        &mut self,
        part: &Sublattice,
        height: u32,
        limit: u64,
    ) -> Result<bool, Error> {
        let lattice = self.evaluator.lattice;
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

    /// Returns the feasible scheme of this height with the least suppression, the first in level
    /// order.
    pub(crate) fn least_at(
        &mut self,
        part: &Sublattice,
        height: u32,
        limit: u64,
    ) -> Result<Option<Solution>, Error> {
        let mut best: Option<(u64, Scheme)> = None;
        let lattice = self.evaluator.lattice;
        let walk = visit(lattice, part, height, &mut |scheme| {
            let within = best.as_ref().map_or(Some(limit), |(least, _)| least.checked_sub(1));
            let Some(within) = within.filter(|_| self.may_continue()) else {
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
        best.map_or(Ok(None), |(least, scheme)| self.visited_solution(&scheme, least))
    }
}

/// Calls `show` with every annotated scheme of a part and a height, in level order, until it
/// breaks.
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
