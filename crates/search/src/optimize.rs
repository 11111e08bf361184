//! The best schemes by a loss measure, exact over every scheme under the maximum levels.

use std::ops::ControlFlow;

use haggle_cube::Lattice;
use haggle_model::Scheme;

use crate::Error;
use crate::best::Best;
use crate::negotiate::{Request, Solution, View, visit};

mod best_first;

pub(crate) use best_first::best_first;
pub use best_first::{Optimum, optimize_while};

/// What a scheme loses under the privacy asked for.
pub trait Losses {
    /// Whether `at_least` says exactly what a scheme loses.
    fn are_exact(&self) -> bool {
        false
    }

    /// No more than it loses; where that is cheap to say, what it loses.
    fn at_least(&self, scheme: &Scheme) -> Result<f64, Error>;

    /// What it loses.
    fn exactly(&self, scheme: &Scheme) -> Result<f64, Error>;
}

/// What shall be least, told of one scheme after the other.
pub trait Goal: Sync {
    /// What a scheme loses under the privacy asked for.
    fn of(&self, scheme: &Scheme) -> Result<f64, Error>;

    /// No scheme at or above this one loses less, as far as its levels alone tell.
    fn floor(&self, scheme: &Scheme) -> f64;

    /// The same, as far as its groups tell.
    fn floor_by_groups(&self, scheme: &Scheme) -> Result<f64, Error> {
        Ok(self.floor(scheme))
    }

    /// A path up from the lowest scheme; the search starts from the first feasible scheme on it.
    fn first_path(&self) -> Vec<Scheme> {
        Vec::new()
    }
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
    let mut best = Best::of(most);
    let mut candidates: Vec<(f64, u64, Scheme)> = Vec::new();
    for height in part.heights() {
        let walk = visit(lattice, &part, height, &mut |scheme| {
            let found = view.cost(scheme, request.limit).and_then(|cost| {
                let Some(suppressed) = cost.filter(|&cost| cost < lattice.records()) else {
                    return Ok(());
                };
                let at_least = losses.at_least(scheme)?;
                if losses.are_exact() {
                    best.add(at_least, suppressed, scheme);
                } else {
                    candidates.push((at_least, suppressed, scheme.clone()));
                }
                Ok(())
            });
            found.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        if let ControlFlow::Break(error) = walk {
            return Err(error);
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (at_least, suppressed, scheme) in candidates {
        if best.beats(at_least) {
            break;
        }
        best.add(losses.exactly(&scheme)?, suppressed, &scheme);
    }
    let best = best.into_schemes();
    let mut ranked = |(loss, suppressed, scheme): (f64, u64, Scheme)| {
        let solution = view.solution(&scheme, suppressed)?;
        Ok(solution.map(|solution| Ranked { loss, solution }))
    };
    best.into_iter().filter_map(|one| ranked(one).transpose()).collect()
}
