//! Annotating stops with an error, not with the machine, when memory would run out.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{assert_lattice, lattice, statistics};
use haggle_cube::{Error, FullLattice, Lattice, Limits};
use haggle_testkit::generate::{Shape, check, tables, tables_of};
use haggle_testkit::{Table, published};
use proptest::prelude::*;

fn build(table: &Table, memory: usize) -> Result<FullLattice, Error> {
    let cube = table.cube().unwrap();
    FullLattice::build(cube.into(), &statistics(table), Limits { memory }, &haggle_cube::unwatched)
}

#[test]
fn too_little_memory_is_an_error_that_says_what_to_do() {
    let Err(error) = build(&published::philosophers(), 3 << 10) else { panic!("3 kB are enough") };
    assert!(matches!(error, Error::Memory { schemes: 100, limit: 0, .. }), "{error:?}");
    let text = error.to_string();
    for word in ["100 schemes", "--memory", "--qi", "height"] {
        assert!(text.contains(word), "{text}");
    }
}

/// Memory is counted while the lattice grows: the more there is, the higher it gets.
#[test]
fn memory_runs_out_where_it_is_used_up() {
    let table = published::philosophers();
    let reached = |memory: usize| match build(&table, memory) {
        Ok(_) => u32::MAX,
        Err(Error::Memory { height, .. }) => height,
        Err(other) => panic!("{other:?}"),
    };
    let heights: Vec<u32> = (0..200).map(|i| reached(512 * i)).collect();
    assert!(heights.is_sorted(), "{heights:?}");
    let different: BTreeSet<u32> = heights.iter().copied().collect();
    assert!(different.len() > 4, "{different:?}");
    assert_eq!((heights[0], heights[199]), (0, u32::MAX), "100 kB are enough");
}

/// Whatever the limit, the lattice is either whole or refused; more memory never hurts.
#[test]
fn a_lattice_is_whole_or_refused() {
    check(500, &(tables(), 0..2_000_000_usize), |(table, memory)| {
        match build(&table, memory) {
            Ok(lattice) => {
                assert_lattice(&table, &lattice);
                prop_assert!(build(&table, 2 * memory).is_ok());
            }
            Err(Error::Memory { height, .. }) => {
                let whole = lattice(&table, table.cube().unwrap());
                prop_assert!(height <= whole.space().top().height());
                prop_assert!(build(&table, memory / 2).is_err());
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
        Ok(())
    });
}

/// Lattices that no machine can hold are refused before anything is counted up.
#[test]
fn lattices_beyond_all_memory_are_refused_at_once() {
    let shape = Shape { attributes: 90, schemes: usize::MAX, ..Shape::default() };
    let refused = std::cell::Cell::new(0);
    check(100, &tables_of(shape), |table| {
        if table.attributes.len() < 40 {
            return Ok(());
        }
        let Err(Error::Memory { schemes, height, .. }) = build(&table, 4 << 30) else {
            panic!("2^40 schemes do not fit")
        };
        prop_assert!(schemes >= 1 << 40);
        prop_assert_eq!(height, 0);
        refused.set(refused.get() + 1);
        Ok(())
    });
    assert!(refused.get() > 20);
}

#[test]
fn work_that_is_no_longer_wanted_stops() {
    let table = published::philosophers();
    let done = AtomicUsize::new(0);
    let cube = table.cube().unwrap();
    let lattice = FullLattice::build(cube.into(), &statistics(&table), Limits::default(), &|n| {
        let before = done.fetch_add(n, Ordering::Relaxed);
        if before < 20 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(lattice, Err(Error::Cancelled)));
    assert!(done.into_inner() < 100);
}

#[test]
fn progress_is_told_of_every_scheme() {
    let table = published::philosophers();
    let done = AtomicUsize::new(0);
    let cube = table.cube().unwrap();
    let lattice = FullLattice::build(cube.into(), &statistics(&table), Limits::default(), &|n| {
        done.fetch_add(n, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert_eq!(done.into_inner(), 100);
    assert_eq!(lattice.unwrap().work().schemes, 100);
}
