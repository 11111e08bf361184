//! Annotating fails with an error, instead of exhausting the machine, when memory would run out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{assert_lattice, lattice, statistics};
use haggle_cube::{Error, FullLattice, Lattice, Limits};
use haggle_model::{ErrorKind, Progress};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables, tables_of};
use haggle_testkit::{Attribute, Table, published};
use insta::assert_snapshot;
use proptest::prelude::*;

fn build(table: &Table, memory: usize) -> Result<FullLattice, Error> {
    let cube = table.cube().unwrap();
    FullLattice::build(cube.into(), &statistics(table), Limits { memory }, &haggle_model::Silent)
}

#[test]
fn too_little_memory_is_an_error_that_says_what_to_do() {
    let Err(error) = build(&published::philosophers(), 3 << 10) else { panic!("3 kB are enough") };
    let exceeded = error.exceeded_memory().expect("memory is the cause");
    assert_eq!((exceeded.schemes, exceeded.limit), (100, 0));
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_snapshot!(error, @"
    annotating 100 schemes needs more memory than allowed
        fix: raise the limit for memory, choose fewer quasi-identifiers, or shorten their hierarchies
    ");
}

/// Memory is counted while the lattice grows: the more there is, the higher it gets.
#[test]
fn memory_runs_out_where_it_is_used_up() {
    let table = published::philosophers();
    let reached = |memory: usize| match build(&table, memory) {
        Ok(_) => u32::MAX,
        Err(error) => error.exceeded_memory().expect("memory is the cause").height,
    };
    let heights: Vec<u32> = (0..1600).map(|i| reached(64 * i)).collect();
    assert!(heights.is_sorted(), "{heights:?}");
    let different: BTreeSet<u32> = heights.iter().copied().collect();
    assert!(different.len() > 4, "{different:?}");
    assert_eq!((heights[0], heights[1599]), (0, u32::MAX), "100 kB are enough");
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
            Err(error) => {
                let whole = lattice(&table, table.cube().unwrap());
                let height = error.exceeded_memory().expect("memory is the cause").height;
                prop_assert!(height <= whole.space().top().height());
                prop_assert!(build(&table, memory / 2).is_err());
            }
        }
        Ok(())
    });
}

fn build_in_little_memory(table: &Table, memory: usize) -> Result<FullLattice, Error> {
    let (cube, statistics) = (table.cube().unwrap(), statistics(table));
    let (limits, watch) = (Limits { memory }, &haggle_model::Silent);
    FullLattice::build_in_little_memory(cube.into(), &statistics, limits, watch)
}

/// Nearly as many groups as records under many schemes, so that cells are most of what is needed.
fn many_groups() -> Table {
    let row = |code: usize| [1, 2, 4, 8].map(|width| format!("{width}.{}", code / width)).to_vec();
    let attribute =
        |i: usize| Attribute { name: format!("a{i}"), rows: (0..16).map(row).collect() };
    let record = |i: usize| {
        let codes = [i, i / 16, i / 256 + i, i * 7 / 3].map(|code| format!("1.{}", code % 16));
        codes.into_iter().chain([format!("s{}", i % 3)]).collect()
    };
    Table {
        attributes: (0..4).map(attribute).collect(),
        sensitive: vec!["secret".into()],
        records: (0..2000).map(record).collect(),
    }
}

/// Cells of lower schemes are kept only where there is memory for them; the lattice is the same.
#[test]
fn a_lattice_that_fits_is_built_in_little_more_memory_than_it_takes() {
    let table = many_groups();
    let whole = lattice(&table, table.cube().unwrap());
    let tables: usize = whole.tables().iter().map(|table| table.bytes()).sum();
    let cube = whole.cube().bytes();
    // A quarter more, and one thread's buffers.
    let memory = cube + tables * 5 / 4 + 3 * cube;
    assert!(build(&table, memory).is_err(), "{memory} bytes are enough to keep all cells");
    assert_lattice(&table, &build_in_little_memory(&table, memory).unwrap());
    assert!(build_in_little_memory(&table, cube + tables / 2).is_err());
}

#[test]
fn a_lattice_in_little_memory_is_whole_or_refused() {
    check(300, &(tables(), 0..1_000_000_usize), |(table, memory)| {
        match build_in_little_memory(&table, memory) {
            Ok(lattice) => assert_lattice(&table, &lattice),
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::OutOfMemory);
                prop_assert!(build(&table, memory / 2).is_err());
            }
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
        let error = build(&table, 4 << 30).expect_err("2^40 schemes do not fit");
        let exceeded = error.exceeded_memory().expect("memory is the cause");
        prop_assert!(exceeded.schemes >= 1 << 40);
        prop_assert_eq!(exceeded.height, 0);
        refused.set(refused.get() + 1);
        Ok(())
    });
    assert!(refused.get() > enough(20));
}

/// Counts the steps that are done, and cancels after a number of them.
struct Done {
    steps: AtomicU64,
    most: u64,
}

impl Progress for Done {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.most
    }
}

#[test]
fn cancelled_work_stops() {
    let table = published::philosophers();
    let (done, limits) = (Done { steps: AtomicU64::new(0), most: 20 }, Limits::default());
    let cube = table.cube().unwrap();
    let lattice = FullLattice::build(cube.into(), &statistics(&table), limits, &done);
    assert!(lattice.is_err_and(|error| error.is_cancelled()));
    assert!(done.steps.into_inner() < 100);
}

#[test]
fn progress_receives_every_scheme() {
    let table = published::philosophers();
    let (done, limits) = (Done { steps: AtomicU64::new(0), most: u64::MAX }, Limits::default());
    let cube = table.cube().unwrap();
    let lattice = FullLattice::build(cube.into(), &statistics(&table), limits, &done);
    assert_eq!(done.steps.into_inner(), 100);
    assert_eq!(lattice.unwrap().work().schemes, 100);
}
