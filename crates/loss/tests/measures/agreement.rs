//! A measure equals its definition on every publication of random tables.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_cube::Lattice;
use haggle_loss::CATALOG;
use haggle_model::Scheme;
use haggle_testkit::generate::{check, wide_tables};
use haggle_testkit::oracle::losses::{Losses, MEASURES};

use super::sides::{Case, ESTIMATES, Sides, cases, levels, same};

/// The statistic of each group of a scheme, by its labels.
fn statistics(sides: &Sides<'_>, column: usize, scheme: &Scheme) -> BTreeMap<Vec<String>, f64> {
    let groups = sides.oracle.groups(&levels(scheme));
    let of = |group: &haggle_testkit::oracle::Group<'_>| {
        let labels = group.labels.iter().map(|&label| label.into()).collect();
        (labels, (sides.defined[column].of)(group))
    };
    groups.iter().map(of).collect()
}

/// At these schemes and every threshold that makes a difference, including full suppression.
fn assert_agrees(
    sides: &Sides<'_>,
    column: usize,
    schemes: &[Scheme],
    seen: &mut BTreeSet<(&'static str, bool)>,
) {
    let losses = Losses::of(&sides.case.table);
    let weighed: Vec<_> = sides.judges.iter().map(|judge| sides.weighed(judge, column)).collect();
    for scheme in schemes {
        let position = sides.lattice.space().index(scheme);
        let statistics = statistics(sides, column, scheme);
        let values: BTreeSet<u64> = statistics.values().map(|&value| value as u64).collect();
        let beyond = values.last().map(|last| last + 1);
        for (failing, threshold) in values.iter().copied().chain(beyond).enumerate() {
            let kept = |labels: &[&str]| {
                let labels: Vec<String> = labels.iter().map(|&label| label.into()).collect();
                statistics[&labels] >= threshold as f64
            };
            let published = losses.published(&levels(scheme), &kept);
            for (judge, weighed) in sides.judges.iter().zip(&weighed) {
                let id = judge.entry.id;
                let expected = published.loss(id, &sides.case.weights, sides.case.sensitive);
                let found = weighed.loss(judge.loss.as_ref(), scheme, position, failing);
                assert!(
                    same(found, expected),
                    "{id} of {scheme} at {threshold} is {found}, not {expected}"
                );
                seen.insert((id, published.suppressed() > 0));
            }
        }
    }
}

#[test]
fn every_measure_is_as_defined_at_every_threshold() {
    let seen: RefCell<BTreeSet<(&str, bool)>> = RefCell::default();
    check(500, &cases(), |case| {
        let sides = Sides::of(&case);
        for column in 0..sides.statistics.len() {
            assert_agrees(&sides, column, &sides.schemes(), &mut seen.borrow_mut());
        }
        Ok(())
    });
    let known = CATALOG.iter().filter(|entry| MEASURES.contains(&entry.id)).count();
    assert_eq!(seen.borrow().len(), 2 * known, "each with and without suppression");
}

/// For keys of any number of machine words, what is carried up with a group arrives.
#[test]
fn measures_are_as_defined_over_wide_domains() {
    for widths in [vec![6; 2], vec![11; 6]] {
        check(1, &wide_tables(&widths, 2), |table| {
            let weights = (0..widths.len()).map(|i| f64::from(i as u8 % 3)).collect();
            let case = Case { table, weights, sensitive: 1 };
            let sides = Sides::of(&case);
            let all = sides.schemes();
            let some: Vec<Scheme> = all.iter().step_by(1 + all.len() / 3).cloned().collect();
            for column in 0..sides.statistics.len() {
                assert_agrees(&sides, column, &some, &mut BTreeSet::new());
            }
            Ok(())
        });
    }
}

#[test]
fn the_definitions_cover_the_catalog() {
    let mut known: Vec<&str> = MEASURES.iter().chain(ESTIMATES).copied().collect();
    known.sort_unstable();
    let unknown: Vec<&str> =
        CATALOG.iter().map(|entry| entry.id).filter(|id| !known.contains(id)).collect();
    assert_eq!(unknown, [""; 0], "define them on records, too");
}
