//! Every measure on recodings that are not schemes: equal to that on schemes, and to its
//! definition.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use haggle_cube::{Applied, Base, Cube};
use haggle_loss::{Basis, CATALOG};
use haggle_model::{Hierarchy, Level, QuasiIdentifier, Region, Scheme};
use haggle_testkit::generate::check;
use haggle_testkit::oracle::losses::Losses;
use proptest::collection::vec;
use proptest::prelude::*;

use super::sides::{Case, CatalogLoss, ESTIMATES, Sides, cases, closeness, same};

/// Every measure of the catalog, estimates too.
fn all_judges(sides: &Sides<'_>) -> Vec<CatalogLoss> {
    let (cube, case) = (sides.lattice.cube(), sides.case);
    let basis = Basis::of(cube).with_weights(case.weights.clone()).with_class(case.sensitive);
    let basis = basis.with_distance(closeness(cube, case.sensitive));
    CATALOG.iter().map(|entry| CatalogLoss { entry, loss: (entry.loss)(&basis).unwrap() }).collect()
}

#[test]
fn a_scheme_loses_the_same_as_a_recoding() {
    check(300, &(cases(), 0..3_u64), |(case, least)| {
        let sides = Sides::of(&case);
        let (cube, judges) = (sides.lattice.cube(), all_judges(&sides));
        let base = Base::of(cube);
        for scheme in sides.schemes() {
            let mut records = BTreeMap::new();
            cube.for_each_group(&scheme, 0, |codes, group| {
                records.insert(codes.to_vec(), group.records);
            });
            let applied = Applied::levels(cube.attributes(), &base, &scheme);
            prop_assert_eq!(applied.len(), records.len());
            for judge in &judges {
                let keep = |codes: &[u32]| records[codes] > least;
                let expected = sides.estimate(judge.loss.as_ref(), &scheme, keep);
                let bottom = cube.space().bottom();
                let found = applied
                    .loss(&base, &bottom, judge.loss.as_ref(), |part| keep(applied.codes(part)));
                let id = judge.entry.id;
                prop_assert!(
                    same(found.0, expected.0),
                    "{id} of {scheme}: {found:?}, not {expected:?}"
                );
                let errors = (found.1.unwrap_or(0.0), expected.1.unwrap_or(0.0));
                prop_assert!(
                    same(errors.0, errors.1),
                    "{id} of {scheme}: {found:?}, not {expected:?}"
                );
            }
        }
        Ok(())
    });
}

/// A cut through a hierarchy: from the top down, each value is kept or split.
fn cut(hierarchy: &Hierarchy, draws: &mut impl Iterator<Item = u8>) -> Vec<Region> {
    fn below(
        hierarchy: &Hierarchy,
        code: u32,
        level: Level,
        draws: &mut dyn Iterator<Item = u8>,
        cut: &mut Vec<Region>,
    ) {
        let leaves = hierarchy.leaves(code, level);
        if leaves.len() == 1 || draws.next().is_none_or(|draw| draw < 90) {
            cut.push(Region::new(hierarchy, leaves));
            return;
        }
        let lower = Level::from(u8::from(level) - 1);
        let mut next = leaves.start;
        while next < leaves.end {
            let child = hierarchy.ancestor(next, lower);
            below(hierarchy, child, lower, draws, cut);
            next = hierarchy.leaves(child, lower).end;
        }
    }
    let mut found = Vec::new();
    below(hierarchy, 0, hierarchy.top(), draws, &mut found);
    found
}

/// Boxes by repeatedly splitting the largest box at random positions.
fn boxes(attributes: &[QuasiIdentifier], draws: &[(u8, u8)]) -> Vec<Vec<Region>> {
    let mut boxes: Vec<Vec<Region>> = vec![
        attributes
            .iter()
            .map(|a| Region::new(&a.hierarchy, 0..a.hierarchy.len(Level::RECORDED) as u32))
            .collect(),
    ];
    for (which, place) in draws {
        let chosen = *which as usize % boxes.len();
        let side = *place as usize % attributes.len();
        let leaves = boxes[chosen][side].leaves.clone();
        if leaves.len() < 2 {
            continue;
        }
        let middle = leaves.start + 1 + u32::from(*place) % (leaves.len() as u32 - 1);
        let hierarchy = &attributes[side].hierarchy;
        let mut upper = boxes[chosen].clone();
        boxes[chosen][side] = Region::new(hierarchy, leaves.start..middle);
        upper[side] = Region::new(hierarchy, middle..leaves.end);
        boxes.push(upper);
    }
    boxes
}

