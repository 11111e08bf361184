//! Datafly: generalizes the attribute with the most distinct values until few enough records are
//! left over.

use std::collections::BTreeSet;

use haggle_model::Scheme;

use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "datafly",
        title: "Datafly",
        recoding: "levels",
        definition: "Repeatedly raises the attribute that has the most distinct values by one level, until few enough records are in groups that fail.",
        finds: "a feasible scheme; not necessarily the lowest or the one with the least loss",
        citation: "L. Sweeney: Achieving k-anonymity privacy protection using generalization and suppression. IJUFKS 10(5), 2002",
        needs: "nothing",
        loss: LossUse::Nothing,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    let mut scheme = task.cube.space().bottom();
    let mut evaluated = 0;
    loop {
        evaluated += 1;
        if task.allows(task.suppressed(&scheme)?) {
            return Ok(task.scheme(scheme, evaluated, false));
        }
        if task.is_late() {
            return Ok(Ending::GaveUp { evaluated });
        }
        match climbing(task, &scheme) {
            Some(position) => scheme = scheme.with(position, scheme.level(position).up()),
            None => return Ok(Ending::Nothing { evaluated }),
        }
    }
}

/// Returns the attribute below its maximum level with the most distinct values; the first of
/// several.
fn climbing(task: &Task<'_>, scheme: &Scheme) -> Option<usize> {
    let different = |position: usize| {
        let above = task.cube.attributes()[position].hierarchy.ancestors(scheme.level(position));
        let codes = (0..task.base.len()).map(|row| above[task.base.codes(row)[position] as usize]);
        codes.collect::<BTreeSet<u32>>().len()
    };
    let may = |&position: &usize| scheme.level(position) < task.caps.level(position);
    let positions = (0..scheme.levels().len()).filter(may);
    positions
        .map(|p| (different(p), p))
        .max_by_key(|&(n, p)| (n, std::cmp::Reverse(p)))
        .map(|(_, p)| p)
}
