//! The groups of least cost, among all partitions of a few records.
//!
//! The least cost of every subset of the records is that of the group of its first record, plus the
//! least cost of the rest. Records may also be suppressed, which stars all of their cells. A group
//! that shows nothing counts as suppressed unless it is the only one.

use super::{Cells, Groups, Piece, records, times};

/// At most this many records, or pieces that cannot be split, are partitioned in every way.
pub(in crate::strategies) const MOST_EXACT: usize = 12;

const IMPOSSIBLE: i64 = i64::MAX / 4;

/// The least cost of a block, and how it is reached.
#[derive(Debug, Clone)]
struct Best {
    cost: i64,
    groups: Groups,
}

/// Returns the groups of least cost with no more records suppressed than allowed, and how many
/// candidates were evaluated; `None` if there are none.
pub(in crate::strategies) fn least_cost_groups(
    cells: &Cells<'_, '_>,
    blocks: &[Vec<Piece>],
) -> (Option<Groups>, u64) {
    let limit = cells.task.limit.min(cells.task.base.all()) as usize;
    let none = Best { cost: 0, groups: Groups::default() };
    // By number of suppressed records.
    let mut all: Vec<Option<Best>> = vec![Some(none)];
    let mut evaluated = 0;
    for block in blocks {
        let subsets = Subsets::new(cells, cells.units(block), blocks.len() == 1);
        evaluated += subsets.costs.len() as u64;
        all = joined(&all, &subsets.by_suppressed(limit), limit);
    }
    let best = all.into_iter().flatten().min_by_key(|best| best.cost);
    (best.map(|best| best.groups), evaluated)
}

/// Combines the solutions of blocks, by number of suppressed records.
fn joined(one: &[Option<Best>], other: &[Option<Best>], limit: usize) -> Vec<Option<Best>> {
    let most = (one.len() + other.len() - 1).min(limit + 1);
    let mut joined: Vec<Option<Best>> = vec![None; most];
    for (i, a) in one.iter().enumerate() {
        for (j, b) in other.iter().enumerate().take(most.saturating_sub(i)) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let place = &mut joined[i + j];
            if place.as_ref().is_none_or(|best| a.cost + b.cost < best.cost) {
                let mut groups = a.groups.clone();
                groups.groups.extend(b.groups.groups.iter().cloned());
                groups.left.extend(&b.groups.left);
                *place = Some(Best { cost: a.cost + b.cost, groups });
            }
        }
    }
    joined
}

/// What every subset of a block costs.
struct Subsets<'c, 'a, 'b> {
    cells: &'c Cells<'a, 'b>,
    units: Vec<Piece>,
    /// The least cost of each subset without suppression, by its bits.
    costs: Vec<i64>,
    /// The group of its first record in a partition of that cost.
    first: Vec<usize>,
}

impl<'c, 'a, 'b> Subsets<'c, 'a, 'b> {
    fn new(cells: &'c Cells<'a, 'b>, units: Vec<Piece>, alone: bool) -> Self {
        let all = (1_usize << units.len()) - 1;
        let group = |bits: usize| -> i64 {
            let group = members(&units, bits);
            let allowed = (alone && bits == all) || !cells.shows_nothing(&group);
            if allowed && cells.passes(&group) { cells.cost(&group) } else { IMPOSSIBLE }
        };
        let alike: Vec<i64> =
            (0..=all).map(|bits| if bits == 0 { 0 } else { group(bits) }).collect();
        let (mut costs, mut first) = (vec![0; all + 1], vec![0; all + 1]);
        for bits in 1..=all {
            let lowest = bits & bits.wrapping_neg();
            let with_first =
                |rest: usize| (alike[lowest | rest] + costs[bits ^ lowest ^ rest], rest);
            let best = subsets(bits ^ lowest).map(with_first).min();
            let (cost, rest) = best.unwrap_or((IMPOSSIBLE, 0));
            (costs[bits], first[bits]) = (cost.min(IMPOSSIBLE), lowest | rest);
        }
        Self { cells, units, costs, first }
    }

    /// The best solutions by number of suppressed records.
    fn by_suppressed(&self, limit: usize) -> Vec<Option<Best>> {
        let all = self.costs.len() - 1;
        let most = (records(&self.units) as usize).min(limit);
        let mut best: Vec<Option<(i64, usize)>> = vec![None; most + 1];
        for kept in 0..=all {
            let left = records(&members(&self.units, all ^ kept));
            let cost = self.costs[kept] + times(left, self.cells.whole_weight());
            let place = best.get_mut(left as usize).filter(|_| self.costs[kept] < IMPOSSIBLE);
            if let Some(place) = place.filter(|best| best.is_none_or(|(least, _)| cost < least)) {
                *place = Some((cost, kept));
            }
        }
        let solution = |(cost, kept): (i64, usize)| {
            let left = members(&self.units, all ^ kept);
            Best { cost, groups: Groups { groups: self.groups(kept), left } }
        };
        best.into_iter().map(|best| best.map(solution)).collect()
    }

    fn groups(&self, mut bits: usize) -> Vec<Vec<Piece>> {
        let mut groups = Vec::new();
        while bits != 0 {
            groups.push(members(&self.units, self.first[bits]));
            bits ^= self.first[bits];
        }
        groups
    }
}

/// The records of a subset.
fn members(units: &[Piece], bits: usize) -> Vec<Piece> {
    let is_in = |&(i, _): &(usize, &Piece)| bits >> i & 1 == 1;
    units.iter().enumerate().filter(is_in).map(|(_, unit)| *unit).collect()
}

/// All subsets of a set, the set itself first and the empty one last.
fn subsets(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), move |&subset| (subset != 0).then(|| (subset - 1) & set))
}
