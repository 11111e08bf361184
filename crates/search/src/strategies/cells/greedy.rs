//! Groups of records by sets of stars, the cheapest set first.
//!
//! With each set of attributes starred, in the order of their weight, the records that are left are
//! grouped by the other attributes; groups that pass are published so. A group that fails may borrow
//! records from published groups that look the same with those stars, if those groups still pass
//! without them. Borrowing is tried in two ways, with every set and only for what is left after all
//! of them; the cheaper outcome counts.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Cells, Groups, Piece, records, times};
use crate::Error;

/// At most this many sets of attributes are starred, in addition to one of each size.
const MOST_SETS: usize = 4096;

/// At most this many records are borrowed for a group.
const MOST_BORROWED: usize = 256;

/// The attributes that are starred, as bits.
type Stars = u128;

/// As many attributes have bits.
pub(in crate::strategies) const MOST_ATTRIBUTES: usize = Stars::BITS as usize;

/// When groups that fail may borrow records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Borrowing {
    Always,
    AtLast,
}

/// Returns groups of one block, and how many sets of stars were tried.
pub(in crate::strategies) fn greedy(
    cells: &Cells<'_, '_>,
    block: &[Piece],
) -> Result<(Groups, u64), Error> {
    let sets = sets(cells, block);
    let ways = [Borrowing::Always, Borrowing::AtLast];
    let found: Vec<Groups> =
        ways.iter().map(|&way| by_sets(cells, block, &sets, way)).collect::<Result<_, _>>()?;
    let best = found.into_iter().min_by_key(|groups| {
        let left = records(&groups.left);
        (left > cells.task.limit, cells.cost_of(groups), left)
    });
    Ok((best.unwrap_or_default(), 2 * sets.len() as u64))
}

fn by_sets(
    cells: &Cells<'_, '_>,
    block: &[Piece],
    sets: &[Stars],
    borrowing: Borrowing,
) -> Result<Groups, Error> {
    let mut search = GreedySearch { cells, groups: Vec::new(), left: block.to_vec() };
    let passes: &[bool] = if borrowing == Borrowing::Always { &[true] } else { &[false, true] };
    for &borrows in passes {
        for &stars in sets {
            if search.left.is_empty() || cells.task.is_late() {
                break;
            }
            cells.task.step()?;
            search.publish(stars, borrows);
        }
    }
    Ok(search.finish(block))
}

/// Returns the sets of attributes to star, the cheapest first. Without any limit they are all sets
/// that leave something to show.
fn sets(cells: &Cells<'_, '_>, block: &[Piece]) -> Vec<Stars> {
    let free: Vec<usize> = (0..cells.weights.len()).filter(|&i| cells.may_star[i]).collect();
    let values = |i: &usize| {
        let mut codes: Vec<u32> = block.iter().map(|piece| cells.codes(piece)[*i]).collect();
        codes.sort_unstable();
        codes.dedup();
        std::cmp::Reverse(codes.len())
    };
    let mut by_values = free.clone();
    by_values.sort_by_key(values);
    let one_of_each_size = (1..=free.len()).map(|size| bits(&by_values[..size]));
    let mut sets: Vec<Stars> = vec![0];
    let mut start = 0;
    // Every set is extended by later attributes only, so that each is met once.
    while start < sets.len() && sets.len() < MOST_SETS {
        let set = sets[start];
        let next = |&&i: &&usize| Stars::BITS - set.leading_zeros() <= i as u32;
        sets.extend(free.iter().filter(next).map(|i| set | 1 << i));
        start += 1;
    }
    sets.extend(one_of_each_size);
    let weight = |set: &Stars| cells.weight((0..cells.weights.len()).map(|i| set >> i & 1 == 1));
    sets.sort_by_key(|set| (weight(set), set.count_ones(), *set));
    sets.dedup();
    sets
}

fn bits(attributes: &[usize]) -> Stars {
    attributes.iter().fold(0, |set, i| set | 1 << i)
}

struct GreedySearch<'c, 'a, 'b> {
    cells: &'c Cells<'a, 'b>,
    /// The groups that pass, each with the attributes that are starred.
    groups: Vec<(Stars, Vec<Piece>)>,
    left: Vec<Piece>,
}

