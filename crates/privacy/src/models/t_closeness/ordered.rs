//! The earth mover's distance along a line: what must cross between adjacent positions.

use std::cell::RefCell;

use haggle_cube::{Group, ValueCount};

use super::between::differences;
use crate::exact::ratio;

/// The whole table along the line.
#[derive(Debug)]
pub(super) struct OrderedDistance {
    ranks: Vec<u32>,
    /// How many of all records are at or below each position.
    up_to: Vec<u64>,
    /// The prefix sums of those, so that a stretch without records of the group costs one lookup.
    sums: Vec<u128>,
}

thread_local! {
    static PLACES: RefCell<Vec<(u32, u64)>> = const { RefCell::new(Vec::new()) };
}

impl OrderedDistance {
    pub(super) fn new(ranks: &[u32], counts: &[u64]) -> Self {
        let mut up_to = vec![0; counts.len()];
        for (&rank, &count) in ranks.iter().zip(counts) {
            up_to[rank as usize] = count;
        }
        let mut sums = vec![0];
        for place in 0..up_to.len() {
            if place > 0 {
                up_to[place] += up_to[place - 1];
            }
            sums.push(sums[place] + u128::from(up_to[place]));
        }
        Self { ranks: ranks.to_vec(), up_to, sums }
    }

    pub(super) fn distance(&self, group: &Group<'_>) -> f64 {
        PLACES.with_borrow_mut(|places| {
            places.clear();
            let place = |code: u32| self.ranks[code as usize];
            places.extend(group.values.iter().map(|value| (place(value.code), value.count)));
            places.sort_unstable();
            self.crossing(places)
        })
    }

    /// Sums what must cross each gap between two positions, divided by the number of gaps.
    pub(super) fn between(&self, one: &[ValueCount], other: &[ValueCount]) -> f64 {
        let mut places: Vec<(u32, f64)> =
            differences(one, other).map(|(code, more)| (self.ranks[code as usize], more)).collect();
        places.sort_unstable_by_key(|&(place, _)| place);
        let (mut crossing, mut ahead, mut from) = (0.0, 0.0_f64, 0);
        for (place, more) in places {
            crossing += ahead.abs() * f64::from(place - from);
            (ahead, from) = (ahead + more, place);
        }
        crossing / (self.up_to.len().max(2) - 1) as f64
    }

    /// Returns `Σ |A_i·N − B_i·n|` over the gaps between positions, divided by (m − 1)·n·N.
    fn crossing(&self, places: &[(u32, u64)]) -> f64 {
        let gaps = self.up_to.len() - 1;
        let records = u128::from(self.up_to[gaps]);
        let known: u128 = places.iter().map(|(_, count)| u128::from(*count)).sum();
        let (mut here, mut from, mut crossing) = (0_u128, 0, 0);
        for &(place, count) in places {
            crossing += self.stretch(from, place as usize, here * records, known);
            here += u128::from(count);
            from = place as usize;
        }
        crossing += self.stretch(from, gaps, here * records, known);
        ratio(crossing, gaps as u128 * known * records)
    }

    /// Returns `Σ |level − B_i·n|` for the gaps of a stretch; B is increasing, so the sign changes
    /// at most once.
    fn stretch(&self, from: usize, to: usize, level: u128, known: u128) -> u128 {
        let below = |place: &u64| u128::from(*place) * known <= level;
        let turn = from + self.up_to[from..to].partition_point(below);
        let sum = |from: usize, to: usize| (self.sums[to] - self.sums[from]) * known;
        let (before, after) = ((turn - from) as u128, (to - turn) as u128);
        (before * level - sum(from, turn)) + (sum(turn, to) - after * level)
    }
}
