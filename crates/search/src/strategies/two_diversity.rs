//! 2-diversity by cell suppression, with a proven ratio to the optimum, which is NP-hard.
//!
//! Every record of a 2-diverse group has another one with a different sensitive value in it, and
//! stars at least the cells in which the two differ. So a set of pairs with different values that
//! touches every record, of least total distance, costs no more than any 2-diverse table. Such a set
//! consists of stars, and every star is a 2-diverse group. A group of `s` records costs at most `s`
//! times its pairs, so the whole costs at most `s` times the optimum for the largest group. In
//! addition, every record whose quasi-identifiers occur with one sensitive value only must star at
//! least one cell, and one group of just those records is tried as well: if it can be published, the
//! cost is at most the number of quasi-identifiers times the optimum. The proofs are in
//! docs/explanation/cell-suppression.md.

use haggle_cube::Group;

use super::cells::{Cells, Groups, Piece, greedy, records};
use super::{Ending, LossUse, Strategy, StrategyEntry, Task};
use crate::Error;
use crate::matching::{least_cost_cover, stars};

/// Up to this many records pairs of least total distance are found; beyond, each record takes the
/// nearest one, which is at most twice as far in total.
const MOST_COVERED: usize = 300;

/// At most this many different combinations of quasi-identifiers and sensitive value are compared
/// with each other.
const MOST_COMPARED: usize = 20_000;

pub(super) const STRATEGY: Strategy = Strategy {
    about: StrategyEntry {
        id: "two-diversity",
        title: "2-diversity by pairs",
        recoding: "cells",
        definition: "Finds pairs of records with different sensitive values that touch every record, of least total distance; they form stars, which are published as groups. One group of all records that cannot be published as they are, and the groups of local suppression, are tried as well, and the cheapest of the three is taken.",
        finds: "at most s times the least weighted number of starred cells, where s is the size of the largest group of pairs (twice that beyond 300 records); and at most as many times as there are quasi-identifiers, if that many records may be suppressed",
        citation: "own algorithm and proof; that the records that need a star bound the cost is after X. Xiao, K. Yi, Y. Tao: The hardness and approximation algorithms for l-diversity. EDBT 2010",
        needs: "distinct l-diversity with l = 2, with k-anonymity up to 2 at most; every record has a sensitive value, of one attribute; no persons; at most 20,000 different combinations of quasi-identifiers and sensitive value",
        loss: LossUse::Weights,
    },
    run,
};

fn run(task: &Task<'_>) -> Result<Ending, Error> {
    let cells = Cells::new(task);
    cells.must_split("2-diversity by pairs")?;
    must_be_two_diversity(task)?;
    let (mut all, mut evaluated) = (Groups::default(), 0);
    for block in cells.blocks() {
        must_be_comparable(&block)?;
        cells.check_memory(STRATEGY.about.title, &block)?;
        let (groups, tried) = best_groups(&cells, &block)?;
        all.groups.extend(groups.groups);
        all.left.extend(groups.left);
        evaluated += tried;
    }
    Ok(match cells.ending(all, evaluated, false) {
        Ending::Nothing { evaluated } if task.is_late() => Ending::GaveUp { evaluated },
        ending => ending,
    })
}

/// Refuses anything but distinct 2-diversity.
fn must_be_two_diversity(task: &Task<'_>) -> Result<(), Error> {
    let pair = |count: u64, second: u64| {
        let values = [(0, count), (1, second)].into_iter().filter(|(_, count)| *count > 0);
        values.map(|(code, count)| haggle_cube::ValueCount { code, count }).collect::<Vec<_>>()
    };
    let passes = |one: u64, other: u64| {
        let values = pair(one, other);
        let group = Group { records: one + other, values: &values };
        task.criteria.iter().all(|criterion| criterion.passes(&group))
    };
    // One record of each of two values is enough, however many more there are of one.
    let is_two = task.kind() == haggle_cube::Merging::UnionMonotone
        && passes(1, 1)
        && passes(1, 1000)
        && !passes(1000, 0);
    if is_two {
        return Ok(());
    }
    let what = "pairs of records with different values are groups under distinct 2-diversity only";
    Err(Error::unsupported(what, "choose local-suppression"))
}

fn must_be_comparable(block: &[Piece]) -> Result<(), Error> {
    let what = if block.iter().any(|piece| piece.value.is_none()) {
        "some records have no sensitive value, so no pair makes them diverse".to_owned()
    } else if block.len() > MOST_COMPARED {
        format!("2-diversity by pairs compares at most {MOST_COMPARED} different records")
    } else {
        return Ok(());
    };
    Err(Error::unsupported(what, "choose local-suppression"))
}

/// The cheapest of three sets of groups, as far as they are within the request, and as far as there
/// is time to find them.
fn best_groups(cells: &Cells<'_, '_>, block: &[Piece]) -> Result<(Groups, u64), Error> {
    let (by_stars, tried) = greedy(cells, block)?;
    let pairs = pairs(cells, block)?;
    let together = if cells.task.is_late() { None } else { needing_stars(cells, block) };
    let candidates = [Some(by_stars), pairs, together];
    let suppressed = |groups: &Groups| -> u64 {
        let silent = groups.groups.iter().filter(|group| cells.shows_nothing(group));
        silent.map(|group| records(group)).sum::<u64>() + records(&groups.left)
    };
    let rank = |groups: &Groups| (suppressed(groups) > cells.task.limit, cells.cost_of(groups));
    let best = candidates.into_iter().flatten().min_by_key(rank);
    Ok((best.unwrap_or_default(), tried + 2))
}

