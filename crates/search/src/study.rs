//! What a threshold costs at each height: the least, mean and most records suppressed.

use std::ops::ControlFlow;

use haggle_cube::Lattice;
use haggle_model::Sublattice;

use crate::{Error, Requirement};

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

/// The cost of a threshold at every height of a part of the lattice.
pub fn study(
    lattice: &dyn Lattice,
    part: &Sublattice,
    requirement: Requirement,
) -> Result<Vec<HeightCost>, Error> {
    part.heights().map(|height| cost(lattice, part, requirement, height)).collect()
}

fn cost(
    lattice: &dyn Lattice,
    part: &Sublattice,
    requirement: Requirement,
    height: u32,
) -> Result<HeightCost, Error> {
    let (mut schemes, mut least, mut sum, mut most) = (0, u64::MAX, 0, 0);
    let walk = part.visit_height(height, &mut |scheme| match lattice.annotate(scheme) {
        Ok(annotation) => {
            let suppressed =
                annotation.histogram(requirement.column).suppressed(requirement.threshold);
            (schemes, sum) = (schemes + 1, sum + suppressed);
            (least, most) = (least.min(suppressed), most.max(suppressed));
            ControlFlow::Continue(())
        }
        Err(error) => ControlFlow::Break(error),
    });
    match walk {
        ControlFlow::Break(error) => Err(error.into()),
        ControlFlow::Continue(()) => {
            Ok(HeightCost { height, schemes, least, mean: sum as f64 / schemes as f64, most })
        }
    }
}
