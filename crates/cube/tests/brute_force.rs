//! Every histogram and every group of random tables against brute force on their records.

mod groups;

use std::cell::Cell;

use crate::common::{assert_lattice, lattice};
use groups::{assert_groups, bits};
use haggle_cube::FrequencySet;
use haggle_model::{Level, Scheme};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables, tables_of, wide_tables};
use haggle_testkit::oracle::Oracle;
use haggle_testkit::{Attribute, Table};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn histograms_are_the_oracles_however_the_records_were_split() {
    let shape = Shape { schemes: 300, ..Shape::default() };
    check(3000, &(tables_of(shape), 1..6_usize), |(table, parts)| {
        let cube = table.cube_in_parts(parts).unwrap();
        assert_lattice(&table, &lattice(&table, cube));
        Ok(())
    });
}

#[test]
fn counting_in_parts_makes_the_same_cube() {
    check(2000, &(tables(), 2..40_usize), |(table, parts)| {
        let cube = table.cube().unwrap();
        prop_assert_eq!(&table.cube_in_parts(parts).unwrap(), &cube);
        prop_assert_eq!(cube.records(), table.records.len() as u64);
        let base = vec![0; table.attributes.len()];
        prop_assert_eq!(cube.base_groups(), Oracle::of(&table).groups(&base).len());
        Ok(())
    });
}

#[test]
fn groups_are_the_oracles_with_labels_and_values() {
    check(2000, &tables(), |table| {
        let cube = table.cube().unwrap();
        let oracle = Oracle::of(&table);
        for levels in oracle.schemes() {
            assert_groups(&cube, &oracle, &levels);
        }
        Ok(())
    });
}

#[test]
fn selected_attributes_make_the_cube_that_counts_only_them() {
    let strategy = tables().prop_flat_map(|table| {
        let all: Vec<usize> = (0..table.attributes.len()).collect();
        let keep = 1..=all.len();
        (Just(table), Just(all).prop_shuffle(), keep)
    });
    check(2000, &strategy, |(table, mut positions, keep)| {
        positions.truncate(keep);
        let selected = table.cube().unwrap().select(&positions);
        prop_assert_eq!(selected, table.select(&positions).cube().unwrap());
        Ok(())
    });
}

/// Dozens of attributes: keys of several words, far too many schemes to visit them all.
#[test]
fn groups_of_very_wide_tables_are_the_oracles() {
    let wide = Shape { attributes: 100, schemes: usize::MAX, ..Shape::default() };
    let wider_than = [64, 128].map(|width| (width, Cell::new(0)));
    check(300, &(tables_of(wide), vec(any::<u8>(), 100)), |(table, draws)| {
        let cube = table.cube_in_parts(3).unwrap();
        let oracle = Oracle::of(&table);
        let tops = oracle.tops();
        let drawn: Vec<u8> = tops.iter().zip(&draws).map(|(top, draw)| draw % (top + 1)).collect();
        let high = tops.iter().zip(&draws).map(|(top, draw)| top - u8::from(*draw < 30)).collect();
        for levels in [vec![0; tops.len()], drawn, high, tops.to_vec()] {
            assert_groups(&cube, &oracle, &levels);
        }
        for (width, count) in &wider_than {
            count.set(count.get() + u32::from(bits(&table) > *width));
        }
        Ok(())
    });
    for (width, count) in &wider_than {
        assert!(count.get() > enough(50), "only {} keys wider than {width} bits", count.get());
    }
}

/// Annotates full lattices whose keys take exactly this many bits.
fn assert_width(widths: &[u32], sensitive: usize, expected: u32) {
    check(6, &wide_tables(widths, sensitive), |table| {
        assert_eq!(bits(&table), expected);
        let cube = table.cube_in_parts(2).unwrap();
        let oracle = Oracle::of(&table);
        for levels in oracle.schemes().iter().step_by(50) {
            assert_groups(&cube, &oracle, levels);
        }
        assert_lattice(&table, &lattice(&table, cube));
        Ok(())
    });
}

