//! Cubes with changes, on random tables: the same as if the records had been so from the beginning.

use std::cell::Cell;

use haggle_cube::{CountedPart, Counter, Cube, NotThere, Recode};
use haggle_model::{Level, QuasiIdentifier, Watched};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of, wide_tables};
use proptest::prelude::*;

/// Records in the codes of the whole table's cube.
fn part(whole: &Cube, records: &[Vec<String>]) -> CountedPart {
    let (attributes, watched) = (whole.attributes(), whole.watched());
    let mut counter = Counter::new(attributes.len(), watched.len());
    for record in records {
        let code = |(i, value): (usize, &String)| match attributes.get(i) {
            Some(attribute) => attribute.hierarchy.code(value).unwrap(),
            None => watched[i - attributes.len()].values.code(value).unwrap(),
        };
        counter.add(&record.iter().enumerate().map(code).collect::<Vec<u32>>());
    }
    CountedPart { counter, recode: same(whole) }
}

fn sizes(cube: &Cube) -> Vec<usize> {
    let quasi = cube.attributes().iter().map(|a| a.hierarchy.len(Level::RECORDED));
    quasi.chain(cube.watched().iter().map(|w| w.values.len())).collect()
}

/// Every code becomes itself.
fn same(cube: &Cube) -> Recode {
    sizes(cube).into_iter().map(|size| (0..size as u32).collect()).collect()
}

/// The cube of some records over the values of the whole table.
fn cube_of(whole: &Cube, records: &[Vec<String>]) -> Cube {
    let (attributes, watched) = (whole.attributes().to_vec(), whole.watched().to_vec());
    Cube::from_parts(attributes, watched, &[part(whole, records)])
}

fn like(whole: &Cube) -> (Vec<QuasiIdentifier>, Vec<Watched>) {
    (whole.attributes().to_vec(), whole.watched().to_vec())
}

/// Some records are counted first, the others are added, and some of all are deleted. Returns
/// whether some were deleted and some are left.
fn assert_changes(table: &Table, first: usize, mask: u64) -> bool {
    let whole = table.cube().unwrap();
    let first = first % (table.records.len() + 1);
    let (old, added) = table.records.split_at(first);
    let mixed = |i: usize| (mask ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let is_deleted = |i: usize| mixed(i).is_multiple_of(3);
    let (deleted, left): (Vec<_>, Vec<_>) =
        table.records.iter().cloned().enumerate().partition(|(i, _)| is_deleted(*i));
    let records = |some: Vec<(usize, Vec<String>)>| some.into_iter().map(|(_, r)| r).collect();
    let (deleted, left): (Vec<Vec<String>>, Vec<Vec<String>>) = (records(deleted), records(left));
    let cube = cube_of(&whole, old);
    let (recode, sizes) = (same(&whole), sizes(&whole));
    let changed = cube
        .changed(&sizes, &recode, &[part(&whole, added)], &[part(&whole, &deleted)])
        .expect("all of these records exist");
    assert_eq!(changed.records(), left.len() as u64);
    for (column, occurring) in changed.occurring().iter().enumerate() {
        for (code, occurs) in occurring.iter().enumerate() {
            let label = match whole.attributes().get(column) {
                Some(a) => a.hierarchy.label(code as u32, Level::RECORDED),
                None => {
                    whole.watched()[column - whole.attributes().len()].values.value(code as u32)
                }
            };
            assert_eq!(*occurs, left.iter().any(|record| record[column] == label), "{label}");
        }
    }
    let (attributes, watched) = like(&whole);
    assert_eq!(changed.into_cube(attributes, watched, &recode), cube_of(&whole, &left));
    // One more than there are of what is left cannot be deleted.
    let changed = cube.changed(
        &sizes,
        &recode,
        &[part(&whole, added)],
        &[part(&whole, &table.records), part(&whole, &table.records[..1.min(table.records.len())])],
    );
    match changed {
        Err(NotThere(records)) => assert_eq!(records, 1),
        Ok(_) => assert!(table.records.is_empty()),
    }
    !deleted.is_empty() && !left.is_empty()
}

#[test]
fn changes_are_as_if_the_records_had_always_been_so() {
    let mixed = Cell::new(0);
    let shape = Shape { sensitive: 2, ..Shape::default() };
    check(1000, &(tables_of(shape), any::<usize>(), any::<u64>()), |(table, first, mask)| {
        mixed.set(mixed.get() + u32::from(assert_changes(&table, first, mask)));
        Ok(())
    });
    assert!(mixed.get() > enough(700), "only {} tables lost some records", mixed.get());
    let shape = Shape { sensitive: 0, ..Shape::default() };
    check(300, &(tables_of(shape), any::<usize>(), any::<u64>()), |(table, first, mask)| {
        assert_changes(&table, first, mask);
        Ok(())
    });
}

#[test]
fn wide_keys_take_changes_too() {
    for widths in [[11; 7].to_vec(), [13; 10].to_vec()] {
        check(2, &(wide_tables(&widths, 1), any::<usize>()), |(table, first)| {
            assert_changes(&table, first, 7);
            Ok(())
        });
    }
}
