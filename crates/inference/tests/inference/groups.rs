//! A publication as groups with value sets: from recodings and from files with mixed cells.

use std::cell::Cell;
use std::collections::BTreeMap;

use haggle_cube::query::ValueSet;
use haggle_cube::{Applied, Base, Cube};
use haggle_inference::groups::{FileColumns, value_set};
use haggle_inference::{JointCounts, PublishedGroups, Suppression};
use haggle_model::{Hierarchy, Level, QuasiIdentifier, Region, Scheme};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, repeated_labels, tables_of};
use proptest::prelude::*;

fn shape() -> Shape {
    Shape { attributes: 3, schemes: 18, records: 40, sensitive: 1 }
}

/// A box around each base group: the first of a few random ranges that contains it.
pub(crate) fn random_boxes(cube: &Cube, base: &Base, draw: &[u8]) -> Applied {
    let side = |row: usize, position: usize| {
        let hierarchy = &cube.attributes()[position].hierarchy;
        let (all, code) = (hierarchy.len(0.into()) as u32, base.codes(row)[position]);
        let left = u32::from(draw[(row + position) % draw.len()]) % (code + 1);
        let right = code + 1 + u32::from(draw[(2 * row + position) % draw.len()]) % (all - code);
        Region::new(hierarchy, left..right)
    };
    let boxes: Vec<Vec<Region>> = (0..base.len())
        .map(|row| (0..base.attributes()).map(|position| side(row, position)).collect())
        .collect();
    Applied::boxes(cube.attributes(), base, |row| &boxes[row])
}

#[test]
fn every_record_may_lie_in_the_group_that_it_is_published_in() {
    check(400, &(tables_of(shape()), any::<[u8; 8]>()), |(table, draw)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let joint = JointCounts::from_cube(&cube, Some(0));
        let space = cube.space();
        let levels: Vec<u8> = space
            .top()
            .levels()
            .iter()
            .zip(draw)
            .map(|(&top, d)| d % (u8::from(top) + 1))
            .collect();
        let scheme = Applied::levels(cube.attributes(), &base, &Scheme::new(levels));
        for applied in [scheme, random_boxes(&cube, &base, &draw)] {
            let kept = |part: usize| draw[part % 8] % 3 > 0;
            let groups = PublishedGroups::new(&joint, &applied, kept, Suppression::Starred);
            prop_assert_eq!(groups.records(), table.records.len() as u64);
            prop_assert_eq!(groups.dropped(), Some(0));
            let numbered = (0..applied.len()).filter(|&part| kept(part)).zip(0..);
            let numbers: BTreeMap<usize, usize> = numbered.collect();
            for part in 0..applied.len() {
                let group = numbers.get(&part).copied().unwrap_or(numbers.len());
                for &row in applied.rows(part) {
                    prop_assert!(groups.may_hold(group, base.codes(row as usize)));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_file_with_mixed_cells_has_the_groups_that_it_was_written_from() {
    check(400, &(tables_of(shape()), any::<[u8; 8]>()), |(table, draw)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let joint = JointCounts::from_cube(&cube, Some(0));
        let applied = random_boxes(&cube, &base, &draw);
        let groups = PublishedGroups::new(&joint, &applied, |_| true, Suppression::Dropped);
        let mut cells = FileColumns::new(cube.attributes());
        let mut records = Vec::new();
        for part in 0..applied.len() {
            let labels = applied.labels(part);
            for value in &groups.groups()[part].values {
                let resolve = |(i, label): (usize, &&str)| cells.resolve(i, label).unwrap();
                let sides: Vec<ValueSet> = labels.iter().enumerate().map(resolve).collect();
                records.push((sides, value.codes.to_vec(), value.count));
            }
        }
        let file = PublishedGroups::of_file(cube.attributes(), joint.columns(), records);
        prop_assert_eq!(file.records(), groups.records());
        let counted = |all: &PublishedGroups<'_>| {
            let group = |g: usize| {
                let sides = all.sides(g).map(|s| s.into_iter().cloned().collect::<Vec<_>>());
                (sides, all.groups()[g].counts(0))
            };
            (0..all.groups().len()).map(group).collect::<BTreeMap<_, _>>()
        };
        let whole = |sides: &Option<Vec<ValueSet>>| {
            let sizes = cube.attributes().iter().map(|a| a.hierarchy.len(0.into()));
            sides.as_ref().is_some_and(|s| s.iter().map(ValueSet::len).eq(sizes))
        };
        let expected: BTreeMap<_, _> = counted(&groups)
            .into_iter()
            .map(|(sides, counts)| {
                let starred = groups.groups().len() > 1 && whole(&sides);
                (if starred { None } else { sides }, counts)
            })
            .collect();
        prop_assert_eq!(counted(&file), expected);
        Ok(())
    });
}

#[test]
fn a_label_on_several_levels_is_read_by_its_level_or_as_all_that_it_may_stand_for() {
    check(500, &repeated_labels(), |paths| {
        let hierarchy = Hierarchy::from_paths("a", &paths).unwrap();
        let attributes = [QuasiIdentifier { name: "a".into(), hierarchy }];
        let hierarchy = &attributes[0].hierarchy;
        for level in (0..=u8::from(hierarchy.top())).map(Level::from) {
            let mut cells = FileColumns::at_levels(&attributes, |_| Some(level));
            for code in 0..hierarchy.len(level) as u32 {
                let (label, leaves) = (hierarchy.label(code, level), hierarchy.leaves(code, level));
                let leaves = ValueSet::range(leaves);
                prop_assert_eq!(cells.resolve(0, label).unwrap(), leaves);
                let has_label = |level: usize, leaf: u32| {
                    hierarchy.path(leaf).nth(level).is_some_and(|other| other == label)
                };
                let levels = usize::from(u8::from(hierarchy.top())) + 1;
                let may_be = |leaf: &u32| (0..levels).any(|level| has_label(level, *leaf));
                let values = 0..hierarchy.len(Level::RECORDED) as u32;
                let expected = ValueSet::codes(values.filter(may_be));
                prop_assert_eq!(value_set(hierarchy, label).unwrap(), expected);
            }
        }
        Ok(())
    });
}

#[test]
fn a_list_of_values_is_read_in_one_way_whatever_labels_are_repeated() {
    let lists = Cell::new(0);
    check(500, &repeated_labels(), |paths| {
        let hierarchy = Hierarchy::from_paths("a", &paths).unwrap();
        let values = hierarchy.len(Level::RECORDED) as u32;
        for range in (0..values).flat_map(|start| (start + 1..=values).map(move |end| start..end)) {
            let region = Region::new(&hierarchy, range.clone());
            let set = value_set(&hierarchy, &region.label).unwrap();
            if region.label.starts_with('{') {
                lists.set(lists.get() + 1);
                prop_assert_eq!(set, ValueSet::range(range), "{}", region.label);
            } else {
                prop_assert!(set.contains_all(&ValueSet::range(range)), "{}", region.label);
            }
        }
        Ok(())
    });
    assert!(lists.get() > enough(500), "only {} lists were read", lists.get());
}
