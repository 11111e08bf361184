//! What measures declare about more general schemes and about suppression is true.

use std::cell::RefCell;
use std::collections::BTreeSet;

use haggle_cube::Lattice;
use haggle_loss::{CATALOG, Measure};
use haggle_model::Scheme;
use haggle_testkit::generate::check;
use proptest::prelude::*;

use super::sides::{CatalogLoss, Sides, cases, same};

/// The measures for which a random table refutes a property; those that declare it panic.
fn refuted(
    name: &str,
    declares: impl Fn(&Measure) -> bool,
    falls: impl Fn(&Sides<'_>, &CatalogLoss, &[u8]) -> Option<String>,
) -> BTreeSet<&'static str> {
    let refuted: RefCell<BTreeSet<&'static str>> = RefCell::default();
    check(1500, &(cases(), any::<[u8; 16]>()), |(case, draw)| {
        let sides = Sides::of(&case);
        for judge in &sides.judges {
            if let Some(why) = falls(&sides, judge, &draw) {
                prop_assert!(!declares(judge.entry), "{} is not {name}: {why}", judge.entry.id);
                refuted.borrow_mut().insert(judge.entry.id);
            }
        }
        Ok(())
    });
    refuted.into_inner()
}

/// Whether a loss is less than another by more than rounding.
fn less(a: f64, b: f64) -> bool {
    a < b && !same(a, b)
}

/// An edge of the lattice along which the loss falls with nothing suppressed.
fn falling_edge(sides: &Sides<'_>, judge: &CatalogLoss) -> Option<String> {
    let loss = |scheme: &Scheme| sides.of_groups(judge, scheme, |_| true);
    let top = sides.lattice.space().top();
    for low in sides.schemes() {
        for position in (0..low.levels().len()).filter(|&p| low.level(p) < top.level(p)) {
            let level = low.level(position).index() as u8 + 1;
            let high = low.with(position, level.into());
            let (below, above) = (loss(&low), loss(&high));
            if less(above, below) {
                return Some(format!("{low} loses {below}, {high} only {above}"));
            }
        }
    }
    None
}

/// A scheme and a group whose suppression lowers the loss, with other groups suppressed or not.
fn falling_group(sides: &Sides<'_>, judge: &CatalogLoss, draw: &[u8]) -> Option<String> {
    for (number, scheme) in sides.schemes().into_iter().enumerate() {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        sides.lattice.cube().for_each_group(&scheme, 0, |codes, _| groups.push(codes.to_vec()));
        let place = |i: usize| (draw[(i + number) % draw.len()], i);
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&i| place(i));
        let mut before = f64::NEG_INFINITY;
        for suppressed in 0..=order.len() {
            let gone: BTreeSet<&Vec<u32>> =
                order[..suppressed].iter().map(|&i| &groups[i]).collect();
            let now = sides.of_groups(judge, &scheme, |codes| !gone.contains(&codes.to_vec()));
            if less(now, before) {
                return Some(format!(
                    "{scheme} without {suppressed} groups falls from {before} to {now}"
                ));
            }
            before = now;
        }
    }
    None
}

#[test]
fn monotone_measures_are_monotone() {
    let refuted =
        refuted("monotone", |entry| entry.monotone, |sides, judge, _| falling_edge(sides, judge));
    assert_eq!(
        refuted,
        ["hybrid", "query-error"].into(),
        "and tables that show otherwise are found"
    );
}

#[test]
fn suppressing_a_group_costs_where_that_is_declared() {
    let refuted = refuted("costly to suppress in", |entry| entry.suppressing_costs, falling_group);
    let expected = ["entropy", "kl-divergence", "query-error"];
    assert_eq!(refuted, expected.into(), "and tables that show otherwise");
}

/// A scheme and two groups, where the cost of the second depends on whether the first is published.
fn entangled(sides: &Sides<'_>, judge: &CatalogLoss, draw: &[u8]) -> Option<String> {
    for (number, scheme) in sides.schemes().into_iter().enumerate() {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        sides.lattice.cube().for_each_group(&scheme, 0, |codes, _| groups.push(codes.to_vec()));
        let chosen =
            |i: usize| &groups[usize::from(draw[(i + number) % draw.len()]) % groups.len()];
        let (one, other) = (chosen(0), chosen(1));
        if one == other {
            continue;
        }
        let without = |gone: &[&Vec<u32>]| {
            sides.of_groups(judge, &scheme, |codes| !gone.contains(&&codes.to_vec()))
        };
        let (alone, after) =
            (without(&[one]) - without(&[]), without(&[one, other]) - without(&[other]));
        if !same(alone, after) {
            return Some(format!("in {scheme} a group costs {alone}, without another {after}"));
        }
    }
    None
}

#[test]
fn groups_of_additive_measures_are_independent() {
    let refuted = refuted("additive", |entry| entry.additive, entangled);
    let others = CATALOG.iter().filter(|entry| !entry.additive).map(|entry| entry.id);
    assert_eq!(refuted, others.collect(), "and tables that show it of all others");
}
