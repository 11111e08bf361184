//! Which attributes could be left out together: minimal sets of them, the smallest first.

use haggle_model::Sublattice;

use crate::Error;
use crate::explore::View;
use crate::request::{LatticeRequest, Solution};

/// At most this many sets are examined, and sets of a size all or none: of seven attributes all
/// sets, of nine those of up to three, of sixteen those of two.
const MOST_SETS: usize = 128;

/// Returns the sets of two or more attributes that, left out together, make the rest feasible, while
/// no part of the set does; the smallest sets first, in each size the best answer first. Those of
/// one attribute are known.
pub(super) fn attributes(
    view: &mut View<'_>,
    request: &LatticeRequest,
    part: &Sublattice,
    alone: &[(usize, Solution)],
) -> Result<Vec<(Vec<usize>, Solution)>, Error> {
    let candidates = candidates(view, request, alone);
    let mut sets = SetsBySize::of(candidates.len());
    let mut found: Vec<(Vec<usize>, Solution)> = Vec::new();
    while let Some(chosen) = sets.next().filter(|_| view.may_continue()) {
        let set: Vec<usize> = chosen.iter().map(|&i| candidates[i]).collect();
        let has_part = |(part, _): &(Vec<usize>, _)| part.iter().all(|i| set.contains(i));
        if !found.iter().any(has_part) {
            let solution = view.lowest(&without(view, part, &set), request.limit)?;
            found.extend(solution.map(|solution| (set, solution)));
        }
    }
    found.sort_by(|(set, one), (other_set, other)| {
        set.len().cmp(&other_set.len()).then_with(|| one.order(other))
    });
    Ok(found)
}

/// The attributes that are not fully general under the maximum levels and do not suffice alone: no
/// other is in a minimal set of several.
fn candidates(
    view: &View<'_>,
    request: &LatticeRequest,
    alone: &[(usize, Solution)],
) -> Vec<usize> {
    let tops = view.space().top().levels().iter().enumerate();
    let below = tops.filter(|&(i, &top)| request.caps.level(i) < top).map(|(i, _)| i);
    below.filter(|i| alone.iter().all(|(other, _)| other != i)).collect()
}

/// The schemes of a part in which these attributes are fully general.
fn without(view: &View<'_>, part: &Sublattice, set: &[usize]) -> Sublattice {
    let top = view.space().top();
    set.iter().fold(part.clone(), |part, &i| part.fixed(i, top.level(i)))
}

/// The sets of at least two of some positions, smaller ones first, in the order of positions.
struct SetsBySize {
    of: usize,
    largest: usize,
    next: Vec<usize>,
}

impl SetsBySize {
    fn of(of: usize) -> Self {
        Self { of, largest: largest_size(of), next: vec![0, 1] }
    }
}

/// The largest size up to which no more sets than may be examined have at least two members.
fn largest_size(of: usize) -> usize {
    let (mut size, mut of_size, mut sets) = (1, of, 0);
    while size < of {
        of_size = of_size * (of - size) / (size + 1);
        sets += of_size;
        if sets > MOST_SETS {
            break;
        }
        size += 1;
    }
    size
}

impl Iterator for SetsBySize {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let (size, set) = (self.next.len(), self.next.clone());
        if size > self.largest {
            return None;
        }
        // The last position that can move up takes those after it along.
        match (0..size).rev().find(|&i| set[i] < self.of - size + i) {
            Some(i) => (i..size).for_each(|j| self.next[j] = set[i] + 1 + (j - i)),
            None => self.next = (0..=size).collect(),
        }
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_once_and_the_smaller_ones_first() {
        let sets: Vec<Vec<usize>> = SetsBySize::of(4).collect();
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(sets[..6], pairs);
        assert_eq!(
            sets[6..],
            [vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 3], vec![1, 2, 3], vec![0, 1, 2, 3]]
        );
        assert_eq!(SetsBySize::of(1).count() + SetsBySize::of(0).count(), 0);
    }

    #[test]
    fn sets_of_a_size_are_examined_all_or_not_at_all() {
        let examined =
            [6, 7, 8, 9, 10, 16, 17, 64].map(|of| (largest_size(of), SetsBySize::of(of).count()));
        assert_eq!(
            examined,
            [(6, 57), (7, 120), (3, 84), (3, 120), (2, 45), (2, 120), (1, 0), (1, 0)]
        );
    }
}
