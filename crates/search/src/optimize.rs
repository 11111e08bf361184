//! The best schemes by a loss measure, exact over every scheme under the maximum levels.

use std::ops::ControlFlow;

use haggle_cube::Lattice;
use haggle_model::Scheme;

use crate::Error;
use crate::best::Best;
use crate::explore::{View, visit};
use crate::request::{LatticeRequest, Solution};

mod best_first;

pub use crate::objective::{LowerBound, Objective};
pub(crate) use best_first::best_first;
pub use best_first::{Optimum, optimize_while};

/// A scheme and its loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The loss.
    pub loss: f64,
    /// The scheme.
    pub solution: Solution,
}

/// Returns at most `most` schemes within the request with the least loss, ordered by (loss, height,
/// suppressed, levels). Empty if no scheme meets the request.
pub fn optimize(
    lattice: &dyn Lattice,
    request: &LatticeRequest,
    objective: &dyn Objective,
    most: usize,
) -> Result<Vec<Ranked>, Error> {
    let mut view = View::new(lattice, request.requirements.clone());
    let part = lattice.space().under(&request.caps);
    let mut best = Best::keeping(most);
    let mut candidates: Vec<(f64, u64, Scheme)> = Vec::new();
    for height in part.heights() {
        let walk = visit(lattice, &part, height, &mut |scheme| {
            let found = view.cost(scheme, request.limit).and_then(|cost| {
                let Some(suppressed) = cost.filter(|&cost| cost < lattice.records()) else {
                    return Ok(());
                };
                match objective.lower_bound(scheme)? {
                    LowerBound::Exact(loss) => best.add(loss, suppressed, scheme),
                    LowerBound::AtLeast(bound) => {
                        candidates.push((bound, suppressed, scheme.clone()));
                    }
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
    for (bound, suppressed, scheme) in candidates {
        if best.beats(bound) {
            break;
        }
        best.add(objective.loss(&scheme)?, suppressed, &scheme);
    }
    let best = best.into_schemes();
    let mut ranked = |(loss, suppressed, scheme): (f64, u64, Scheme)| {
        let solution = view.solution(&scheme, suppressed)?;
        Ok(solution.map(|solution| Ranked { loss, solution }))
    };
    best.into_iter().filter_map(|one| ranked(one).transpose()).collect()
}
