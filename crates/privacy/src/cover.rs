//! Minimum set cover and maximum covering, exact, over at most 64 sets.
//!
//! An element is the mask of the sets that contain it, so values that belong to the same sets are
//! one element.

mod bounds;

pub(crate) use bounds::{EXACT, fewest_sets, most_covered};

/// Returns the fewest sets that together contain every element; each element belongs to some set.
pub(crate) fn minimum_set_cover(elements: &[u64]) -> u32 {
    let needed = hardest_first(elements);
    (1..=64).find(|&sets| covers(&needed, sets)).filter(|_| !needed.is_empty()).unwrap_or(0)
}

/// Returns the elements that are not redundant, those in the fewest sets first: any set that covers
/// an element of few sets also covers every element that belongs to all of these and more.
fn hardest_first(elements: &[u64]) -> Vec<u64> {
    let mut needed: Vec<u64> = Vec::new();
    let mut sorted = elements.to_vec();
    sorted.sort_unstable_by_key(|element| (element.count_ones(), *element));
    for element in sorted {
        let is_covered_with = |harder: &u64| harder & element == *harder;
        if !needed.iter().any(is_covered_with) {
            needed.push(element);
        }
    }
    needed
}

/// Returns whether this many sets can contain all elements: the first element must be in one of its
/// few sets.
fn covers(needed: &[u64], sets: u32) -> bool {
    let Some(&first) = needed.first() else { return true };
    sets > 0
        && bits(first).any(|set| {
            let rest: Vec<u64> = needed.iter().copied().filter(|e| e & set == 0).collect();
            covers(&rest, sets - 1)
        })
}

/// Returns the largest weight that this many sets can contain together.
pub(crate) fn maximum_covering(elements: &[(u64, u64)], sets: usize) -> u64 {
    let union = elements.iter().fold(0, |union, (element, _)| union | element);
    let held = |chosen: u64| -> u64 {
        elements.iter().filter(|(e, _)| e & chosen != 0).map(|(_, weight)| weight).sum()
    };
    if union.count_ones() as usize <= sets {
        return held(union);
    }
    if union.count_ones() <= FEW {
        let of_size = submasks(union).filter(|chosen| chosen.count_ones() as usize == sets);
        return of_size.map(held).max().unwrap_or(0);
    }
    let all: Vec<u64> = bits(union).collect();
    let mut best = 0;
    covering(elements, &all, sets, 0, &mut best);
    best
}

/// Up to this many sets, all combinations are tried, which is faster than pruning.
const FEW: u32 = 6;

/// Iterates over all submasks of a mask.
fn submasks(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(mask);
    std::iter::from_fn(move || {
        let chosen = next?;
        next = (chosen > 0).then(|| (chosen - 1) & mask);
        Some(chosen)
    })
}

/// Tries the sets in turn; stops where even the heaviest of the rest would not be enough.
fn covering(elements: &[(u64, u64)], sets: &[u64], left: usize, held: u64, best: &mut u64) {
    *best = (*best).max(held);
    if left == 0 || sets.is_empty() {
        return;
    }
    let weight = |set: u64| -> u64 {
        elements.iter().filter(|(e, _)| e & set != 0).map(|(_, weight)| weight).sum()
    };
    let mut weighed: Vec<(u64, u64)> = sets.iter().map(|&set| (weight(set), set)).collect();
    weighed.sort_unstable_by(|a, b| b.cmp(a));
    let hope: u64 = weighed.iter().take(left).map(|(weight, _)| weight).sum();
    if held + hope <= *best {
        return;
    }
    let (gained, set) = weighed[0];
    let rest: Vec<(u64, u64)> = elements.iter().copied().filter(|(e, _)| e & set == 0).collect();
    let others: Vec<u64> = weighed[1..].iter().map(|(_, set)| *set).collect();
    covering(&rest, &others, left - 1, held + gained, best);
    covering(elements, &others, left, held, best);
}

fn bits(mask: u64) -> impl Iterator<Item = u64> {
    (0..64).map(|i| 1 << i).filter(move |bit| mask & bit != 0)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn subsets() -> impl Iterator<Item = u64> {
        0..1 << 12
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(2000)))]

        #[test]
        fn set_cover_is_that_of_all_subsets(elements in vec(1_u64..1 << 12, 0..9)) {
            let holds = |sets: &u64| elements.iter().all(|element| element & sets != 0);
            let least = subsets().filter(holds).map(u64::count_ones).min().unwrap();
            prop_assert_eq!(minimum_set_cover(&elements), least);
        }

        #[test]
        fn maximum_covering_is_that_of_all_subsets(
            elements in vec((0_u64..1 << 12, 1_u64..20), 0..9),
            sets in 0_usize..6,
        ) {
            let weight = |chosen: u64| -> u64 {
                elements.iter().filter(|(e, _)| e & chosen != 0).map(|(_, w)| w).sum()
            };
            let few = subsets().filter(|chosen| chosen.count_ones() as usize <= sets);
            prop_assert_eq!(maximum_covering(&elements, sets), few.map(weight).max().unwrap());
        }
    }
}
