//! Ratios, logarithms and entropies, all in one place: equal quantities give equal numbers, so that
//! a threshold that is met exactly is met.

use std::cell::RefCell;

use haggle_cube::Group;

/// Up to here whole numbers are exact as `f64`.
const EXACT: u128 = 1 << 53;

/// The number nearest to a ratio; 0/0 is 0, and anything else over 0 is infinite.
pub(crate) fn ratio(above: u128, below: u128) -> f64 {
    match (above, below) {
        (0, _) => 0.0,
        (_, 0) => f64::INFINITY,
        _ if above < EXACT && below < EXACT => above as f64 / below as f64,
        _ => {
            let common = greatest_common_divisor(above, below);
            (above / common) as f64 / (below / common) as f64
        }
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The share of a part.
pub(crate) fn share(part: u64, all: u64) -> f64 {
    ratio(part.into(), all.into())
}

/// A number that was rounded on the way, with the last digits taken off: 0.8 − 0.6 is 0.2.
pub(crate) fn tidy(value: f64) -> f64 {
    let scale = match value.abs() {
        small if small < 1e2 => 1e13,
        middle if middle < 1e4 => 1e11,
        large if large < 1e7 => 1e8,
        _ => return value,
    };
    (value * scale).round() / scale
}

/// A number that would be whole but for rounding on the way, as that.
fn whole(value: f64) -> f64 {
    let near = value.round();
    if (value - near).abs() < 1e-9 { near } else { value }
}

/// How many equally frequent values would be as hard to guess: e to the entropy.
pub(crate) fn perplexity(counts: impl Iterator<Item = u32>) -> f64 {
    let (mut all, mut sum) = (0.0, 0.0);
    for count in counts.map(f64::from) {
        all += count;
        sum += count * count.ln();
    }
    if all == 0.0 { 0.0 } else { whole((all.ln() - sum / all).exp()) }
}

/// The most records that share a value.
pub(crate) fn most(group: &Group<'_>) -> u64 {
    group.values.iter().map(|value| value.count).max().unwrap_or(0).into()
}

thread_local! {
    static COUNTS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Shows the given counts, most first. The memory is used again: there are millions of groups.
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
    fn even_values_have_their_number_as_perplexity() {
        for values in 1..200_u32 {
            for count in [1, 3, 7, 1000] {
                let even = std::iter::repeat_n(count, values as usize);
                assert_eq!(perplexity(even).to_bits(), f64::from(values).to_bits());
            }
        }
    }

    #[test]
    fn tidy_takes_off_what_rounding_left() {
        assert_eq!(tidy(0.1 + 0.2), 0.3);
        assert_eq!(tidy(0.8 - 0.6), 0.2);
        assert_eq!(tidy(4321.1 - 1.0), 4320.1);
        assert_eq!((tidy(0.0), tidy(f64::INFINITY)), (0.0, f64::INFINITY));
    }
}