/// Stars of pairs with different values; none if some record has no partner, or time ran out.
fn pairs(cells: &Cells<'_, '_>, block: &[Piece]) -> Result<Option<Groups>, Error> {
    if cells.task.is_late() {
        return Ok(None);
    }
    let units = cells.units(block);
    let edges = if units.len() <= MOST_COVERED {
        least_cost_cover(units.len(), |u, v| {
            (units[u].value != units[v].value).then(|| cells.distance(&units[u], &units[v]))
        })
    } else {
        nearest(cells, block)?.map(|edges| stars(units.len(), edges))
    };
    Ok(edges.map(|edges| Groups { groups: groups(&units, &edges), left: Vec::new() }))
}

/// Pairs each record with a nearest one that has another value. Records with the same values are
/// spread over those of their nearest. None if some record has no partner, or time ran out.
fn nearest(cells: &Cells<'_, '_>, block: &[Piece]) -> Result<Option<Vec<(usize, usize)>>, Error> {
    let mut first = Vec::with_capacity(block.len());
    let mut next = 0;
    for piece in block {
        first.push(next);
        next += piece.records as usize;
    }
    let mut edges = Vec::with_capacity(next);
    for (i, piece) in block.iter().enumerate() {
        cells.task.step()?;
        if cells.task.is_late() {
            return Ok(None);
        }
        let others = block.iter().enumerate().filter(|(_, other)| other.value != piece.value);
        let near = others.min_by_key(|(_, other)| cells.distance(piece, other));
        let Some((j, other)) = near else { return Ok(None) };
        let copies = 0..piece.records as usize;
        edges.extend(copies.map(|c| (first[i] + c, first[j] + c % other.records as usize)));
    }
    Ok(Some(edges))
}

/// The groups that edges connect.
fn groups(units: &[Piece], edges: &[(usize, usize)]) -> Vec<Vec<Piece>> {
    let mut degrees = vec![0_usize; units.len()];
    for &(u, v) in edges {
        degrees[u] += 1;
        degrees[v] += 1;
    }
    let mut stars: Vec<Vec<Piece>> = units.iter().map(|unit| vec![*unit]).collect();
    let mut is_leaf = vec![false; units.len()];
    for &(u, v) in edges {
        let (center, leaf) = if degrees[v] == 1 { (u, v) } else { (v, u) };
        stars[center].push(units[leaf]);
        is_leaf[leaf] = true;
    }
    stars.into_iter().zip(is_leaf).filter(|(_, is_leaf)| !is_leaf).map(|(star, _)| star).collect()
}

/// One group of the records whose quasi-identifiers have one sensitive value only, with as few others
/// as make it diverse; the others stay as they are.
fn needing_stars(cells: &Cells<'_, '_>, block: &[Piece]) -> Option<Groups> {
    let rows = block.chunk_by(|a, b| a.row == b.row);
    let (mut kept, alone): (Vec<Vec<Piece>>, Vec<Vec<Piece>>) =
        rows.map(<[Piece]>::to_vec).partition(|row| cells.passes(row));
    let mut group: Vec<Piece> = alone.concat();
    if !group.is_empty() && !cells.passes(&group) {
        let (place, helper) = fewest_helpers(cells, &kept, &group)?;
        for piece in &helper {
            let row = &mut kept[place];
            row.iter_mut()
                .filter(|p| p.value == piece.value)
                .for_each(|p| p.records -= piece.records);
        }
        for row in &mut kept {
            row.retain(|piece| piece.records > 0);
        }
        kept.retain(|row| !row.is_empty());
        group.extend(helper);
    }
    kept.extend((!group.is_empty()).then_some(group));
    Some(Groups { groups: kept, left: Vec::new() })
}

/// The fewest records of one combination that make a group diverse and leave the others diverse, or
/// leave none.
fn fewest_helpers(
    cells: &Cells<'_, '_>,
    kept: &[Vec<Piece>],
    group: &[Piece],
) -> Option<(usize, Vec<Piece>)> {
    let with = |more: &[Piece]| cells.passes(&[group, more].concat());
    let helpers = kept.iter().enumerate().flat_map(|(place, row)| {
        let one = row.iter().map(|piece| Piece { records: 1, ..*piece }).filter(|one| {
            let left =
                |p: &Piece| Piece { records: p.records - u64::from(p.value == one.value), ..*p };
            let left: Vec<Piece> = row.iter().map(left).filter(|p| p.records > 0).collect();
            cells.passes(&left)
        });
        let one = one.map(|one| vec![one]);
        one.chain([row.clone()]).map(move |helper| (place, helper))
    });
    let diverse = helpers.filter(|(_, helper)| with(helper));
    diverse.min_by_key(|(_, helper)| records(helper))
}