/// Which levels each base group is published at: the groups of a scheme stay or go to a higher one.
fn parts(attributes: &[QuasiIdentifier], base: &Base, draws: &[(u8, u8)]) -> Vec<Vec<Region>> {
    let draw = |i: usize| draws.get(i).copied().unwrap_or((0, 0));
    let levels = |(i, a): (usize, &QuasiIdentifier)| {
        let top = u8::from(a.hierarchy.top());
        let low = draw(i).0 % (top + 1);
        (low, low + draw(i).1 % (top - low + 1))
    };
    let levels: Vec<(u8, u8)> = attributes.iter().enumerate().map(levels).collect();
    let side = |row: usize| {
        let codes = base.codes(row).iter().zip(attributes).zip(&levels);
        let group =
            codes.clone().map(|((&code, a), &(low, _))| a.hierarchy.ancestor(code, low.into()));
        let stays = draw(group.sum::<u32>() as usize).0 < 128;
        let region = |((&code, a), &(low, high)): ((&u32, &QuasiIdentifier), &(u8, u8))| {
            let level = Level::from(if stays { low } else { high });
            Region::new(&a.hierarchy, a.hierarchy.leaves(a.hierarchy.ancestor(code, level), level))
        };
        codes.map(region).collect()
    };
    (0..base.len()).map(side).collect()
}

/// A recoding of a kind, and for each record the values that its cells cover.
pub(super) struct Drawn {
    pub(super) applied: Applied,
    pub(super) sets: Vec<Vec<BTreeSet<String>>>,
}

/// Random cuts, boxes and levels by part.
pub(super) fn drawn(case: &Case, cube: &Cube, base: &Base, draws: &[(u8, u8)]) -> [Drawn; 3] {
    let attributes = cube.attributes();
    let mut numbers = draws.iter().flat_map(|&(a, b)| [a, b]);
    let cuts: Vec<_> = attributes.iter().map(|a| cut(&a.hierarchy, &mut numbers)).collect();
    let every = cuts.iter().fold(vec![Vec::new()], |rows: Vec<Vec<Region>>, cut| {
        let longer = |row: &Vec<Region>| {
            cut.iter().map(|r| [&row[..], std::slice::from_ref(r)].concat()).collect::<Vec<_>>()
        };
        rows.iter().flat_map(longer).collect()
    });
    let boxes = boxes(attributes, draws);
    let holds = |sides: &&Vec<Region>, row| {
        sides.iter().zip(base.codes(row)).all(|(side, code)| side.leaves.contains(code))
    };
    let in_boxes = Applied::boxes(attributes, base, |row| {
        boxes.iter().find(|sides| holds(sides, row)).unwrap()
    });
    let parts = parts(attributes, base, draws);
    let row_of = |codes: &[u32]| (0..base.len()).find(|&row| base.codes(row) == codes).unwrap();
    [
        Drawn {
            applied: Applied::cuts(attributes, base, cuts),
            sets: sets(case, attributes, |codes| first(&every, codes)),
        },
        Drawn { applied: in_boxes, sets: sets(case, attributes, |codes| first(&boxes, codes)) },
        Drawn {
            applied: Applied::boxes(attributes, base, |row| &parts[row]),
            sets: sets(case, attributes, |codes| &parts[row_of(codes)]),
        },
    ]
}

/// The first of some boxes that holds these codes.
fn first<'b>(boxes: &'b [Vec<Region>], codes: &[u32]) -> &'b [Region] {
    let holds = |sides: &&Vec<Region>| sides.iter().zip(codes).all(|(s, c)| s.leaves.contains(c));
    boxes.iter().find(holds).expect("the boxes cover everything")
}

/// What every record covers, from its own values.
fn sets<'b>(
    case: &Case,
    attributes: &[QuasiIdentifier],
    sides: impl Fn(&[u32]) -> &'b [Region],
) -> Vec<Vec<BTreeSet<String>>> {
    let value = |a: &QuasiIdentifier, code| a.hierarchy.label(code, Level::RECORDED).to_owned();
    let set =
        |(side, a): (&Region, &QuasiIdentifier)| side.leaves.clone().map(|c| value(a, c)).collect();
    let one = |record: &Vec<String>| {
        let codes: Vec<u32> =
            attributes.iter().zip(record).map(|(a, v)| a.hierarchy.code(v).unwrap()).collect();
        sides(&codes).iter().zip(attributes).map(set).collect()
    };
    case.table.records.iter().map(one).collect()
}

