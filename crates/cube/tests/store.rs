//! The lattice's file format: what was written is read back, anything else is refused.

use crate::common::{assert_lattice, lattice, statistics};
use haggle_cube::store::encode;
use haggle_cube::{Error, FullLattice, Generalized, Lattice, Limits, Payload, Weighed};
use haggle_model::{ErrorKind, Silent};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables, tables_of, wide_tables};
use haggle_testkit::{Table, published, titled};
use insta::assert_snapshot;
use proptest::collection::vec;
use proptest::prelude::*;

/// Where the header's length and checksum are, and where the content starts.
const LENGTH: usize = 12;
const CHECKSUM: usize = 20;
const CONTENT: usize = 28;

/// The full lattice of a file's bytes.
fn decode(bytes: &[u8]) -> Result<(FullLattice, Vec<u8>), Error> {
    let decoded = haggle_cube::store::decode(bytes)?;
    let note = decoded.note().to_vec();
    Ok((decoded.full()?, note))
}

fn philosophers() -> FullLattice {
    let mut table = published::philosophers();
    for attribute in &mut table.attributes {
        for row in &mut attribute.rows {
            row.truncate(2); // fewer levels, so that every bit of the file can be tried
        }
    }
    joined(&table, &lattice(&table, table.cube().unwrap()))
}

/// All groups of a table, with their bins.
fn groups(table: &Table, lattice: &FullLattice) -> FullLattice {
    let statistics = statistics(table);
    let statistics: Vec<_> = statistics.iter().map(AsRef::as_ref).collect();
    let (cube, limits) = (lattice.cube().clone(), Limits::default());
    FullLattice::tabulate(cube, &statistics, true, limits, &Silent).unwrap()
}

/// The lattice with its statistics joined.
fn joined(table: &Table, lattice: &FullLattice) -> FullLattice {
    lattice.with_joined(&groups(table, lattice))
}

fn refusal(bytes: &[u8]) -> String {
    match decode(bytes) {
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::BadInput, "{error}");
            error.to_string()
        }
        Ok(_) => panic!("accepted"),
    }
}

/// The file of this content, with a header that fits.
fn sealed(content: &[u8], like: &[u8]) -> Vec<u8> {
    let mut bytes = like[..CONTENT].to_vec();
    bytes[LENGTH..CHECKSUM].copy_from_slice(&(content.len() as u64).to_le_bytes());
    bytes[CHECKSUM..CONTENT].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(content).to_le_bytes());
    bytes.extend(content);
    bytes
}

#[test]
fn a_lattice_is_read_back_unchanged() {
    check(500, &(tables(), vec(any::<u8>(), 0..50)), |(table, note)| {
        let written = lattice(&table, table.cube_in_parts(2).unwrap());
        let (read, read_note) = decode(&encode(&written, &note)).unwrap();
        prop_assert_eq!(read_note, note);
        prop_assert_eq!(read.cube(), written.cube());
        prop_assert!(columns(&read).eq(columns(&written)));
        prop_assert_eq!(read.space(), written.space());
        prop_assert_eq!(read.work().schemes, written.work().schemes);
        assert_lattice(&table, &read);
        Ok(())
    });
}

/// How many records are in groups that fail a column's first `failing` bins, or a class of such groups.
fn suppressed(lattice: &FullLattice, position: usize, failing: &[u32]) -> u64 {
    let annotated = lattice.annotate(&lattice.space().scheme(position)).unwrap();
    let fails = |i: usize| {
        let mut columns = failing.iter().enumerate();
        columns.any(|(column, &failing)| annotated.rows(column).unwrap()[i] < failing)
    };
    let sizes = annotated.sizes().unwrap();
    (0..sizes.len()).filter(|&i| fails(i)).map(|i| sizes[i]).sum()
}

#[test]
fn joined_tables_are_read_back_and_judge_as_all_groups_do() {
    check(500, &(tables(), vec(0..6_u32, 8)), |(table, failing)| {
        let plain = lattice(&table, table.cube_in_parts(1).unwrap());
        let (read, _) = decode(&encode(&joined(&table, &plain), b"")).unwrap();
        let joined = read.joined().expect("what was joined is stored");
        let (tables, sizes) = (joined.tables.clone(), Some(joined.sizes.clone()));
        let classes = FullLattice::of_tables(plain.cube().clone(), tables, sizes);
        let groups = groups(&table, &plain);
        let failing = &failing[..plain.tables().len().min(failing.len())];
        for position in 0..plain.space().size().unwrap() {
            let expected = suppressed(&groups, position, failing);
            prop_assert_eq!(suppressed(&classes, position, failing), expected);
        }
        Ok(())
    });
}

#[test]
fn the_same_table_makes_the_same_bytes() {
    check(300, &(tables(), 1..5_usize, 1..5_usize), |(table, one, other)| {
        let bytes = |parts| encode(&lattice(&table, table.cube_in_parts(parts).unwrap()), b"");
        prop_assert_eq!(bytes(one), bytes(other));
        Ok(())
    });
}

#[test]
fn wide_keys_are_read_back_unchanged() {
    for widths in [[11; 7].to_vec(), [13; 10].to_vec()] {
        check(2, &wide_tables(&widths, 1), |table| {
            let written = lattice(&table, table.cube().unwrap());
            let (read, _) = decode(&encode(&written, b"")).unwrap();
            prop_assert!(read.cube() == written.cube());
            assert_lattice(&table, &read);
            Ok(())
        });
    }
}

