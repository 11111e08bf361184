//! What annotating is said to take, against what it takes, on random tables.

mod common;

use common::{assert_histogram, assert_lattice, lattice, statistics};
use haggle_cube::{Lattice, Statistic, store};
use haggle_model::Scheme;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::{Measure, Oracle};
use proptest::prelude::*;

/// Within a factor of two, and a little for what is next to nothing.
fn assert_about(told: f64, is: f64, what: &str) {
    let near = told <= 2.0 * is + 64.0 && is <= 2.0 * told + 64.0;
    assert!(near, "{what}: {told} told for {is}");
}

#[test]
fn the_estimate_is_within_a_factor_of_two() {
    for sensitive in [0, 1, 2] {
        let shape = Shape { attributes: 5, schemes: 400, records: 300, sensitive };
        check(150, &tables_of(shape), |table| {
            let cube = table.cube().unwrap();
            let statistics = statistics(&table);
            let each: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
            let told = cube.estimate(&each);
            let full = lattice(&table, cube);
            prop_assert_eq!(told.schemes as usize, full.work().schemes);
            assert_about(told.touches, full.work().touches as f64, "touches");
            let bytes: usize = full.tables().iter().map(|table| table.bytes()).sum();
            assert_about(told.bytes, bytes as f64, "bytes");
            let file = store::encode(&full, b"").len();
            assert_about(told.file_bytes, file as f64, "file bytes");
            Ok(())
        });
    }
}

/// What the estimate is held against is itself the oracle's.
#[test]
fn the_lattices_compared_with_are_right() {
    let shape = Shape { attributes: 3, schemes: 60, records: 60, sensitive: 1 };
    check(50, &tables_of(shape), |table| {
        let full = lattice(&table, table.cube().unwrap());
        assert_lattice(&table, &full);
        let judged = Oracle::of(&table).judge(&Measure::size());
        let bottom = vec![0; judged.tops().len()];
        let annotated = full.annotate(&Scheme::new(bottom.clone())).unwrap();
        assert_histogram(&annotated.histogram(0), &judged, &bottom);
        Ok(())
    });
}
