//! A request to a lattice, and a scheme that meets it.

use haggle_model::Scheme;

use crate::order::answer_order;

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

/// A number that can be relaxed: one of the requirements, and the column that measures it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Negotiable {
    /// The position of the requirement.
    pub requirement: usize,
    /// The column whose threshold can be relaxed, with the other parameters unchanged.
    pub column: usize,
}

/// A request: privacy, maximum levels, and how many records may be suppressed.
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeRequest {
    /// The requested privacy: every group must meet all of it. Never empty.
    pub requirements: Vec<Requirement>,
    /// What the privacy relaxation may weaken, one at a time.
    pub negotiable: Vec<Negotiable>,
    /// The maximum levels; a scheme of the lattice's space.
    pub caps: Scheme,
    /// How many records may be suppressed.
    pub limit: u64,
    /// How the height relaxation chooses.
    pub height: HeightRelaxation,
}

impl LatticeRequest {
    /// Builds a request for one threshold, which can be relaxed.
    pub fn new(requirement: Requirement, caps: Scheme, limit: u64) -> Self {
        Self {
            requirements: vec![requirement],
            negotiable: vec![Negotiable { requirement: 0, column: requirement.column }],
            caps,
            limit,
            height: HeightRelaxation::default(),
        }
    }
}

/// A possible scheme, and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The scheme.
    pub scheme: Scheme,
    /// How many records it suppresses.
    pub suppressed: u64,
    /// The requirements that it was evaluated by.
    pub requirements: Vec<Requirement>,
    /// The weakest statistic among the groups kept, by requirement.
    pub attained: Vec<f64>,
}

impl Solution {
    /// Compares solutions in the order of answers.
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        answer_order((self.suppressed, &self.scheme), (other.suppressed, &other.scheme))
    }
}
