//! Damaged files and arbitrary bytes: they are read or refused, and nothing falls over.

mod common;

use std::path::Path;

use ::parquet::basic::Compression;
use common::text::{LETTERS, PLAIN, Style};
use common::{COLUMNS, gzip, parquet, records, zstd};
use haggle_data::{CsvOptions, Input, Missing, OnMissing, Plan, Table, parse_hierarchy, scan};
use haggle_testkit::mutate::Damage;
use proptest::prelude::*;
use proptest::sample::select;

const COPIES: usize = 20_000;

/// Reads all there is; whether it could.
fn reads(bytes: Vec<u8>, options: &CsvOptions, size: usize) -> bool {
    let table = Table::open(Input::memory("t", bytes), options);
    table.is_ok_and(|table| {
        let table = table.in_blocks_of(size);
        let columns = (0..table.columns().len()).take(4).collect();
        let missing = Missing { marks: Vec::new(), policy: OnMissing::Value };
        let plan = Plan { counted: columns, watched: vec![], checked: vec![], missing };
        scan(&table, &plan, 1 << 24, &haggle_cube::unwatched).is_ok()
    })
}

/// Reads damaged copies; some must be refused, or there was no damage.
fn read_damaged(sound: &[u8], options: &CsvOptions) {
    assert!(reads(sound.to_vec(), options, 100), "it is sound before it is damaged");
    let mut damage = Damage::new(sound.len() as u64);
    let refused = (0..COPIES).filter(|i| !reads(damage.of(sound), options, 1 + i % 300)).count();
    assert!(refused > COPIES / 20, "only {refused} were refused");
}

fn text() -> String {
    PLAIN.write(&COLUMNS, &records()[..8])
}

#[test]
fn damaged_text() {
    read_damaged(text().as_bytes(), &CsvOptions::default());
}

#[test]
fn damaged_text_in_other_letters() {
    let letters = LETTERS[2];
    read_damaged(&letters.encode(&text()), &CsvOptions::default());
}

#[test]
fn damaged_gzip() {
    read_damaged(&gzip(text().as_bytes()), &CsvOptions::default());
}

#[test]
fn damaged_zstd() {
    read_damaged(&zstd(text().as_bytes()), &CsvOptions::default());
}

#[test]
fn damaged_parquet() {
    let sound = parquet::write(&records()[..8], Compression::SNAPPY, 5);
    read_damaged(&sound, &CsvOptions::default());
}

#[test]
fn damaged_hierarchies() {
    let sound = b"17;17-21;17-36;*\n18;17-21;17-36;*\n\"19;x\";17-21;17-36;*\n44;42-46;37-56\n";
    let mut damage = Damage::new(3);
    for _ in 0..COPIES {
        let _ = parse_hierarchy("age", Path::new("age.csv"), &damage.of(sound));
    }
}

fn options() -> impl Strategy<Value = CsvOptions> {
    let mark = || proptest::option::of(select(&b",;\t|\"'\\ a\n\r\0\xe9"[..]));
    let names = ["utf-8", "windows-1252", "utf-16", "utf-16be", "shift_jis", "iso-2022-jp", "big5"];
    let columns = select(vec![None, Some(1), Some(3)]);
    (
        mark(),
        mark(),
        mark(),
        proptest::option::of(select(names.to_vec())),
        any::<Option<bool>>(),
        columns,
    )
        .prop_map(|(separator, quote, escape, encoding, header, columns)| CsvOptions {
            separator,
            quote,
            escape,
            encoding: encoding.map(|name| name.parse().unwrap()),
            header,
            columns: columns.map(|n| (0..n).map(|i: i32| i.to_string()).collect()),
        })
}

/// Bytes that begin as some kind of file does.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let starts: [&[u8]; 9] = [
        b"",
        b"a,b,c\n",
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"sep=",
        b"\x1f\x8b\x08",
        b"\x28\xb5\x2f\xfd",
        b"PAR1",
    ];
    let rest = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        "[ab\",;'\\\\\t\r\n \u{e9}]{0,80}".prop_map(String::into_bytes),
    ];
    (select(starts.to_vec()), rest).prop_map(|(start, rest)| [start, &rest].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(COPIES as u32))]

    #[test]
    fn arbitrary_bytes_with_arbitrary_options(bytes in bytes(), options in options(), size in 1..64_usize) {
        reads(bytes, &options, size);
    }

    #[test]
    fn tables_with_arbitrary_options(options in options(), size in 1..64_usize) {
        let style = Style { separator: ";", ..PLAIN };
        reads(style.write(&COLUMNS, &records()[..8]).into(), &options, size);
    }

    #[test]
    fn arbitrary_hierarchies(bytes in bytes()) {
        let _ = parse_hierarchy("age", Path::new("age.csv"), &bytes);
    }
}
