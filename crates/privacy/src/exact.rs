//! Ratios, logarithms and entropies, all in one place: equal quantities give equal numbers, so that
//! a threshold that is met exactly passes.
//!
//! Counts are multiplied as whole numbers and divided once.

use std::cell::RefCell;

use haggle_cube::Group;

use crate::double::Double;

/// Up to here whole numbers are exact as `f64`.
const EXACT: u128 = 1 << 53;

/// Returns the number closest to a ratio; 0/0 is 0, and anything else over 0 is infinite.
pub(crate) fn ratio(above: u128, below: u128) -> f64 {
    match (above, below) {
        (0, _) => 0.0,
        (_, 0) => f64::INFINITY,
        _ if above < EXACT && below < EXACT => above as f64 / below as f64,
        _ => nearest(above, below),
    }
}

/// Returns the number closest to a ratio of any two whole numbers, by long division.
fn nearest(above: u128, below: u128) -> f64 {
    let (mut quotient, mut rest) = (above / below, above % below);
    let mut power = 0;
    // Two more digits than the result has, and whether there is a remainder, determine the
    // rounding.
    while quotient >> 55 == 0 {
        let (twice, over) = rest.overflowing_mul(2);
        let more = over || twice >= below;
        quotient = quotient << 1 | u128::from(more);
        rest = if more { twice.wrapping_sub(below) } else { twice };
        power -= 1;
    }
    (quotient | u128::from(rest != 0)) as f64 * 2_f64.powi(power)
}

/// The share of a part.
pub(crate) fn share(part: u64, all: u64) -> f64 {
    ratio(part.into(), all.into())
}

/// Rounds off the last digits of a number that was rounded before: 0.8 − 0.6 is 0.2.
pub(crate) fn tidy(value: f64) -> f64 {
    let scale = match value.abs() {
        small if small < 1e2 => 1e13,
        middle if middle < 1e4 => 1e11,
        large if large < 1e7 => 1e8,
        _ => return value,
    };
    (value * scale).round() / scale
}

/// Returns how many equally frequent values would be as hard to guess: e to the entropy, rounded
/// once. So a merged group is never weaker than both of its parts, and equal entropies are equal
/// numbers.
pub(crate) fn perplexity(counts: impl Iterator<Item = u64> + Clone) -> f64 {
    let mut rest = counts.clone();
    let Some(first) = rest.next() else { return 0.0 };
    if rest.all(|count| count == first) {
        return counts.count() as f64;
    }
    let (mut all, mut sum) = (0_u64, Double::ZERO);
    for count in counts {
        all += count;
        sum = sum.plus_alike(Double::n_ln_n(count));
    }
    Double::ln(all).minus(sum.over(all as f64)).nearest_exp()
}

/// Returns the largest number of records that share a value.
pub(crate) fn most(group: &Group<'_>) -> u64 {
    group.values.iter().map(|value| value.count).max().unwrap_or(0)
}

thread_local! {
    static COUNTS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Calls `show` with the given counts, largest first. The memory is reused: there are millions of
/// groups.
pub(crate) fn descending<T>(
    counts: impl Iterator<Item = u64>,
    look: impl FnOnce(&[u64]) -> T,
) -> T {
    COUNTS.with_borrow_mut(|scratch| {
        scratch.clear();
        scratch.extend(counts);
        scratch.sort_unstable_by(|a, b| b.cmp(a));
        look(scratch)
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // exactness is what is tested
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_are_equal_numbers_however_large() {
        let large = (1_u128 << 70) + 7;
        assert_eq!(ratio(large, 5 * large).to_bits(), 0.2_f64.to_bits());
        assert_eq!(ratio(3, 10).to_bits(), 0.3_f64.to_bits());
        assert_eq!((ratio(0, 0), ratio(1, 0)), (0.0, f64::INFINITY));
    }

    #[test]
    fn ratios_of_large_numbers_are_rounded_once() {
        let large = u128::MAX - 4;
        assert_eq!(
            ratio(large, 3).to_bits(),
            113_427_455_640_312_821_154_458_202_477_256_070_484_f64.to_bits()
        );
        // Just above and just below the middle between 1 and its neighbour.
        let middle = 1_u128 << 53;
        let (up, down) = (middle * middle + middle + 1, middle * middle + middle - 1);
        assert_eq!(ratio(up, middle * middle), 1.0_f64.next_up());
        assert_eq!(ratio(down, middle * middle), 1.0);
        assert_eq!(ratio(1, large), 1.0 / large as f64);
    }

    #[test]
    fn equal_entropies_are_equal_and_merging_never_weakens() {
        let of = |counts: &[u64]| perplexity(counts.iter().copied());
        assert_eq!(of(&[17, 17, 17, 5]), of(&[34, 34, 34, 10]));
        assert_eq!(of(&[4, 1, 1, 1, 1]), 4.0, "equal in exact arithmetic, but not even");
        let mut seed = 1_u64;
        let mut next = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % most
        };
        for _ in 0..20_000 {
            let values = 2 + next(5) as usize;
            let one: Vec<u64> = (0..values).map(|_| 1 + next(30)).collect();
            let times = 1 + next(5000);
            let many: Vec<u64> = one.iter().map(|count| count * times).collect();
            assert_eq!(of(&one), of(&many), "{one:?} times {times}");
            let other: Vec<u64> = (0..values).map(|_| 1 + next(30)).collect();
            let both: Vec<u64> = one.iter().zip(&other).map(|(a, b)| a + b).collect();
            assert!(of(&both) >= of(&one).min(of(&other)), "{one:?} and {other:?}");
        }
    }

    #[test]
    fn even_values_have_their_number_as_perplexity() {
        for values in 1..200_u32 {
            for count in [1, 3, 7, 1000] {
                let even = std::iter::repeat_n(count, values as usize);
                assert_eq!(perplexity(even).to_bits(), f64::from(values).to_bits());
            }
        }
    }

    #[test]
    fn tidy_removes_rounding_errors() {
        assert_eq!(tidy(0.1 + 0.2), 0.3);
        assert_eq!(tidy(0.8 - 0.6), 0.2);
        assert_eq!(tidy(4321.1 - 1.0), 4320.1);
        assert_eq!((tidy(0.0), tidy(f64::INFINITY)), (0.0, f64::INFINITY));
    }
}
