//! Negotiation: the lowest scheme that meets a request, or the nearest compromises.
//!
//! After A. Pilalidou and P. Vassiliadis, "Trading Privacy for Information Loss in the Blink of an
//! Eye", SSDBM 2012; with height relaxations over the whole lattice, the attributes to leave out,
//! and searches that remain exact for models whose suppression does not decrease with the height.

use haggle_cube::Lattice;
use haggle_model::{Progress, SearchState, Silent, Sublattice};

use crate::Error;
use crate::explore::View;
use crate::request::{LatticeRequest, Solution};

mod left_out;
mod lowest;
mod relax;

/// The relaxations of a request: each weakens one constraint and keeps the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relaxations {
    /// The fewest records suppressed under the maximum levels.
    pub suppression: Option<Solution>,
    /// For each negotiable number: the strongest threshold that is attained under the maximum
    /// levels, with the others unchanged.
    pub privacy: Vec<Option<Solution>>,
    /// A scheme beyond the maximum levels.
    pub height: Option<Solution>,
    /// Attributes (by position) that, left out, make the rest feasible; best first.
    pub attribute: Vec<(usize, Solution)>,
    /// Sets of two or more attributes (by position) that, left out together, make the rest
    /// feasible, while no smaller part of the set does: the smallest sets first, then best first.
    pub attributes: Vec<(Vec<usize>, Solution)>,
}

impl Relaxations {
    /// Returns whether there is no relaxation.
    pub fn is_empty(&self) -> bool {
        self.suppression.is_none()
            && self.privacy.iter().all(Option::is_none)
            && self.height.is_none()
            && self.attribute.is_empty()
            && self.attributes.is_empty()
    }
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum LatticeAnswer {
    /// The best scheme that meets all of it.
    Exact(Solution),
    /// No scheme does; the possible relaxations.
    Relaxed(Relaxations),
}

/// An answer and how many annotations were visited.
#[derive(Debug, Clone, PartialEq)]
pub struct Negotiation {
    /// The answer.
    pub answer: LatticeAnswer,
    /// How many times a scheme's annotation was visited.
    pub visited: u64,
    /// The state of the search for a scheme that meets the whole request.
    pub state: SearchState,
    /// Whether that search or a search for a relaxation was stopped.
    pub stopped: bool,
}

/// Answers a request from a lattice.
pub fn negotiate(lattice: &dyn Lattice, request: &LatticeRequest) -> Result<Negotiation, Error> {
    negotiate_while(lattice, request, &Silent)
}

/// Answers a request from a lattice until `progress` is over. What the answer offers is possible in
/// any case; the result says whether something better may exist.
pub fn negotiate_while(
    lattice: &dyn Lattice,
    request: &LatticeRequest,
    progress: &dyn Progress,
) -> Result<Negotiation, Error> {
    let mut view = View::new(lattice, request.requirements.clone()).watched(progress);
    let part = lattice.space().under(&request.caps);
    let exact = view.lowest(&part, request.limit)?;
    let state = view.state();
    let answer = match exact {
        Some(solution) => LatticeAnswer::Exact(solution),
        None => LatticeAnswer::Relaxed(relax::relaxations(&mut view, request, &part)?),
    };
    let (visited, stopped) = (view.visited(), view.state().stopped);
    Ok(Negotiation { answer, visited, state, stopped })
}

/// Finds the lowest scheme that meets a request and no relaxations, until `progress` is over. If
/// there is none, the answer has no relaxation.
pub fn lowest_while(
    lattice: &dyn Lattice,
    request: &LatticeRequest,
    progress: &dyn Progress,
) -> Result<Negotiation, Error> {
    let mut view = View::new(lattice, request.requirements.clone()).watched(progress);
    let exact = view.lowest(&lattice.space().under(&request.caps), request.limit)?;
    let nothing = || LatticeAnswer::Relaxed(Relaxations::default());
    let (state, visited) = (view.state(), view.visited());
    let answer = exact.map_or_else(nothing, LatticeAnswer::Exact);
    Ok(Negotiation { answer, visited, state, stopped: state.stopped })
}

impl View<'_> {
    /// The first scheme by (height, suppressed, levels) that suppresses at most `limit` records.
    fn lowest(&mut self, part: &Sublattice, limit: u64) -> Result<Option<Solution>, Error> {
        if !self.knows_all_costs() && !self.is_partial() {
            return lowest::lowest(self, part, limit);
        }
        if !self.rises(limit) {
            return self.lowest_of_all(part, limit);
        }
        if self.solution(part.high(), limit)?.is_none() {
            return Ok(None);
        }
        let height = self.lowest_height(part, limit)?;
        self.least_at(part, height, limit)
    }

    /// Finds the same by visiting every scheme, height by height.
    fn lowest_of_all(&mut self, part: &Sublattice, limit: u64) -> Result<Option<Solution>, Error> {
        for height in part.heights() {
            if let Some(solution) = self.least_at(part, height, limit)? {
                return Ok(Some(solution));
            }
        }
        Ok(None)
    }

    /// The lowest height with a feasible scheme, given that the part's highest scheme is one.
    fn lowest_height(&mut self, part: &Sublattice, limit: u64) -> Result<u32, Error> {
        let (mut low, mut high) = part.heights().into_inner();
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.any_at(part, middle, limit)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(high)
    }
}
