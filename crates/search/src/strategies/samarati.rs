//! Samarati: finds the lowest height with a feasible scheme, by bisecting heights.
//!
//! Of the schemes at that height the one that suppresses least is taken, then the first by levels.

use haggle_model::{Scheme, Sublattice};

use super::frequency_sets::FrequencySets;
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "samarati",
        title: "Samarati's binary search",
        recoding: "levels",
        definition: "Bisects the heights of the lattice: if a height has a feasible scheme, the answer is there or below, else above.",
        finds: "the lowest height, then the fewest records suppressed",
        citation: "P. Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001",
        needs: "a model under which more general schemes suppress no more, or nothing suppressed",
        loss: LossUse::Nothing,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    task.must_rise(STRATEGY.about.title)?;
    let part = task.cube.space().under(&task.caps);
    let mut search = SamaratiSearch { task, sets: FrequencySets::new(task), evaluated: 1 };
    if !search.sets.allow(part.high())? {
        return Ok(Ending::Nothing { evaluated: 1 });
    }
    let mut lowest = part.high().clone();
    let (mut low, mut high) = part.heights().into_inner();
    while low < high {
        let middle = u32::midpoint(low, high);
        match search.any_at(&part, middle)? {
            HeightVerdict::Feasible(scheme) => (lowest, high) = (scheme, middle),
            HeightVerdict::Infeasible => low = middle + 1,
            HeightVerdict::Late => return Ok(Ending::GaveUp { evaluated: search.evaluated }),
        }
    }
    let (scheme, proven) = search.least_at(&part, lowest)?;
    Ok(task.scheme(scheme, search.evaluated, proven))
}

/// Whether a height has a feasible scheme.
enum HeightVerdict {
    Feasible(Scheme),
    Infeasible,
    /// Time ran out.
    Late,
}

struct SamaratiSearch<'a, 'b> {
    task: &'a Task<'b>,
    sets: FrequencySets<'a, 'b>,
    evaluated: u64,
}

impl SamaratiSearch<'_, '_> {
    fn any_at(&mut self, part: &Sublattice, height: u32) -> Result<HeightVerdict, Error> {
        for scheme in part.at_height(height) {
            if self.task.is_late() {
                return Ok(HeightVerdict::Late);
            }
            self.evaluated += 1;
            if self.sets.allow(&scheme)? {
                return Ok(HeightVerdict::Feasible(scheme));
            }
        }
        Ok(HeightVerdict::Infeasible)
    }

    /// The scheme that suppresses least among those of the height of a feasible one; if time runs
    /// out, the best so far. Returns whether all were compared.
    fn least_at(&mut self, part: &Sublattice, feasible: Scheme) -> Result<(Scheme, bool), Error> {
        let schemes = part.at_height(feasible.height());
        let mut best = (u64::MAX, feasible);
        for scheme in schemes {
            if self.task.is_late() {
                return Ok((best.1, false));
            }
            self.evaluated += 1;
            let suppressed = self.sets.suppressed(&scheme)?;
            if suppressed < best.0 && self.task.allows(suppressed) {
                best = (suppressed, scheme);
            }
        }
        Ok((best.1, true))
    }
}
