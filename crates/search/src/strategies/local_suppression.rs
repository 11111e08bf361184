//! Local suppression: each record keeps or stars each of its cells, with as few stars as can be
//! found; the fewest possible in small tables.

use super::cells::{Cells, Groups, MOST_ATTRIBUTES, MOST_EXACT, greedy, least_cost_groups};
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "local-suppression",
        title: "Local suppression",
        recoding: "cells",
        definition: "Stars single cells until every group of records that look alike passes; a star is a value like any other there. Tables of at most 12 records are partitioned in every way. In larger ones attributes are starred in sets, the cheapest first: groups that pass with a set are published so, others borrow records from published groups or go on to the next set. The cost of a star is the weight of its attribute in the measure, such as `lm:age=2,sex=1`.",
        finds: "the least weighted number of starred cells in tables of at most 12 records; else few",
        citation: "A. Meyerson, R. Williams: On the complexity of optimal k-anonymity. PODS 2004, for the recoding; own greedy algorithm",
        needs: "nothing. Records with the same quasi-identifiers are published differently only where at most one sensitive attribute is counted, and no persons",
        loss: LossUse::Weights,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    let cells = Cells::new(task);
    let blocks = cells.blocks();
    if blocks.iter().all(|block| cells.count_units(block) <= MOST_EXACT as u64) {
        task.step()?;
        let (groups, evaluated) = least_cost_groups(&cells, &blocks);
        let ending = groups.map(|groups| cells.ending(groups, evaluated, true));
        return Ok(ending.unwrap_or(Ending::Nothing { evaluated }));
    }
    if task.cell_weights.len() > MOST_ATTRIBUTES {
        let what = format!("local suppression of larger tables takes {MOST_ATTRIBUTES} attributes");
        return Err(Error::unsupported(what, "choose fewer quasi-identifiers"));
    }
    let (mut all, mut evaluated) = (Groups::default(), 0);
    for block in &blocks {
        let (groups, tried) = greedy(&cells, block)?;
        all.groups.extend(groups.groups);
        all.left.extend(groups.left);
        evaluated += tried;
    }
    Ok(match cells.ending(all, evaluated, false) {
        Ending::Nothing { evaluated } if task.is_late() => Ending::GaveUp { evaluated },
        ending => ending,
    })
}
