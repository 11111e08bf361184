//! Optimal 2-anonymity by cell suppression: records in pairs and triples, by simplex matching.
//!
//! A group of four or more records can be divided into pairs and triples, which star no more cells.
//! Two records cost twice the cells in which they differ, three records three times those in which
//! some of them differ: no cell differs in more than all three pairs, so the simplex condition
//! holds.

use super::cells::{Cells, Groups, Piece};
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;
use crate::matching::{PairWeights, SimplexCosts, simplex_matching};
use haggle_cube::Group;

/// At most this many records are matched; those of which there are many alike are not counted.
const MOST_RECORDS: usize = 100;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "simplex-matching",
        title: "Simplex matching",
        recoding: "cells",
        definition: "Finds the 2-anonymous table with the fewest starred cells, weighted by attribute: groups of four or more records can be divided without further stars, and the best pairs and triples are found in polynomial time by simplex matching.",
        finds: "the least weighted number of starred cells, in polynomial time",
        citation: "E. Anshelevich, A. Karagiozova: Terminal backup, 3D matching, and covering cubic graphs. STOC 2007",
        needs: "k-anonymity with k = 2 and no other model, at most 100 records that the maximum levels allow to be alike (of many equal records only a part counts), at most one sensitive attribute, and no persons",
        loss: LossUse::Weights,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    let cells = Cells::new(task);
    cells.must_split("simplex matching")?;
    must_be_two_anonymity(task)?;
    let (mut all, mut evaluated, mut proven) = (Groups::default(), 0, true);
    for block in cells.blocks() {
        cells.check_memory(STRATEGY.about.title, &block)?;
        let (mut matched, spare) = divided(&cells, &block);
        must_be_few(matched.len())?;
        all.groups.extend(spare);
        if matched.len() < 2 {
            all.left.append(&mut matched);
            continue;
        }
        let (groups, is_best) = matching(&cells, &matched, &mut evaluated)?;
        all.groups.extend(groups);
        proven &= is_best;
    }
    Ok(match cells.ending(all, evaluated, proven) {
        Ending::Nothing { evaluated } if !proven => Ending::GaveUp { evaluated },
        ending => ending,
    })
}

/// Refuses anything but 2-anonymity.
fn must_be_two_anonymity(task: &Task<'_>) -> Result<(), Error> {
    let sized = |records: u64| Group { records, values: &[] };
    let is_two = task.criteria.iter().all(|c| {
        c.statistic.column().watches.is_none() && c.passes(&sized(2)) && !c.passes(&sized(1))
    });
    if is_two {
        return Ok(());
    }
    let what =
        "simplex matching finds pairs and triples, so it answers k-anonymity with k = 2 only";
    Err(Error::unsupported(what, "choose local-suppression"))
}

fn must_be_few(records: usize) -> Result<(), Error> {
    if records <= MOST_RECORDS {
        return Ok(());
    }
    let what =
        format!("simplex matching takes at most {MOST_RECORDS} records, and here are {records}");
    Err(Error::unsupported(what, "choose local-suppression"))
}

/// Returns the records to be matched, and groups of equal records that need not be.
///
/// If there are many more records of one combination than all others together can be grouped with,
/// at least four are in groups of their own, so two of them can be left out.
fn divided(cells: &Cells<'_, '_>, block: &[Piece]) -> (Vec<Piece>, Vec<Vec<Piece>>) {
    let all: u64 = block.iter().map(|piece| piece.records).sum();
    let (mut matched, mut spare) = (Vec::new(), Vec::new());
    for pieces in block.chunk_by(|a, b| a.row == b.row) {
        let units = cells.units(pieces);
        let others = all as usize - units.len();
        let most = 2 * others + 3;
        let kept = if units.len() <= most { units.len() } else { most - (units.len() - most) % 2 };
        matched.extend(&units[..kept]);
        spare.extend((kept < units.len()).then(|| units[kept..].to_vec()));
    }
    (matched, spare)
}

/// The best pairs and triples of some records.
fn matching(
    cells: &Cells<'_, '_>,
    units: &[Piece],
    evaluated: &mut u64,
) -> Result<(Vec<Vec<Piece>>, bool), Error> {
    let of = |places: &[usize]| -> Vec<Piece> { places.iter().map(|&i| units[i]).collect() };
    let costs = SimplexCosts {
        pairs: PairWeights::from_fn(units.len(), |u, v| 2 * cells.distance(&units[u], &units[v])),
        triple: &|triple| cells.cost(&of(&triple)),
    };
    let (best, is_best) = simplex_matching(&costs, || -> Result<bool, Error> {
        *evaluated += 1;
        cells.task.step()?;
        Ok(!cells.task.is_late())
    })?;
    Ok((best.groups().iter().map(|places| of(places)).collect(), is_best))
}
