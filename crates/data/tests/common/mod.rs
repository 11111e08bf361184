//! A table, ways to write it, and what a scan makes of it.
#![allow(dead_code, reason = "every test uses some of it")]

pub(crate) mod parquet;
pub(crate) mod random;
pub(crate) mod text;

use std::io::Write;

use haggle_cube::Cube;
use haggle_data::{CsvOptions, Error, Input, Missing, OnMissing, Plan, Scanned, Table, scan};
use haggle_model::{ErrorKind, Hierarchy, QuasiIdentifier};

pub(crate) const COLUMNS: [&str; 6] = ["age", "city", "note", "born", "score", "member"];

/// A person's record as text: letters beyond ASCII, everything that needs quotes, missing values.
pub(crate) fn records() -> Vec<[String; 6]> {
    let cities = ["Köln", "Besançon", "Genève", "Málaga", "Ulm"];
    let notes =
        ["", "a, b; c | d\te", "the \"Countess\"", "two\nlines", "one\r\nmore", "'x'", "\\"];
    (0..200_u32)
        .map(|i| {
            let age = if i % 17 == 3 { String::new() } else { (17 + i * i % 60).to_string() };
            [
                age,
                cities[i as usize % cities.len()].into(),
                notes[i as usize * 3 % notes.len()].into(),
                format!("19{:02}-{:02}-{:02}", 40 + i % 50, 1 + i % 12, 1 + i % 28),
                format!("{}", f64::from(i * 37 % 101) / 8.0),
                (i % 3 == 0).to_string(),
            ]
        })
        .collect()
}

/// All columns counted, the score watched; missing is a value.
pub(crate) fn plan() -> Plan {
    Plan {
        counted: vec![0, 1, 2, 3, 5],
        watched: vec![4],
        checked: vec![0, 1],
        missing: Missing { policy: OnMissing::Value, ..Missing::default() },
    }
}

pub(crate) fn open(input: Input, options: &CsvOptions) -> Table {
    Table::open(input, options).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn scanned(table: &Table) -> Result<Scanned, Error> {
    scan(table, &plan(), usize::MAX, &haggle_model::Silent)
}

/// The cube of a table, its values as they are.
pub(crate) fn cube(table: &Table) -> Cube {
    let scanned = scanned(table).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scanned.digest(), table.input().digest().unwrap());
    let attribute = |(position, column): (usize, &usize)| QuasiIdentifier {
        name: table.columns()[*column].clone(),
        hierarchy: Hierarchy::flat(scanned.values(position).dictionary.values()),
    };
    let attributes = plan().counted.iter().enumerate().map(attribute).collect();
    scanned.into_cube(attributes)
}

/// The values of a table's only column, in their natural order.
pub(crate) fn values(table: &Table, column: &str) -> Vec<String> {
    let position = table.column(column).expect("there is such a column");
    let missing = Missing { marks: Vec::new(), policy: OnMissing::Value };
    let plan = Plan { counted: vec![position], watched: vec![], checked: vec![], missing };
    let scanned =
        scan(table, &plan, usize::MAX, &haggle_model::Silent).unwrap_or_else(|e| panic!("{e}"));
    scanned.values(0).dictionary.values().map(String::from).collect()
}

/// What is said of an input that is refused, be it when it is opened or when it is read.
pub(crate) fn refusal(input: Input, options: &CsvOptions) -> String {
    let refused = Table::open(input, options).and_then(|table| {
        let columns: Vec<usize> = (0..table.columns().len()).collect();
        let missing = Missing { marks: Vec::new(), policy: OnMissing::Value };
        let plan = Plan { counted: columns, watched: vec![], checked: vec![], missing };
        scan(&table, &plan, usize::MAX, &haggle_model::Silent)
    });
    match refused {
        Err(error) => {
            let kinds = [ErrorKind::BadInput, ErrorKind::Unsupported];
            assert!(kinds.contains(&error.kind()), "{}: {error}", error.kind());
            error.to_string()
        }
        Ok(_) => panic!("it was accepted"),
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// Packed in two pieces, one after the other.
pub(crate) fn twice(pack: fn(&[u8]) -> Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 3);
    [pack(first), pack(second)].concat()
}
