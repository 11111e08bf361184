//! The estimated cost of annotating, compared with the actual cost, on random tables.

use crate::common::{assert_histogram, assert_lattice, lattice, statistics};
use haggle_cube::{Lattice, Statistic, store};
use haggle_model::Scheme;
use haggle_testkit::generate::{Shape, check, tables_of};
use haggle_testkit::oracle::{Measure, Oracle};
use proptest::prelude::*;

/// Within a factor of two, with a tolerance for very small numbers.
fn assert_about(estimated: f64, is: f64, what: &str) {
    let near = estimated <= 2.0 * is + 64.0 && is <= 2.0 * estimated + 64.0;
    assert!(near, "{what}: {estimated} estimated for {is}");
}

#[test]
fn the_estimate_is_within_a_factor_of_two() {
    for sensitive in [0, 1, 2] {
        let shape = Shape { attributes: 5, schemes: 400, records: 300, sensitive };
        check(150, &tables_of(shape), |table| {
            let cube = table.cube().unwrap();
            let statistics = statistics(&table);
            let each: Vec<&dyn Statistic> = statistics.iter().map(AsRef::as_ref).collect();
            let estimated = cube.estimate(&each);
            let full = lattice(&table, cube);
            prop_assert_eq!(estimated.schemes as usize, full.work().schemes);
            assert_about(estimated.touches, full.work().touches as f64, "touches");
            let bytes: usize = full.tables().iter().map(|table| table.bytes()).sum();
            assert_about(estimated.bytes, bytes as f64, "bytes");
            let file = store::encode(&full, b"").len();
            assert_about(estimated.file_bytes, file as f64, "file bytes");
            Ok(())
        });
    }
}

/// The lattice that the estimate is compared with is itself the oracle's.
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
