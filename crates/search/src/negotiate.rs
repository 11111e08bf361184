//! Negotiation: the lowest scheme that meets a request, or the nearest compromises.
//!
//! After A. Pilalidou and P. Vassiliadis, "Trading Privacy for Information Loss in the Blink of an
//! Eye", SSDBM 2012; with height relaxations over the whole lattice, the attribute to leave out,
//! and searches that stay exact for models whose suppression does not fall with the height.

use haggle_cube::{Kind, Lattice};
use haggle_model::{Scheme, Sublattice};

use crate::Error;

pub(crate) mod border;
mod guess;
mod joint;
mod known;
mod lowest;
pub(crate) mod packed;
pub(crate) mod part;
mod parts;
mod relax;
pub(crate) mod turn;
mod view;

pub(crate) use view::{View, visit};

/// A privacy threshold on a column of the lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Requirement {
    /// The column's position.
    pub column: usize,
    /// The threshold; at least as strong as the column's weakest.
    pub threshold: f64,
}

/// How the height relaxation chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeightRelaxation {
    /// The lowest height anywhere in the lattice, then the least suppression.
    #[default]
    Lowest,
    /// The fewest levels beyond the maximum in total, then height, then suppression.
    Closest,
    /// As published: the lowest height from that of the maximum levels upwards.
    Published,
}

/// A number that may give: one of the requirements, said by a column that negotiates it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Negotiable {
    /// The position of the requirement.
    pub requirement: usize,
    /// The column whose threshold may give; every threshold of it, the other parameters kept.
    pub column: usize,
}

/// What is asked: privacy, maximum levels, and how many records may be suppressed.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The privacy asked for: every group must meet all of it. Never empty.
    pub requirements: Vec<Requirement>,
    /// What may give in the privacy relaxation, each alone.
    pub negotiable: Vec<Negotiable>,
    /// The maximum levels; a scheme of the lattice's space.
    pub caps: Scheme,
    /// How many records may be suppressed.
    pub limit: u64,
    /// How the height relaxation chooses.
    pub height: HeightRelaxation,
}

impl Request {
    /// A request for one threshold, which may give.
    pub fn of(requirement: Requirement, caps: Scheme, limit: u64) -> Self {
        Self {
            requirements: vec![requirement],
            negotiable: vec![Negotiable { requirement: 0, column: requirement.column }],
            caps,
            limit,
            height: HeightRelaxation::default(),
        }
    }
}

/// A scheme that can be had, and at what price.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The scheme.
    pub scheme: Scheme,
    /// How many records it suppresses.
    pub suppressed: u64,
    /// What it was judged by.
    pub requirements: Vec<Requirement>,
    /// The weakest statistic among the groups kept, by requirement.
    pub attained: Vec<f64>,
}

/// What would have to give: each keeps the rest of the request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relaxations {
    /// The fewest records suppressed under the maximum levels.
    pub suppression: Option<Solution>,
    /// For each number that may give: the strongest threshold still attained under the maximum
    /// levels, the others kept.
    pub privacy: Vec<Option<Solution>>,
    /// A scheme beyond the maximum levels.
    pub height: Option<Solution>,
    /// Attributes (by position) that, left out, make the rest feasible; best first.
    pub attribute: Vec<(usize, Solution)>,
}

impl Relaxations {
    /// Whether nothing at all can be offered.
    pub fn is_empty(&self) -> bool {
        self.suppression.is_none()
            && self.privacy.iter().all(Option::is_none)
            && self.height.is_none()
            && self.attribute.is_empty()
    }
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The best scheme that meets all of it.
    Exact(Solution),
    /// No scheme does; what would have to give.
    Relaxed(Relaxations),
}

/// An answer and how many annotations were looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Negotiation {
    /// The answer.
    pub answer: Answer,
    /// How many times a scheme's annotation was looked at.
    pub visited: u64,
    /// How far the search for a scheme that meets all of it came.
    pub closing: Closing,
    /// Whether that or any search for what would have to give was stopped.
    pub stopped: bool,
}

/// How far the search for the best scheme is: the lowest, or the one that loses least.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Closing {
    /// The height, or the loss, of the best scheme found so far.
    pub found: Option<f64>,
    /// It is proved that no scheme below this height, or loss, will do.
    pub none_below: f64,
    /// Whether the search was stopped, so that there may be better ones.
    pub stopped: bool,
}

/// Is told how far a search is; says whether it shall go on.
pub type Watch<'a> = dyn Fn(&Closing) -> bool + Sync + 'a;

/// Answers a request from a lattice.
pub fn negotiate(lattice: &dyn Lattice, request: &Request) -> Result<Negotiation, Error> {
    negotiate_while(lattice, request, &|_| true)
}

/// Answers a request from a lattice as well as it can while it may go on. What it says can be had
/// can be had in any case; whether there is better is told beside it.
pub fn negotiate_while(
    lattice: &dyn Lattice,
    request: &Request,
    watch: &Watch<'_>,
) -> Result<Negotiation, Error> {
    let mut view = View::new(lattice, request.requirements.clone()).watched(watch);
    let part = lattice.space().under(&request.caps);
    let exact = view.lowest(&part, request.limit)?;
    let closing = view.closing();
    let answer = match exact {
        Some(solution) => Answer::Exact(solution),
        None => Answer::Relaxed(relax::relaxations(&mut view, request, &part)?),
    };
    let (visited, stopped) = (view.visited(), view.closing().stopped);
    Ok(Negotiation { answer, visited, closing, stopped })
}

impl View<'_> {
    /// The first scheme by (height, suppressed, levels) that suppresses at most `limit` records.
    fn lowest(&mut self, part: &Sublattice, limit: u64) -> Result<Option<Solution>, Error> {
        if !self.is_told() && !self.is_partial() {
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

    /// The same where every scheme must be looked at, height by height.
    fn lowest_of_all(&mut self, part: &Sublattice, limit: u64) -> Result<Option<Solution>, Error> {
        for height in part.heights() {
            if let Some(solution) = self.least_at(part, height, limit)? {
                return Ok(Some(solution));
            }
        }
        Ok(None)
    }

    /// Whether a scheme above a feasible one is feasible too, so that heights can be bisected.
    pub(crate) fn rises(&self, limit: u64) -> bool {
        let rises = match self.kind() {
            Kind::UnionMonotone => true,
            Kind::Closed => limit == 0,
            Kind::Free => false,
        };
        rises && !self.is_partial()
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
