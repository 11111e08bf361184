//! Partial lattices on random tables: annotated schemes match the oracle, the others are refused.

use std::cell::Cell;

use crate::common::{assert_histogram, assert_lattice, lattice, statistics};
use haggle_cube::store::{decode, encode_partial};
use haggle_cube::{Lattice, Limits, PartialLattice, Statistic};
use haggle_model::{ErrorKind, ExceededMemory, Scheme, Silent};
use haggle_testkit::Table;
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::{Judged, Measure, Oracle};
use proptest::prelude::*;

fn judged(table: &Table) -> Vec<Judged> {
    let measures: Vec<Measure> = std::iter::once(Measure::size())
        .chain((0..table.sensitive.len()).map(Measure::distinct))
        .collect();
    Oracle::of(table).judge_all(&measures)
}

/// Some of a table's schemes, in no order.
fn some(judged: &Judged, mask: u64) -> Vec<Scheme> {
    let mixed = |i: usize| (mask ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let taken = |(i, _): &(usize, &[u8])| mixed(*i).is_multiple_of(3);
    let some = judged.schemes().enumerate().filter(taken);
    let mut some: Vec<Scheme> = some.map(|(_, levels)| Scheme::new(levels.to_vec())).collect();
    some.reverse();
    some
}

fn build(table: &Table, schemes: &[Scheme], rows: bool) -> PartialLattice {
    let statistics = statistics(table);
    let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
    let cube = table.cube().unwrap().into();
    PartialLattice::build(cube, schemes, &statistics, rows, Limits::default(), &Silent).unwrap()
}

fn assert_partial(lattice: &PartialLattice, judged: &[Judged], schemes: &[Scheme]) {
    let all: Vec<&Scheme> = (0..)
        .map_while(|height| {
            let here = lattice.annotated_at(height).expect("some schemes are missing");
            (height <= lattice.space().top().height()).then_some(here)
        })
        .flatten()
        .collect();
    let mut expected: Vec<&Scheme> = schemes.iter().collect();
    expected.sort_unstable_by_key(|scheme| (scheme.height(), (*scheme).clone()));
    assert_eq!(all, expected);
    for (column, judged) in judged.iter().enumerate() {
        for levels in judged.schemes() {
            let scheme = Scheme::new(levels.to_vec());
            match lattice.annotate(&scheme) {
                Ok(annotated) => assert_histogram(&annotated.histogram(column), judged, levels),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                    assert!(!schemes.contains(&scheme));
                }
            }
        }
    }
}

fn cases() -> impl Strategy<Value = (Table, u64)> {
    (tables_of(Shape { sensitive: 2, ..Shape::default() }), any::<u64>())
}

#[test]
fn the_schemes_asked_for_are_annotated_as_the_oracle_says() {
    let partial = Cell::new(0);
    check(500, &cases(), |(table, mask)| {
        let judged = judged(&table);
        let schemes = some(&judged[0], mask);
        let lattice = build(&table, &schemes, false);
        assert_partial(&lattice, &judged, &schemes);
        prop_assert_eq!(lattice.work().schemes, schemes.len());
        let some = !schemes.is_empty() && schemes.len() < judged[0].schemes().count();
        partial.set(partial.get() + u32::from(some));
        Ok(())
    });
    assert!(partial.get() > enough(300), "only {} lattices were partial", partial.get());
}

#[test]
fn one_scheme_more_is_annotated_for_a_question() {
    check(60, &cases(), |(table, mask)| {
        let judged = judged(&table);
        let schemes = some(&judged[0], mask);
        let lattice = build(&table, &schemes, mask.is_multiple_of(2));
        for levels in judged[0].schemes() {
            let more = Scheme::new(levels.to_vec());
            let with = lattice.with(&more, statistics(&table), Limits::default()).unwrap();
            let mut expected = schemes.clone();
            expected.extend((!schemes.contains(&more)).then(|| more.clone()));
            assert_partial(&with, &judged, &expected);
            let rows = with.annotate(&more).unwrap().sizes().is_some();
            prop_assert_eq!(rows, mask.is_multiple_of(2), "rows are there as among the others");
        }
        Ok(())
    });
}

#[test]
fn a_partial_lattice_of_all_schemes_is_the_full_one() {
    check(200, &cases(), |(table, _)| {
        let full = lattice(&table, table.cube().unwrap());
        assert_lattice(&table, &full);
        let judged = judged(&table);
        let all: Vec<Scheme> =
            judged[0].schemes().map(|levels| Scheme::new(levels.to_vec())).collect();
        let partial = build(&table, &all, true);
        for (scheme, column) in all.iter().flat_map(|s| (0..judged.len()).map(move |c| (s, c))) {
            let (one, other) = (partial.annotate(scheme).unwrap(), full.annotate(scheme).unwrap());
            prop_assert!(one.histogram(column).bins().eq(other.histogram(column).bins()));
        }
        Ok(())
    });
}

#[test]
fn a_partial_lattice_is_read_back_from_its_bytes() {
    check(300, &cases(), |(table, mask)| {
        let judged = judged(&table);
        let schemes = some(&judged[0], mask);
        let bytes = encode_partial(&build(&table, &schemes, false), b"note");
        let decoded = decode(&bytes).unwrap();
        prop_assert!(decoded.is_partial());
        prop_assert_eq!(decoded.note(), b"note");
        let read = decoded.partial().unwrap();
        assert_partial(&read, &judged, &schemes);
        prop_assert_eq!(encode_partial(&read, b"note"), bytes);
        Ok(())
    });
}

#[test]
fn schemes_beyond_the_hierarchies_and_too_little_memory_are_refused() {
    let table = haggle_testkit::published::philosophers();
    let statistics = statistics(&table);
    let statistics: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
    let build = |scheme: [u8; 3], memory: usize| {
        let cube = table.cube().unwrap().into();
        let scheme = [Scheme::new(scheme)];
        PartialLattice::build(cube, &scheme, &statistics, false, Limits { memory }, &Silent)
    };
    let refused = |scheme, memory| build(scheme, memory).expect_err("it is refused");
    assert_eq!(refused([9, 0, 0], 1 << 20).kind(), ErrorKind::BadInput);
    let exceeded = ExceededMemory { schemes: 1, limit: 0, height: 0 };
    assert_eq!(refused([0, 0, 0], 10).exceeded_memory(), Some(exceeded));
    assert!(build([0, 0, 0], 1 << 20).is_ok());
}
