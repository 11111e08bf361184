//! Shadows: an unchanged column that determines a finer value of a generalized attribute.
//!
//! Somebody who knows the relation between the two columns guesses, for each value of the column
//! (or each pair of it and the published value), the finer value that most records have. The column is
//! a shadow if that is right for 95 % of the records, and wrong for at most half as many as a guess
//! from the published value alone. The second condition keeps a column that says nothing about the
//! attribute from being a shadow where nearly all records have the same value anyway. A
//! quasi-identifier that is dropped is an attribute of which nothing is published.

use haggle_model::{Hierarchy, Level};
use rustc_hash::FxHashMap;

use super::tally::{Link, hash};

/// The share of the records, in per cent, for which a finer value must be determined.
const DETERMINED: u64 = 95;

/// Whether a column with these links determines a finer value of the attribute: one of a level of
/// its hierarchy, or without one the recorded value. Pairs of values that fewer than k records have
/// determine nothing: too few records agree by chance.
pub(super) fn determines(
    links: &FxHashMap<Link, u64>,
    hierarchy: Option<&Hierarchy>,
    k: u64,
) -> bool {
    let level = |values: &FinerValues| determines_level(links, values, k);
    match hierarchy {
        Some(hierarchy) => {
            (0..u8::from(hierarchy.top())).any(|l| level(&values_of(hierarchy, l.into())))
        }
        None => level(&links.keys().map(|&(_, _, recorded)| (recorded, recorded)).collect()),
    }
}

/// By the hash of a recorded value, a finer value than the published one.
type FinerValues = FxHashMap<u64, u64>;

fn values_of(hierarchy: &Hierarchy, level: Level) -> FinerValues {
    let recorded = 0..hierarchy.len(Level::RECORDED) as u32;
    let value = |code: u32| {
        (hash(hierarchy.label(code, Level::RECORDED)), hierarchy.ancestor(code, level).into())
    };
    recorded.map(value).collect()
}

fn determines_level(links: &FxHashMap<Link, u64>, values: &FinerValues, k: u64) -> bool {
    let seen = links.iter().filter_map(|(&(value, published, recorded), &records)| {
        Some(((value, published), *values.get(&recorded)?, records))
    });
    let seen: Vec<(ValuePair, u64, u64)> = seen.collect();
    let all: u64 = seen.iter().map(|(_, _, records)| records).sum();
    let by_published = rightly_guessed(&seen, |(_, published)| (0, published), 0);
    if by_published == all {
        return false; // nothing is hidden at this level
    }
    let by_value = rightly_guessed(&seen, |(value, _)| (value, 0), 0);
    let by_both = rightly_guessed(&seen, |pair| pair, k);
    let right = by_value.max(by_both);
    100 * u128::from(right) >= u128::from(DETERMINED) * u128::from(all)
        && 2 * (all - right) <= all - by_published
}

/// A value of the column and the published value of the attribute.
type ValuePair = (u64, u64);

/// The records for which the most frequent finer value under their key is right, of keys that at
/// least so many records have.
fn rightly_guessed(
    seen: &[(ValuePair, u64, u64)],
    key: impl Fn(ValuePair) -> (u64, u64),
    least: u64,
) -> u64 {
    let mut counts: FxHashMap<(u64, u64), FxHashMap<u64, u64>> = FxHashMap::default();
    for &(pair, value, records) in seen {
        *counts.entry(key(pair)).or_default().entry(value).or_default() += records;
    }
    let crowds = counts.values().filter(|values| values.values().sum::<u64>() >= least);
    crowds.filter_map(|values| values.values().max()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decades() -> Hierarchy {
        let path = |age: u32| [age.to_string(), format!("{}0s", age / 10)];
        Hierarchy::from_paths("age", (20..60).map(path)).unwrap()
    }

    /// Four records of each age, published as `published`; the column is what `column` makes of it.
    fn shadow(published: fn(u32) -> String, column: fn(u32, u32) -> String) -> bool {
        let mut links: FxHashMap<Link, u64> = FxHashMap::default();
        for (age, copy) in (20..60).flat_map(|age| (0..4).map(move |copy| (age, copy))) {
            let link = (hash(&column(age, copy)), hash(&published(age)), hash(&age.to_string()));
            *links.entry(link).or_default() += 1;
        }
        determines(&links, Some(&decades()), 4)
    }

    #[test]
    fn a_copy_under_another_name_is_a_shadow() {
        assert!(shadow(|age| format!("{}0s", age / 10), |age, _| format!("born {}", 2026 - age)));
        assert!(shadow(|_| "*".into(), |age, _| (age / 10).to_string()));
    }

    #[test]
    fn a_copy_of_what_is_dropped_is_a_shadow() {
        let links = |column: fn(u64) -> u64| (0..40).map(move |v| ((column(v), 0, v), 5)).collect();
        assert!(determines(&links(|v| v + 1000), None, 4));
        assert!(!determines(&links(|v| v % 7), None, 4));
    }

    #[test]
    fn what_completes_the_published_value_is_a_shadow() {
        assert!(shadow(|age| format!("{}0s", age / 10), |age, _| (age % 10).to_string()));
    }

    #[test]
    fn what_says_no_more_than_is_published_is_no_shadow() {
        assert!(!shadow(|age| format!("{}0s", age / 10), |age, _| (age / 10).to_string()));
        assert!(!shadow(|age| age.to_string(), |age, _| age.to_string()));
        assert!(!shadow(|_| "*".into(), |_, copy| copy.to_string()));
    }

    /// How many records have each value of a column and each value of an attribute that is dropped.
    fn links(counts: &[(u64, u64, u64)]) -> FxHashMap<Link, u64> {
        counts.iter().map(|&(value, recorded, records)| ((value, 0, recorded), records)).collect()
    }

    #[test]
    fn a_shadow_is_right_for_ninety_five_per_cent_of_the_records() {
        for (wrong, expected) in [(5, true), (6, false)] {
            let links = links(&[(1, 1, 50), (1, 2, wrong), (2, 2, 50 - wrong)]);
            assert_eq!(determines(&links, None, 5), expected, "{wrong} of 100 are wrong");
        }
    }

    #[test]
    fn a_shadow_is_wrong_for_at_most_half_as_many_records_as_a_guess_without_it() {
        // 98 of 100 records have the same value, so a guess is wrong for two.
        assert!(!determines(&links(&[(1, 1, 98), (1, 2, 2)]), None, 5));
        assert!(determines(&links(&[(1, 1, 98), (1, 2, 1), (2, 2, 1)]), None, 5));
    }

    #[test]
    fn pairs_that_fewer_than_k_records_have_determine_nothing() {
        let link = |age: u32| {
            let (digit, decade) = ((age % 10).to_string(), format!("{}0s", age / 10));
            ((hash(&digit), hash(&decade), hash(&age.to_string())), 4)
        };
        let links: FxHashMap<Link, u64> = (20..60).map(link).collect();
        assert!(determines(&links, Some(&decades()), 4));
        assert!(!determines(&links, Some(&decades()), 5));
    }
}
