//! How much is lost by annotating only the selected schemes: compared with every height's best, as
//! published.

use haggle_cube::Lattice;
use haggle_model::Scheme;

use crate::explore::View;
use crate::{Error, Requirement};

/// Heights at which at most this share of the records is suppressed at best are excluded from one
/// average, because there a few records are a large error.
const SUBSTANTIAL: f64 = 0.001;

/// One height: the best scheme, and the best of those selected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightAccuracy {
    /// The height.
    pub height: u32,
    /// How many schemes have it.
    pub schemes: usize,
    /// How many of them are selected.
    pub selected: usize,
    /// The fewest records suppressed by any.
    pub actual: u64,
    /// The fewest records suppressed by a selected one.
    pub chosen: u64,
    /// The relative difference to the actual number; if that is zero, relative to all records.
    pub error: f64,
}

/// How often and by how much selected schemes are worse, over some heights.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Deviations {
    /// At how many heights the best scheme is not among the selected.
    pub deviations: usize,
    /// The mean error over all of these heights.
    pub mean_error: f64,
}

/// How good a selection is at a threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// Every height.
    pub heights: Vec<HeightAccuracy>,
    /// Over the heights whose best scheme suppresses more than a thousandth of the records.
    pub substantial: Deviations,
    /// Over all heights.
    pub overall: Deviations,
}

/// Compares selected schemes, by height, with all schemes of a full lattice.
pub fn accuracy(
    lattice: &dyn Lattice,
    requirements: &[Requirement],
    selected: &[Scheme],
) -> Result<Accuracy, Error> {
    let view = View::new(lattice, requirements.to_vec());
    let (records, all) = (lattice.records() as f64, lattice.space().all());
    let least = |schemes: &[Scheme]| -> Result<u64, Error> {
        let costs = schemes.iter().map(|scheme| view.cost(scheme, u64::MAX));
        let costs: Vec<Option<u64>> = costs.collect::<Result<_, _>>()?;
        Ok(costs.into_iter().flatten().min().unwrap_or(u64::MAX))
    };
    let mut heights = Vec::new();
    for height in all.heights() {
        let schemes: Vec<Scheme> = all.at_height(height).collect();
        let taken: Vec<Scheme> =
            selected.iter().filter(|scheme| scheme.height() == height).cloned().collect();
        let (actual, chosen) = (least(&schemes)?, least(&taken)?);
        let whole = if actual == 0 { records } else { actual as f64 };
        let error = if chosen == actual { 0.0 } else { (chosen - actual) as f64 / whole };
        let (schemes, selected) = (schemes.len(), taken.len());
        heights.push(HeightAccuracy { height, schemes, selected, actual, chosen, error });
    }
    let substantial = |height: &&HeightAccuracy| height.actual as f64 > SUBSTANTIAL * records;
    Ok(Accuracy {
        substantial: deviations(heights.iter().filter(substantial)),
        overall: deviations(heights.iter()),
        heights,
    })
}

fn deviations<'a>(heights: impl Iterator<Item = &'a HeightAccuracy>) -> Deviations {
    let heights: Vec<&HeightAccuracy> = heights.collect();
    let deviations = heights.iter().filter(|height| height.chosen > height.actual).count();
    let sum: f64 = heights.iter().map(|height| height.error).sum();
    Deviations { deviations, mean_error: sum / heights.len().max(1) as f64 }
}
