//! Bounds on minimum set covers and maximum coverings, for more overlapping sets than can be
//! covered exactly.
//!
//! A greedy cover has at most H(d) times as many sets as the smallest one, d being the most
//! elements of a set, so the smallest has at least the greedy cover's size over H(d). Elements of
//! which no two are in one set need a set each; this is the bound behind the approximation by a
//! factor of c, for elements in at most c sets, that S.-Y. Hsu, 2008, names in a footnote of section
//! 3.5. Greedily chosen, j sets contain at least 1 − (1 − 1/j)^j of the weight of the best j.
//!
//! Citation: V. Chvátal, "A greedy heuristic for the set-covering problem", 1979; G. L. Nemhauser,
//! L. A. Wolsey, M. L. Fisher, "An analysis of approximations for maximizing submodular set
//! functions", 1978.

use super::{bits, hardest_first, maximum_covering, minimum_set_cover};

/// Up to this many sets of a group are covered exactly.
pub(crate) const EXACT: u32 = 20;
/// How far a bound is moved to its safe side, because it is computed in floating point.
const SLACK: f64 = 1e-6;

/// Returns a number of sets that no cover of the elements has fewer of.
pub(crate) fn fewest_sets(elements: &[u64]) -> u32 {
    let needed = hardest_first(elements);
    let union = needed.iter().fold(0, |union, element| union | element);
    if union.count_ones() <= EXACT {
        return minimum_set_cover(&needed);
    }
    packed(&needed).max(from_greedy(&needed, union))
}

/// Returns how many elements were found of which no two are in one set.
fn packed(needed: &[u64]) -> u32 {
    let (mut sets, mut packed) = (0, 0);
    for element in needed {
        if element & sets == 0 {
            (sets, packed) = (sets | element, packed + 1);
        }
    }
    packed
}

/// Returns the bound that a greedy cover proves.
fn from_greedy(needed: &[u64], union: u64) -> u32 {
    let within = |set: u64, elements: &[u64]| elements.iter().filter(|e| *e & set != 0).count();
    let largest = bits(union).map(|set| within(set, needed)).max().unwrap_or(0);
    let harmonic: f64 = (1..=largest).map(|i| 1.0 / i as f64).sum();
    let (mut left, mut sets) = (needed.to_vec(), 0_u32);
    while let Some(best) =
        bits(union).max_by_key(|&set| within(set, &left)).filter(|_| !left.is_empty())
    {
        left.retain(|element| element & best == 0);
        sets += 1;
    }
    (f64::from(sets) / harmonic.max(1.0) - SLACK).ceil() as u32
}

/// Returns a weight that this many sets do not exceed together.
pub(crate) fn most_covered(elements: &[(u64, u64)], sets: usize) -> u64 {
    let union = elements.iter().fold(0, |union, (element, _)| union | element);
    if union.count_ones() <= EXACT || sets < 2 {
        return maximum_covering(elements, sets);
    }
    let in_any = elements.iter().filter(|(e, _)| *e != 0).map(|(_, weight)| weight).sum();
    let mut alone: Vec<u64> = bits(union).map(|set| weight(elements, set)).collect();
    alone.sort_unstable_by(|a, b| b.cmp(a));
    let heaviest: u64 = alone.iter().take(sets).sum();
    let missed = (1.0 - 1.0 / sets as f64).powf(sets as f64);
    let from_greedy =
        (greedy(elements, union, sets) as f64 / (1.0 - missed) + SLACK).floor() as u64;
    from_greedy.min(heaviest).min(in_any)
}

/// Returns the weight of this many sets, each of which adds most to those before.
fn greedy(elements: &[(u64, u64)], union: u64, sets: usize) -> u64 {
    let mut left = elements.to_vec();
    let mut covered = 0;
    for _ in 0..sets {
        let Some(best) = bits(union).max_by_key(|&set| weight(&left, set)) else { break };
        covered += weight(&left, best);
        left.retain(|(element, _)| element & best == 0);
    }
    covered
}

fn weight(elements: &[(u64, u64)], set: u64) -> u64 {
    elements.iter().filter(|(e, _)| e & set != 0).map(|(_, weight)| weight).sum()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Elements in few of up to 24 sets, so that exact search is still fast.
    fn elements() -> impl Strategy<Value = Vec<u64>> {
        vec(vec(0_u32..24, 1..4), 0..40)
            .prop_map(|sets| sets.iter().map(|s| s.iter().fold(0, |m, i| m | 1 << i)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(400)))]

        #[test]
        fn no_cover_is_smaller_than_the_bound(elements in elements()) {
            prop_assert!(fewest_sets(&elements) <= minimum_set_cover(&elements));
            let needed = hardest_first(&elements);
            let union = needed.iter().fold(0, |union, element| union | element);
            let bound = packed(&needed).max(from_greedy(&needed, union));
            prop_assert!(bound <= minimum_set_cover(&elements), "also where it is not needed");
            prop_assert!(bound > 0 || elements.is_empty());
        }

        #[test]
        fn no_sets_cover_more_than_the_bound(elements in elements(), sets in 0_usize..6) {
            let weighed: Vec<(u64, u64)> =
                elements.iter().zip(1..).map(|(&e, i)| (e, 1 + i % 7)).collect();
            let bound = most_covered(&weighed, sets);
            prop_assert!(bound >= maximum_covering(&weighed, sets));
            prop_assert!(bound <= weighed.iter().map(|(_, weight)| weight).sum());
        }
    }
}