#[test]
fn keys_that_fill_one_word_are_annotated() {
    assert_width(&[13, 12, 13, 13, 13], 0, 64);
}

#[test]
fn keys_of_one_bit_more_than_a_word_are_annotated() {
    assert_width(&[13, 12, 13, 13, 13], 1, 65);
}

#[test]
fn keys_that_fill_two_words_are_annotated() {
    assert_width(&[12, 13, 13, 14, 12, 13, 13, 13, 12, 13], 0, 128);
}

#[test]
fn keys_of_one_bit_more_than_two_words_are_annotated() {
    assert_width(&[12, 13, 13, 14, 12, 13, 13, 13, 12, 13], 1, 129);
}

#[test]
fn keys_of_many_words_are_annotated() {
    assert_width(&[14, 14, 15, 13, 14, 14, 15, 14, 14, 14], 1, 142);
}

/// On any path up, and whatever is watched: the groups are those of the scheme, in one order.
#[test]
fn frequency_sets_are_the_groups_of_their_scheme() {
    check(500, &(tables(), any::<u16>(), any::<u16>()), |(table, draw, other)| {
        let cube = table.cube().unwrap();
        let space = cube.space();
        let size = space.size().unwrap();
        let (one, other) =
            (space.scheme(draw as usize % size), space.scheme(other as usize % size));
        let levels = |pick: fn(Level, Level) -> Level| {
            let pairs = one.levels().iter().zip(other.levels());
            Scheme::new(pairs.map(|(&a, &b)| u8::from(pick(a, b))))
        };
        let (low, high) = (levels(Ord::min), levels(Ord::max));
        let watched = (0..cube.watched().len()).map(Some).chain([None]);
        for watched in watched {
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            cube.for_each_group(&high, watched.unwrap_or(0), |_, group| {
                expected.push((group.records, watched.map(|_| group.values.to_vec())));
            });
            let set = FrequencySet::count(&cube, watched).rolled_up(&low).rolled_up(&high);
            set.for_each_group(|group| {
                found.push((group.records, watched.map(|_| group.values.to_vec())));
            });
            prop_assert_eq!(set.scheme(), &high);
            prop_assert_eq!(found, expected);
        }
        Ok(())
    });
}

/// A table with a group of every size in the list, under one attribute.
fn sized(sizes: &[usize]) -> Table {
    let value = |code: usize| format!("v{code}");
    let row = |code: usize| vec![value(code), format!("g{}", code % 70)];
    let record = |(code, &size): (usize, &usize)| {
        (0..size).map(move |i| vec![value(code), (i % (1 + code % 90)).to_string()])
    };
    Table {
        attributes: vec![Attribute {
            name: "code".into(),
            rows: (0..sizes.len()).map(row).collect(),
        }],
        sensitive: vec!["secret".into()],
        records: sizes.iter().enumerate().flat_map(record).collect(),
    }
}

/// Hundreds of different sizes, so that a histogram has more bins than any shortcut inspects.
#[test]
fn histograms_of_many_values_are_the_oracles() {
    let sizes = vec(1..2000_usize, 1..150);
    check(10, &sizes, |sizes| {
        let table = sized(&sizes);
        assert_lattice(&table, &lattice(&table, table.cube_in_parts(4).unwrap()));
        Ok(())
    });
    let table = sized(&(1..300).collect::<Vec<_>>());
    assert_lattice(&table, &lattice(&table, table.cube().unwrap()));
}

#[test]
fn a_table_without_records_has_empty_histograms() {
    let mut table = haggle_testkit::published::philosophers();
    table.records.clear();
    let lattice = lattice(&table, table.cube().unwrap());
    assert_lattice(&table, &lattice);
    let annotation = haggle_cube::Lattice::annotate(&lattice, &Scheme::new([0, 0, 0])).unwrap();
    assert_eq!(annotation.histogram(0).suppressed(2.0), 0);
    assert_eq!(annotation.histogram(0).strongest(10), None);
}
