//! What a threshold costs at each height: the least, mean and most records suppressed.

use std::ops::ControlFlow;

use haggle_cube::{Costs, Lattice};
use haggle_model::{Scheme, Sublattice};
use rayon::prelude::*;

use crate::explore::View;
use crate::{Error, Requirement, Solution};

/// The schemes of one height under a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightCost {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: u64,
    /// The fewest records suppressed by one of them.
    pub least: u64,
    /// The mean over them.
    pub mean: f64,
    /// The most records suppressed by one of them.
    pub most: u64,
}

/// Returns the cost of the requirements at every height of a part of the lattice.
pub fn study(
    lattice: &dyn Lattice,
    part: &Sublattice,
    requirements: &[Requirement],
) -> Result<Vec<HeightCost>, Error> {
    let view = View::new(lattice, requirements.to_vec());
    part.heights().map(|height| cost(&view, part, height)).collect()
}

fn cost(view: &View<'_>, part: &Sublattice, height: u32) -> Result<HeightCost, Error> {
    let (mut schemes, mut least, mut sum, mut most) = (0, u64::MAX, 0, 0);
    let walk = part.visit_height(height, &mut |scheme| match view.cost(scheme, u64::MAX) {
        Ok(cost) => {
            let suppressed = cost.unwrap_or(u64::MAX);
            (schemes, sum) = (schemes + 1, sum + suppressed);
            (least, most) = (least.min(suppressed), most.max(suppressed));
            ControlFlow::Continue(())
        }
        Err(error) => ControlFlow::Break(error),
    });
    match walk {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => {
            Ok(HeightCost { height, schemes, least, mean: sum as f64 / schemes as f64, most })
        }
    }
}

/// What a scheme suppresses.
pub fn suppressed(
    lattice: &dyn Lattice,
    scheme: &Scheme,
    requirements: &[Requirement],
) -> Result<u64, Error> {
    let view = View::new(lattice, requirements.to_vec());
    Ok(view.cost(scheme, u64::MAX)?.unwrap_or(u64::MAX))
}

/// Returns a scheme as a solution, however much it suppresses; `None` if no record would be left.
pub fn offered(
    lattice: &dyn Lattice,
    scheme: &Scheme,
    requirements: &[Requirement],
) -> Result<Option<Solution>, Error> {
    View::new(lattice, requirements.to_vec()).solution(scheme, u64::MAX)
}

/// What every scheme suppresses, by its index.
pub fn all_suppressed(lattice: &dyn Lattice, requirements: &[Requirement]) -> Result<Costs, Error> {
    if let [only] = requirements
        && let Some(costs) = lattice.costs(only.column, only.threshold)
    {
        return Ok(costs);
    }
    let view = View::new(lattice, requirements.to_vec());
    let space = lattice.space();
    let one = |index: usize| Ok(view.cost(&space.scheme(index), u64::MAX)?.unwrap_or(0));
    let costs: Result<Vec<u64>, Error> =
        (0..space.size().unwrap_or(0)).into_par_iter().map(one).collect();
    costs.map(Into::into)
}
