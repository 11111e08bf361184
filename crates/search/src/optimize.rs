//! The best schemes by a loss measure, exact over every scheme under the maximum levels.

use haggle_cube::Lattice;
use haggle_model::Scheme;

use crate::Error;
use crate::negotiate::{Request, Solution, View};

/// What a scheme loses under the privacy asked for.
pub trait Losses {
    /// No more than it loses; where that is cheap to say, what it loses.
    fn at_least(&self, scheme: &Scheme) -> Result<f64, Error>;

    /// What it loses.
    fn exactly(&self, scheme: &Scheme) -> Result<f64, Error>;
}

/// A scheme and what it loses.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The loss.
    pub loss: f64,
    /// The scheme.
    pub solution: Solution,
}

/// The schemes within the request that lose least, best first, at most so many: by (loss, height,
/// suppressed, levels). None if no scheme meets the request.
pub fn optimize(
    lattice: &dyn Lattice,
    request: &Request,
    losses: &dyn Losses,
    most: usize,
) -> Result<Vec<Ranked>, Error> {
    let mut view = View::new(lattice, request.requirements.clone());
    let part = lattice.space().under(&request.caps);
    let mut candidates: Vec<(f64, u64, Scheme)> = Vec::new();
    for scheme in part.heights().flat_map(|height| part.at_height(height)) {
        let cost = view.cost(&scheme, request.limit)?.filter(|&cost| cost < lattice.records());
        if let Some(suppressed) = cost {
            candidates.push((losses.at_least(&scheme)?, suppressed, scheme));
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Vec<(f64, u64, Scheme)> = Vec::new();
    for (at_least, suppressed, scheme) in candidates {
        if best.len() == most && best.last().is_none_or(|worst| at_least > worst.0) {
            break;
        }
        best.push((losses.exactly(&scheme)?, suppressed, scheme));
        best.sort_by(|a, b| {
            let rank = |one: &(f64, u64, Scheme)| (one.2.height(), one.1, one.2.clone());
            a.0.total_cmp(&b.0).then_with(|| rank(a).cmp(&rank(b)))
        });
        best.truncate(most);
    }
    let mut ranked = |(loss, suppressed, scheme): (f64, u64, Scheme)| {
        let solution = view.solution(&scheme, suppressed)?;
        Ok(solution.map(|solution| Ranked { loss, solution }))
    };
    best.into_iter().filter_map(|one| ranked(one).transpose()).collect()
}
