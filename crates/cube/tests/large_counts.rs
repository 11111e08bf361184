//! Tables of more records than 32 bits can count, against plain arithmetic in 128 bits.

use std::collections::BTreeMap;
use std::sync::Arc;

use haggle_cube::store::{decode, encode};
use haggle_cube::{Base, Cube, FullLattice, Lattice, Limits, OnDemand, Statistic};
use haggle_model::{Scheme, Silent};
use haggle_privacy::{DistinctLDiversity, KAnonymity, Target};
use haggle_testkit::Table;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::Oracle;
use proptest::collection::vec;
use proptest::prelude::*;

const SHAPE: Shape = Shape { attributes: 3, schemes: 60, records: 60, sensitive: 2 };
/// Just too many for 32 bits.
const MANY: u64 = 1 << 32;

/// A group: its records, and how many of them have each value of each sensitive attribute.
type Sizes = (u128, Vec<BTreeMap<String, u128>>);

/// How often each record occurs: small and large numbers next to each other.
fn times() -> impl Strategy<Value = Vec<u64>> {
    let some = prop_oneof![
        1..6_u64,
        Just(1 << 31),
        Just(MANY - 1),
        Just(MANY),
        Just(5_000_000_000),
        1..1_u64 << 40,
    ];
    vec(some, SHAPE.records)
}

/// The groups of every scheme. The oracle groups the records by their numbers; the rest is adding up.
fn groups(table: &Table, times: &[u64]) -> Vec<(Vec<u8>, Vec<Sizes>)> {
    let mut numbered = table.clone();
    numbered.sensitive.push("number".into());
    for (number, record) in numbered.records.iter_mut().enumerate() {
        record.push(number.to_string());
    }
    let oracle = Oracle::of(&numbered);
    let sizes = |members: &[&[String]]| {
        let mut sizes: Sizes = (0, vec![BTreeMap::new(); table.sensitive.len()]);
        for member in members {
            let (number, values) = member.split_last().unwrap();
            let times = u128::from(times[number.parse::<usize>().unwrap()]);
            sizes.0 += times;
            for (value, counts) in values.iter().zip(&mut sizes.1) {
                *counts.entry(value.clone()).or_default() += times;
            }
        }
        sizes
    };
    let of = |levels: Vec<u8>| {
        let groups = oracle.groups(&levels).iter().map(|group| sizes(&group.members)).collect();
        (levels, groups)
    };
    oracle.schemes().into_iter().map(of).collect()
}

/// Sizes, and the numbers of different values of each sensitive attribute.
fn statistic((records, values): &Sizes, column: usize) -> u128 {
    if column == 0 { *records } else { values[column - 1].len() as u128 }
}

fn assert_lattice(lattice: &dyn Lattice, expected: &[(Vec<u8>, Vec<Sizes>)], columns: usize) {
    for (levels, groups) in expected {
        let annotated = lattice.annotate(&Scheme::new(levels.clone())).unwrap();
        let all: u128 = groups.iter().map(|(records, _)| records).sum();
        assert_eq!(u128::from(lattice.records()), all);
        for column in 0..columns {
            let histogram = annotated.histogram(column);
            assert_eq!(u128::from(histogram.records()), all);
            assert_eq!(histogram.groups(), groups.len() as u64);
            for limit in groups.iter().map(|group| statistic(group, column)) {
                let weaker = groups.iter().filter(|group| statistic(group, column) < limit);
                let weaker: u128 = weaker.map(|(records, _)| records).sum();
                assert_eq!(u128::from(histogram.suppressed(limit as f64)), weaker, "{levels:?}");
                let affordable = histogram.strongest(weaker as u64).unwrap();
                assert!(affordable >= limit as f64, "{levels:?}: {affordable} for {limit}");
            }
            let bins: u128 = histogram.bins().map(|bin| u128::from(bin.records)).sum();
            assert_eq!(bins, all);
        }
        if let Some(sizes) = annotated.sizes() {
            let mut sizes: Vec<u128> = sizes.iter().map(|&size| size.into()).collect();
            let mut expected: Vec<u128> = groups.iter().map(|(records, _)| *records).collect();
            sizes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sizes, expected, "{levels:?}");
        }
    }
}

/// k-anonymity, and distinct l-diversity on each sensitive attribute.
fn statistics(table: &Table) -> Vec<Box<dyn Statistic>> {
    let size: Box<dyn Statistic> = Box::new(KAnonymity::of_records());
    let distinct = |(position, name): (usize, &String)| -> Box<dyn Statistic> {
        Box::new(DistinctLDiversity::on(Target { position, name: name.clone() }))
    };
    std::iter::once(size).chain(table.sensitive.iter().enumerate().map(distinct)).collect()
}

fn full(cube: &Arc<Cube>, statistics: &[Box<dyn Statistic>], rows: bool) -> FullLattice {
    let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
    FullLattice::tabulate(cube.clone(), &statistics, rows, Limits::default(), &Silent).unwrap()
}

#[test]
fn every_lattice_suppresses_exactly_what_plain_sums_say() {
    check(400, &(tables_of(SHAPE), times()), |(table, times)| {
        let expected = groups(&table, &times);
        let cube = Arc::new(table.cube_of_many(&times[..table.records.len()]).unwrap());
        let columns = 1 + table.sensitive.len();
        for rows in [false, true] {
            assert_lattice(&full(&cube, &statistics(&table), rows), &expected, columns);
            for memory in [1 << 30, 100_000, 4_000] {
                let limits = Limits { memory };
                let on_demand = OnDemand::new(cube.clone(), statistics(&table), rows, limits);
                assert_lattice(&on_demand, &expected, columns);
            }
        }
        Ok(())
    });
}

#[test]
fn a_stored_lattice_keeps_numbers_beyond_32_bits() {
    check(200, &(tables_of(SHAPE), times()), |(table, times)| {
        let cube = Arc::new(table.cube_of_many(&times[..table.records.len()]).unwrap());
        let written = full(&cube, &statistics(&table), false);
        let read = decode(&encode(&written, b"")).unwrap().full().unwrap();
        prop_assert_eq!(read.cube(), &cube);
        assert_lattice(&read, &groups(&table, &times), 1 + table.sensitive.len());
        Ok(())
    });
}

#[test]
fn merged_base_groups_and_selected_attributes_have_all_records() {
    check(200, &(tables_of(SHAPE), times()), |(table, times)| {
        let cube = table.cube_of_many(&times[..table.records.len()]).unwrap();
        let all: u64 = times[..table.records.len()].iter().sum();
        let base = Base::of(&cube);
        for watched in 0..table.sensitive.len() {
            let mut merger = base.merger(watched);
            let group = merger.merge(0..base.len() as u32);
            prop_assert_eq!(group.records, all);
            prop_assert_eq!(group.known(), all);
        }
        let first = cube.select(&[0]);
        prop_assert_eq!(first.records(), all);
        let mut counted = 0;
        first.for_each_group(&first.space().bottom(), 0, |_, group| counted += group.records);
        prop_assert_eq!(counted, all);
        Ok(())
    });
}
