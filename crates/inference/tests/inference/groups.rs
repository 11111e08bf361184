//! A publication as groups with value sets: from recodings and from files with mixed cells.

use std::collections::BTreeMap;

use haggle_cube::query::ValueSet;
use haggle_cube::{Applied, Base, Cube};
use haggle_inference::groups::FileColumns;
use haggle_inference::{JointCounts, PublishedGroups, Suppression};
use haggle_model::{Region, Scheme};
use haggle_testkit::generate::{Shape, check, tables_of};
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
        Region::of(hierarchy, left..right)
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
        let joint = JointCounts::of(&cube, Some(0));
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
            let groups = PublishedGroups::of(&joint, &applied, kept, Suppression::Starred);
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
        let joint = JointCounts::of(&cube, Some(0));
        let applied = random_boxes(&cube, &base, &draw);
        let groups = PublishedGroups::of(&joint, &applied, |_| true, Suppression::Dropped);
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
