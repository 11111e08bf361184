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
    let mut sets = FrequencySets::new(task);
    let mut evaluated = 1;
    if !sets.allow(part.high())? {
        return Ok(Ending::Nothing { evaluated });
    }
    let (mut low, mut high) = part.heights().into_inner();
    while low < high {
        let middle = u32::midpoint(low, high);
        let mut found = false;
        for scheme in part.at_height(middle) {
            if task.is_late() {
                return Ok(Ending::GaveUp { evaluated });
            }
            evaluated += 1;
            found = sets.allow(&scheme)?;
            if found {
                break;
            }
        }
        (low, high) = if found { (low, middle) } else { (middle + 1, high) };
    }
    let (scheme, more) = least_at(&mut sets, &part, high)?;
    evaluated += more;
    Ok(task.scheme(scheme, evaluated, true))
}

/// The scheme of a height that suppresses least.
fn least_at(
    sets: &mut FrequencySets<'_, '_>,
    part: &Sublattice,
    height: u32,
) -> Result<(Scheme, u64), Error> {
    let schemes = part.at_height(height);
    let evaluated = schemes.len() as u64;
    let mut best = (u64::MAX, part.high().clone());
    for scheme in schemes {
        let suppressed = sets.suppressed(&scheme)?;
        if suppressed < best.0 {
            best = (suppressed, scheme);
        }
    }
    Ok((best.1, evaluated))
}