#[test]
fn every_truncation_is_refused() {
    let bytes = encode(&philosophers(), b"a note");
    for length in 0..bytes.len() {
        let why = refusal(&bytes[..length]);
        assert!(why.contains("not a lattice file") || why.contains("cut off"), "{length}: {why}");
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let mut bytes = encode(&philosophers(), b"a note");
    for position in 0..bytes.len() {
        for bit in 0..8 {
            bytes[position] ^= 1 << bit;
            assert!(!refusal(&bytes).is_empty());
            bytes[position] ^= 1 << bit;
        }
    }
    assert!(decode(&bytes).is_ok());
}

#[test]
fn foreign_files_are_refused_with_the_reason() {
    let bytes = encode(&philosophers(), b"");
    let grown = [&bytes[..], b"\n"].concat();
    let mut newer = bytes.clone();
    newer[8] += 1;
    let foreign: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("text", b"age;sex\n37;f\n"),
        ("an archive", b"PK\x03\x04 something zipped"),
        ("no first byte", &bytes[1..]),
        ("the first bytes", &bytes[..8]),
        ("grown", &grown),
        ("newer", &newer),
    ];
    assert_snapshot!(titled(foreign.map(|(title, bytes)| (title, refusal(bytes)))), @"
    == empty
    this is not a lattice file of haggle
    == text
    this is not a lattice file of haggle
    == an archive
    this is not a lattice file of haggle
    == no first byte
    this is not a lattice file of haggle
    == the first bytes
    the lattice file is cut off within its header
    == grown
    the lattice file is cut off or has grown: 2112 bytes for 2111
    == newer
    the lattice file has version 7; this haggle reads 6
    ");
    check(2000, &vec(any::<u8>(), 0..200), |bytes| {
        prop_assert!(decode(&bytes).is_err());
        Ok(())
    });
}

/// Content that was tampered with and sealed again: refused, or at least a lattice that answers
/// every question.
#[test]
fn tampered_content_never_panics() {
    let shape = Shape { attributes: 3, schemes: 20, records: 20, ..Shape::default() };
    let blows = vec((any::<prop::sample::Index>(), any::<u8>()), 1..4);
    let refused = std::cell::Cell::new(0);
    check(3000, &(tables_of(shape), blows), |(table, blows)| {
        let bytes = encode(&lattice(&table, table.cube().unwrap()), b"");
        let mut content = bytes[CONTENT..].to_vec();
        for (place, value) in blows {
            let place = place.index(content.len());
            content[place] = value;
        }
        match decode(&sealed(&content, &bytes)) {
            Ok((lattice, _)) => {
                ask_everything(&lattice);
                weigh(&table, &lattice);
            }
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::BadInput);
                refused.set(refused.get() + 1);
            }
        }
        Ok(())
    });
    assert!(refused.get() > enough(500), "{} refused", refused.get());
}

fn ask_everything(lattice: &FullLattice) {
    let all = lattice.space().all();
    for scheme in all.heights().flat_map(|height| all.at_height(height)) {
        let annotation = lattice.annotate(&scheme).unwrap();
        for column in 0..lattice.tables().len() {
            let histogram = annotation.histogram(column);
            for threshold in [f64::NEG_INFINITY, 0.0, 2.0, 1e9, f64::INFINITY, f64::NAN] {
                assert!(histogram.suppressed(threshold) <= histogram.records());
                let _ = histogram.attained(threshold);
            }
            let _ = (histogram.strongest(0), histogram.strongest(u64::MAX), histogram.groups());
        }
        for watched in 0..lattice.cube().watched().len().max(1) {
            lattice.cube().for_each_group(&scheme, watched, |_, _| ());
        }
    }
}

/// A payload that counts groups.
#[derive(Debug)]
struct One(Option<usize>);

impl Payload for One {
    fn id(&self) -> String {
        "one".into()
    }

    fn width(&self) -> usize {
        1
    }

    fn watches(&self) -> Option<usize> {
        self.0
    }

    fn measure(&self, _: &Generalized<'_>, numbers: &mut [f64]) {
        numbers[0] = 1.0;
    }
}

/// Weighs groups with every histogram; returns whether all histograms match the groups.
fn weigh(table: &Table, lattice: &FullLattice) -> bool {
    let payloads = (0..lattice.cube().watched().len()).map(Some).chain([None]).map(One);
    let mut fit = true;
    for payload in payloads {
        for (statistic, table) in statistics(table).iter().zip(lattice.tables()) {
            let (table, limits) = (table.clone(), Limits::default());
            match Weighed::new(lattice.cube(), table, statistic.as_ref(), &payload, limits) {
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::BadInput, "{error}");
                    fit = false;
                }
            }
        }
    }
    fit
}

#[test]
fn a_histogram_that_is_not_that_of_its_groups_is_an_error_where_groups_are_weighed() {
    let table = published::philosophers();
    let sound = lattice(&table, table.cube().unwrap());
    assert!(weigh(&table, &sound));
    let bytes = encode(&sound, b"");
    let (one, other) = (1_f64.to_le_bytes(), 1.5_f64.to_le_bytes());
    let content = &bytes[CONTENT..];
    let places = (0..content.len() - 8).filter(|&at| content[at..at + 8] == one);
    let mut caught = 0;
    for at in places {
        let mut content = content.to_vec();
        content[at..at + 8].copy_from_slice(&other);
        if let Ok((lattice, _)) = decode(&sealed(&content, &bytes)) {
            caught += usize::from(!weigh(&table, &lattice));
        }
    }
    assert!(caught > 0, "no tampered histogram was weighed");
}

fn columns(lattice: &FullLattice) -> impl Iterator<Item = &haggle_cube::Column> {
    lattice.tables().iter().map(|table| table.column())
}