impl GreedySearch<'_, '_, '_> {
    /// What a piece shows with these stars.
    fn look(&self, piece: &Piece, stars: Stars) -> Vec<u32> {
        let codes = self.cells.codes(piece).iter().enumerate();
        codes.map(|(i, &code)| if stars >> i & 1 == 1 { u32::MAX } else { code }).collect()
    }

    /// Publishes what passes with these stars.
    fn publish(&mut self, stars: Stars, borrows: bool) {
        let lenders = if borrows { self.lenders(stars) } else { HashMap::default() };
        let mut looks: HashMap<Vec<u32>, Vec<Piece>, FxBuildHasher> = HashMap::default();
        let mut order = Vec::new();
        for piece in std::mem::take(&mut self.left) {
            let look = self.look(&piece, stars);
            let group = looks.entry(look.clone()).or_default();
            if group.is_empty() {
                order.push(look);
            }
            group.push(piece);
        }
        for look in order {
            let group = looks.remove(&look).unwrap_or_default();
            if self.cells.shows_nothing(&group) && group.len() > 1 {
                self.left.extend(group);
            } else if self.cells.passes(&group) {
                self.groups.push((stars, group));
            } else {
                let lenders = lenders.get(&look).map_or(&[][..], Vec::as_slice);
                self.borrow(stars, group, lenders);
            }
        }
    }

    /// The published groups by what they would show with these stars.
    fn lenders(&self, stars: Stars) -> HashMap<Vec<u32>, Vec<usize>, FxBuildHasher> {
        let mut lenders: HashMap<Vec<u32>, Vec<usize>, FxBuildHasher> = HashMap::default();
        for (place, (of, group)) in self.groups.iter().enumerate() {
            if of & !stars == 0 && of != &stars {
                lenders.entry(self.look(&group[0], stars)).or_default().push(place);
            }
        }
        lenders
    }

    /// Publishes a group with records of others, if that is cheaper than to suppress it; else it is
    /// left.
    fn borrow(&mut self, stars: Stars, group: Vec<Piece>, lenders: &[usize]) {
        let before = times(records(&group), self.cells.whole_weight());
        let lent: Vec<Vec<Piece>> = lenders.iter().map(|&i| self.groups[i].1.clone()).collect();
        let found = joined(self.cells, group.clone(), lent);
        let cost = |(group, rest): &(Vec<Piece>, Vec<Vec<Piece>>)| {
            let changed = lenders.iter().zip(rest);
            let saved = changed
                .map(|(&i, rest)| self.cells.cost(rest) - self.cells.cost(&self.groups[i].1));
            self.cells.cost(group) + saved.sum::<i64>()
        };
        match found.filter(|found| !self.cells.shows_nothing(&found.0) && cost(found) < before) {
            Some((group, rest)) => {
                for (&i, rest) in lenders.iter().zip(rest) {
                    self.groups[i].1 = rest;
                }
                self.groups.push((stars, group));
            }
            None => self.left.extend(group),
        }
    }

    /// The groups; if there are none, all records as one group, if they pass.
    fn finish(self, block: &[Piece]) -> Groups {
        let groups: Vec<Vec<Piece>> = self.groups.into_iter().map(|(_, group)| group).collect();
        let is_whole = block.len() == self.left.len();
        let all = records(block) == self.cells.task.base.all();
        if is_whole && all && self.cells.passes(block) {
            return Groups { groups: vec![block.to_vec()], left: Vec::new() };
        }
        Groups { groups, left: self.left }
    }
}

/// Returns a group that passes with records of the lenders, and what the lenders keep; every lender
/// still passes.
fn joined(
    cells: &Cells<'_, '_>,
    mut group: Vec<Piece>,
    mut lenders: Vec<Vec<Piece>>,
) -> Option<(Vec<Piece>, Vec<Vec<Piece>>)> {
    let mut borrowed = 0;
    for lender in 0..lenders.len() {
        while borrowed < MOST_BORROWED {
            let Some((rest, piece)) = lent(cells, &group, &lenders[lender]) else { break };
            lenders[lender] = rest;
            group.push(piece);
            borrowed += 1;
            if cells.passes(&group) {
                return Some((group, lenders));
            }
        }
    }
    None
}

/// Returns what a lender keeps and the record that it gives, one with a value that the group does
/// not have if possible.
fn lent(cells: &Cells<'_, '_>, group: &[Piece], lender: &[Piece]) -> Option<(Vec<Piece>, Piece)> {
    let is_new = |piece: &Piece| group.iter().all(|other| other.value != piece.value);
    let mut places: Vec<usize> = (0..lender.len()).collect();
    places.sort_by_key(|&i| (!is_new(&lender[i]), std::cmp::Reverse(lender[i].records)));
    places.into_iter().take(2).find_map(|i| {
        let piece =
            Piece { records: if cells.splits { 1 } else { lender[i].records }, ..lender[i] };
        let mut rest = lender.to_vec();
        rest[i].records -= piece.records;
        rest.retain(|piece| piece.records > 0);
        cells.passes(&rest).then_some((rest, piece))
    })
}