fn assert_as_defined(
    sides: &Sides<'_>,
    applied: &Applied,
    base: &Base,
    sets: &[Vec<BTreeSet<String>>],
    least: usize,
    seen: &mut BTreeSet<(&'static str, bool)>,
) {
    let losses = Losses::of(&sides.case.table);
    let alike = |record: usize| sets.iter().filter(|other| **other == sets[record]).count();
    let published = losses.published_as(sets, &|record| alike(record) > least);
    let mut records = Vec::new();
    applied.for_each_group(base, 0, |_, group| records.push(group.records));
    for judge in &sides.judges {
        let id = judge.entry.id;
        let expected = published.loss(id, &sides.case.weights, sides.case.sensitive);
        let bottom = sides.lattice.cube().space().bottom();
        let (found, _) =
            applied.loss(base, &bottom, judge.loss.as_ref(), |part| records[part] > least as u64);
        assert!(same(found, expected), "{id} is {found}, not {expected}");
        seen.insert((id, published.suppressed() > 0));
    }
}

#[test]
fn measures_are_as_defined_on_cuts_boxes_and_parts() {
    let seen: RefCell<[BTreeSet<(&str, bool)>; 3]> = RefCell::default();
    let inputs = (cases(), vec((any::<u8>(), any::<u8>()), 0..20), 0..3_usize);
    check(500, &inputs, |(case, draws, least)| {
        let sides = Sides::of(&case);
        let cube = sides.lattice.cube();
        let base = Base::of(cube);
        let drawn = drawn(&case, cube, &base, &draws);
        for (Drawn { applied, sets }, seen) in drawn.iter().zip(seen.borrow_mut().iter_mut()) {
            assert_as_defined(&sides, applied, &base, sets, least, seen);
        }
        Ok(())
    });
    for seen in seen.borrow().iter() {
        assert_eq!(
            seen.len(),
            2 * (CATALOG.len() - ESTIMATES.len()),
            "with and without suppression"
        );
    }
}

/// The spans of a manifest describe boxes well enough to publish them again.
#[test]
fn the_spans_of_boxes_describe_them() {
    check(300, &(cases(), vec((any::<u8>(), any::<u8>()), 0..12)), |(case, draws)| {
        let cube = case.table.cube().unwrap();
        let (attributes, base) = (cube.attributes(), Base::of(&cube));
        let [_, Drawn { applied, .. }, _] = drawn(&case, &cube, &base, &draws);
        let boxes = applied.spans(attributes);
        let recoding = haggle_model::Recoding::Boxes { boxes, tight: false };
        let again = Applied::new(attributes, &base, &recoding).unwrap();
        prop_assert_eq!(again.len(), applied.len(), "its own spans describe it");
        let labels = |applied: &Applied| -> BTreeSet<Vec<String>> {
            (0..applied.len())
                .map(|p| applied.labels(p).iter().map(|&l| l.into()).collect())
                .collect()
        };
        prop_assert_eq!(labels(&again), labels(&applied));
        prop_assert_eq!(labels(&again).len(), applied.len(), "no two parts have the same labels");
        Ok(())
    });
}

/// Published codes correspond to what each counted record became.
#[test]
fn a_recoder_publishes_records_as_their_part() {
    check(200, &(cases(), vec((any::<u8>(), any::<u8>()), 0..12)), |(case, draws)| {
        let cube = case.table.cube().unwrap();
        let (attributes, base) = (cube.attributes(), Base::of(&cube));
        let boxes = boxes(attributes, &draws);
        let published = Applied::boxes(attributes, &base, |row| {
            let holds = |sides: &&Vec<Region>| {
                sides.iter().zip(base.codes(row)).all(|(side, code)| side.leaves.contains(code))
            };
            boxes.iter().find(holds).unwrap()
        });
        let scheme = Scheme::new(cube.space().top().levels().iter().map(|&l| u8::from(l) / 2));
        for applied in [published, Applied::levels(attributes, &base, &scheme)] {
            let recoder = applied.recoder(attributes, &base);
            let mut records = BTreeMap::new();
            for record in &case.table.records {
                let values: Vec<&str> =
                    record[..attributes.len()].iter().map(AsRef::as_ref).collect();
                let codes = recoder.group(&values).expect("it was counted");
                *records.entry(codes).or_insert(0) += 1;
            }
            let mut expected = BTreeMap::new();
            applied.for_each_group(&base, 0, |part, group| {
                expected.insert(applied.codes(part).to_vec(), group.records);
            });
            prop_assert_eq!(records, expected);
        }
        Ok(())
    });
}
