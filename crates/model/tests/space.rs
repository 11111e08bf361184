//! The lattice's order, index and walks against naive enumeration.

use std::ops::ControlFlow;

use haggle_model::{Hierarchy, Level, Scheme, Space, Sublattice};
use haggle_testkit::generate::check;
use proptest::collection::vec;
use proptest::prelude::*;

/// Every scheme whose levels lie within the bounds, in the order of levels.
fn between(low: &[u8], high: &[u8]) -> Vec<Vec<u8>> {
    let mut schemes: Vec<Vec<u8>> = vec![Vec::new()];
    for (&low, &high) in low.iter().zip(high) {
        let longer = |scheme: Vec<u8>| (low..=high).map(move |l| [&scheme[..], &[l]].concat());
        schemes = schemes.into_iter().flat_map(longer).collect();
    }
    schemes
}

fn sum(levels: &[u8]) -> u32 {
    levels.iter().map(|&level| u32::from(level)).sum()
}

fn levels(scheme: &Scheme) -> Vec<u8> {
    scheme.levels().iter().map(|&level| level.into()).collect()
}

/// The part's walk shows just the expected schemes, height by height.
fn assert_walks(part: &Sublattice, expected: &[Vec<u8>]) {
    let heights: Vec<u32> = part.heights().collect();
    let lowest = expected.iter().map(|s| sum(s)).min().unwrap();
    let highest = expected.iter().map(|s| sum(s)).max().unwrap();
    assert_eq!(heights, (lowest..=highest).collect::<Vec<_>>());
    for height in 0..=highest + 2 {
        let walked: Vec<Vec<u8>> = part.at_height(height).map(|s| levels(&s)).collect();
        let there: Vec<Vec<u8>> = expected.iter().filter(|s| sum(s) == height).cloned().collect();
        assert_eq!(walked, there, "at height {height}");
    }
}

/// The tops of a space, maximum levels under them, an attribute and a level of it.
fn spaces() -> impl Strategy<Value = (Vec<u8>, Vec<u8>, usize, u8)> {
    vec((0..5_u8, any::<u8>()), 1..=5).prop_flat_map(|bounds| {
        let tops: Vec<u8> = bounds.iter().map(|&(top, _)| top).collect();
        let caps = bounds.iter().map(|&(top, cap)| cap % (top + 1)).collect();
        let position = 0..tops.len();
        (Just(tops), Just(caps), position, any::<u8>()).prop_map(|(tops, caps, position, level)| {
            let level = level % (tops[position] + 1);
            (tops, caps, position, level)
        })
    })
}

#[test]
fn schemes_are_in_the_order_of_their_levels() {
    check(1000, &spaces(), |(tops, _, position, _)| {
        let space = Space::new(Scheme::new(tops.clone()));
        let all = between(&vec![0; tops.len()], &tops);
        prop_assert_eq!(space.size(), Some(all.len()));
        prop_assert_eq!(space.attributes(), tops.len());
        let strides = space.strides();
        for (index, expected) in all.iter().enumerate() {
            let scheme = Scheme::new(expected.clone());
            prop_assert_eq!(space.index(&scheme), index);
            prop_assert_eq!(space.scheme(index), scheme.clone());
            prop_assert_eq!(scheme.height(), sum(expected));
            prop_assert!(space.contains(&scheme));
            if expected[position] < tops[position] {
                let up = scheme.with(position, scheme.level(position).up());
                prop_assert_eq!(space.index(&up), index + strides[position]);
            }
        }
        let outside = space.top().with(position, space.top().level(position).up());
        prop_assert!(!space.contains(&outside));
        Ok(())
    });
}

#[test]
fn walks_show_every_scheme_of_a_part_once() {
    check(1000, &spaces(), |(tops, caps, position, level)| {
        let bottom = vec![0; tops.len()];
        let space = Space::new(Scheme::new(tops.clone()));
        assert_walks(&space.all(), &between(&bottom, &tops));
        let part = space.under(&Scheme::new(caps.clone()));
        assert_walks(&part, &between(&bottom, &caps));
        let raised = |(i, &cap): (usize, &u8)| if i == position { level.min(cap) } else { 0 };
        let above: Vec<u8> = caps.iter().enumerate().map(raised).collect();
        assert_walks(&part.above(&Scheme::new(above.clone())), &between(&above, &caps));
        let (mut low, mut high) = (bottom, caps);
        (low[position], high[position]) = (level, level);
        assert_walks(&part.fixed(position, Level::from(level)), &between(&low, &high));
        Ok(())
    });
}

#[test]
fn a_walk_stops_where_the_visitor_breaks() {
    check(500, &(spaces(), any::<u8>()), |((tops, ..), draw)| {
        let space = Space::new(Scheme::new(tops.clone()));
        let height = u32::from(draw) % (sum(&tops) + 1);
        let there: Vec<Scheme> = space.all().at_height(height).collect();
        let stop = usize::from(draw) % there.len();
        let mut seen = Vec::new();
        let walk = space.all().visit_height(height, &mut |scheme| {
            seen.push(scheme.clone());
            if seen.len() > stop {
                ControlFlow::Break(scheme.clone())
            } else {
                ControlFlow::Continue(())
            }
        });
        prop_assert_eq!(&seen, &there[..=stop]);
        prop_assert_eq!(walk, ControlFlow::Break(there[stop].clone()));
        Ok(())
    });
}

#[test]
fn order_and_distance_go_level_by_level() {
    let pairs = vec((0..6_u8, 0..6_u8), 1..=6);
    check(2000, &pairs, |pairs| {
        let (mine, caps): (Vec<u8>, Vec<u8>) = pairs.iter().copied().unzip();
        let (scheme, caps) = (Scheme::new(mine), Scheme::new(caps));
        let excess = |&(level, cap): &(u8, u8)| u32::from(level.max(cap) - cap);
        prop_assert_eq!(scheme.beyond(&caps), pairs.iter().map(excess).sum::<u32>());
        prop_assert_eq!(scheme.is_under(&caps), scheme.beyond(&caps) == 0);
        prop_assert_eq!(scheme.to_string().parse::<Scheme>(), Ok(scheme.clone()));
        let json = serde_json::to_string(&scheme).unwrap();
        prop_assert_eq!(serde_json::from_str::<Scheme>(&json).unwrap(), scheme);
        Ok(())
    });
}

#[test]
fn a_space_larger_than_the_machine_has_no_size() {
    let space = Space::new(Scheme::new([3; 40]));
    assert_eq!(space.size(), None);
    assert_eq!(space.top().height(), 120);
    assert_eq!(space.all().at_height(1).count(), 40);
    assert_eq!(space.all().at_height(60).take(1000).count(), 1000, "made when wanted");
}

#[test]
fn the_space_of_hierarchies_has_their_tops() {
    let flat = Hierarchy::flat(["f", "m"]);
    let deep = Hierarchy::from_paths("age", [["37", "30-39", "*"], ["41", "40-49", "*"]]).unwrap();
    assert_eq!(Space::of([&flat, &deep]).top(), &Scheme::new([1, 2]));
}
