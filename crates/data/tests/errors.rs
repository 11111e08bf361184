//! What is said of files that cannot be read: which file, which line, and what to do.

use std::io;
use std::path::PathBuf;

use crate::common::text::{Letters, PLAIN};
use crate::common::{COLUMNS, gzip, open, records, refusal, scanned, zstd};
use haggle_data::{CsvOptions, Encoding, Error, Input, Table};
use haggle_model::ErrorKind;
use haggle_testkit::{redacted, titled};
use insta::{allow_duplicates, assert_snapshot};

/// Why the input is refused.
fn refused(name: &str, bytes: impl Into<Vec<u8>>, options: &CsvOptions) -> String {
    refusal(Input::memory(name.to_owned(), bytes.into()), options)
}

fn encoded(name: &str) -> CsvOptions {
    CsvOptions { encoding: Some(name.parse().unwrap()), ..CsvOptions::default() }
}

fn plain() -> CsvOptions {
    CsvOptions::default()
}

/// A table of many lines.
fn table() -> String {
    PLAIN.write(&COLUMNS, &vec![records(); 20].concat())
}

#[test]
fn packed_files_that_are_cut_short_or_damaged() {
    let mut errors = Vec::new();
    for (kind, name, packed) in [
        ("gzip", "table.csv.gz", gzip(table().as_bytes())),
        ("zstd", "table.csv.zst", zstd(table().as_bytes())),
    ] {
        for (how, cut) in [("half", packed.len() / 2), ("all but one", packed.len() - 1), ("7", 7)]
        {
            errors.push((format!("{kind}: {how}"), refused(name, &packed[..cut], &plain())));
        }
        let mut flipped = packed.clone();
        flipped[packed.len() / 2] ^= 0x55;
        errors.push((format!("{kind}: flipped"), refused(name, flipped, &plain())));
        let more = [&packed[..], b"trailing"].concat();
        errors.push((format!("{kind}: more"), refused(name, more, &plain())));
    }
    assert_snapshot!(titled(errors));
}

#[test]
fn other_packings_are_named() {
    assert_snapshot!(refused("t.bz2", b"BZh91AY&SY", &plain()), @"
    t.bz2: this file is packed with bzip2
        fix: unpack it, or pack it with gzip or zstd
    ");
    assert_snapshot!(refused("t.xz", b"\xfd7zXZ\0\0", &plain()), @"
    t.xz: this file is packed with xz
        fix: unpack it, or pack it with gzip or zstd
    ");
    assert_snapshot!(refused("t.zip", b"PK\x03\x04..", &plain()), @"
    t.zip: this is a ZIP archive or a spreadsheet, not delimited text
        fix: unpack it, or export the sheet as CSV in UTF-8
    ");
    assert_snapshot!(refused("t", b"PARE\x15\0", &plain()), @"
    t: this is an encrypted Parquet file
        fix: write it without encryption
    ");
    assert_snapshot!(refused("t.gz", gzip(b"PAR1...."), &plain()), @"
    t.gz: this is a Parquet file that was packed
        fix: unpack it
    ");
}

#[test]
fn invalid_utf8_names_the_line_and_the_way_out() {
    let latin = Letters::Named("windows-1252").encode("a,b\n1,2\nK\u{f6}ln,3\n");
    assert_snapshot!(refused("t.csv", latin, &plain()), @r#"
    t.csv:3: not valid UTF-8
        fix: state the encoding it is written in, e.g. encoding = "windows-1252"
    "#);
    let far = [table().as_bytes(), b"1,K\xf6ln,,,,\n"].concat();
    assert_snapshot!(refused("t.csv", far, &plain()), @r#"
    t.csv:5142: not valid UTF-8
        fix: state the encoding it is written in, e.g. encoding = "windows-1252"
    "#);
    assert_snapshot!(refused("t.csv", b"K\xf6ln,b\n1,2\n", &plain()), @r#"
    t.csv:1: not valid UTF-8
        fix: state the encoding it is written in, e.g. encoding = "windows-1252"
    "#);
    assert_snapshot!(refused("t.csv.gz", gzip(b"a,b\nK\xf6ln,2\n"), &plain()), @r#"
    t.csv.gz:2: not valid UTF-8
        fix: state the encoding it is written in, e.g. encoding = "windows-1252"
    "#);
}

#[test]
fn bytes_that_are_not_letters_in_the_stated_encoding_are_never_replaced() {
    assert_snapshot!(refused("t.csv", b"a\n1\n\x81\x20\n", &encoded("shift_jis")), @r#"
    t.csv:3: bytes that are not a letter in Shift_JIS
        fix: state the encoding that the file is written in: encoding = "…"
    "#);
    assert_snapshot!(refused("t.csv", b"a\r1\r\xa5\r", &encoded("iso-8859-3")), @r#"
    t.csv:3: bytes that are not a letter in ISO-8859-3
        fix: state the encoding that the file is written in: encoding = "…"
    "#);
    let mut unpaired = Letters::Utf16LittleMarked.encode("a,b\r\n1,2\r\nx,3\r\n");
    let at = unpaired.iter().position(|&byte| byte == b'x').unwrap();
    unpaired[at..at + 2].copy_from_slice(&[0x00, 0xd8]);
    assert_snapshot!(refused("t.csv", unpaired, &plain()), @r#"
    t.csv:3: bytes that are not a letter in UTF-16LE
        fix: state the encoding that the file is written in: encoding = "…"
    "#);
    let cut = Letters::Utf16BigMarked.encode("a,b\n1,2");
    assert_snapshot!(refused("t.csv", &cut[..cut.len() - 1], &plain()), @r#"
    t.csv:2: bytes that are not a letter in UTF-16BE
        fix: state the encoding that the file is written in: encoding = "…"
    "#);
    let far = [table().as_bytes(), b"\x81\x20"].concat();
    assert_snapshot!(refused("t.csv", far, &encoded("shift_jis")), @r#"
    t.csv:5142: bytes that are not a letter in Shift_JIS
        fix: state the encoding that the file is written in: encoding = "…"
    "#);
}

#[test]
fn encodings_that_there_are_not() {
    for name in ["utf-9", "", "replacement", "hz-gb-2312"] {
        let error = name.parse::<Encoding>().unwrap_err().to_string();
        allow_duplicates!(assert_snapshot!(error.replace(&format!("'{name}'"), "'[name]'"), @r#"
        the encoding '[name]' is unknown
            fix: name one such as "utf-8", "windows-1252", "iso-8859-15", "utf-16", "shift_jis"
        "#));
    }
    assert_snapshot!(refused("t.csv", b"\xff\xfe\0\0a\0\0\0", &plain()), @"
    t.csv: the file is written in UTF-32
        fix: save it as UTF-8
    ");
    let unmarked = Letters::Utf16Little.encode("a,b\n1,2\n");
    assert_snapshot!(refused("t.csv", unmarked, &plain()), @r#"
    t.csv:1: a NUL byte: this is not text, or it is damaged
        fix: export the table again as UTF-8 text; if it is UTF-16, state encoding = "utf-16"
    "#);
}

#[test]
fn separators_that_are_not_different() {
    let stated = |separator, quote, escape| CsvOptions { separator, quote, escape, ..plain() };
    for options in [
        stated(Some(b';'), Some(b';'), None),
        stated(Some(b'"'), None, None),
        stated(Some(b'\n'), None, None),
        stated(Some(0xe9), None, None),
        stated(None, Some(b'\r'), None),
        stated(Some(b';'), None, Some(b';')),
    ] {
        allow_duplicates!(assert_snapshot!(refused("t.csv", b"a;b\n1;2\n", &options), @"
        t.csv: separator, quote and escape are not different characters
            fix: state a letter of its own for each, none of them a line end
        "));
    }
}

/// Files in a folder of their own.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// A message for a snapshot.
fn shown(folder: &tempfile::TempDir, message: &str) -> String {
    redacted(message, &[(folder.path().to_str().unwrap(), "folder")])
}

fn files(folder: &tempfile::TempDir, names: &[&str]) -> Result<Input, Error> {
    let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    Input::files(folder.path(), &names)
}

#[test]
fn patterns_that_match_nothing_or_too_much() {
    let folder = folder(&[("a.csv", "x\n1\n"), ("b.csv", "x\n2\n"), ("[c].csv", "x\n3\n")]);
    let said = |names: &[&str]| shown(&folder, &files(&folder, names).unwrap_err().to_string());
    assert_snapshot!(said(&["parts/*.csv"]), @"
    [folder]/parts/*.csv: no file matches this pattern
        fix: check the pattern; in a project it is relative to the project file
    ");
    assert_snapshot!(said(&["a[.csv"]), @"
    [folder]/a[.csv: this pattern cannot be read: invalid range pattern
        fix: write * for any letters, ? for one, [a-c] for one of these
    ");
    assert_snapshot!(said(&["a.csv", "*.csv"]), @"
    [folder]/a.csv: this file is named twice
        fix: name it once; a pattern may match it as well
    ");
    let count = |names: &[&str]| files(&folder, names).unwrap().parts().len();
    assert_eq!((count(&["*.csv"]), count(&["?.csv"]), count(&["[c].csv"])), (3, 2, 1));
    // A file that is not there is an error when it is opened, as it is without patterns.
    let missing = Table::open(files(&folder, &["a.csv", "z.csv"]).unwrap(), &plain());
    let missing = missing.expect_err("z.csv is not there");
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    assert_eq!(missing.io_error().map(io::Error::kind), Some(io::ErrorKind::NotFound));
    assert!(missing.to_string().contains("z.csv: "), "{missing}");
}

#[test]
fn files_of_one_table_that_differ() {
    let said = |second: &str| {
        let folder = folder(&[("a.csv", "age,sex\n37,f\n"), ("b.csv", second)]);
        let said = refusal(files(&folder, &["*.csv"]).unwrap(), &plain());
        assert!(!said.contains("41"), "no record is printed: {said}");
        shown(&folder, &said)
    };
    let second = [
        ("fewer columns", "age\n37\n"),
        ("more columns", "age,sex,zip\n37,f,1\n"),
        ("another order", "sex,age\nf,37\n"),
        ("another name", "age,gender\n37,f\n"),
        ("no header", "41,m\n43,f\n"),
    ];
    assert_snapshot!(titled(second.map(|(title, second)| (title, said(second)))), @"
    == fewer columns
    [folder]/b.csv: 1 column, but [folder]/a.csv has 2
        fix: give all files the same columns in the same order, and each its own header; or none a header, and name the columns in the project
    == more columns
    [folder]/b.csv: 3 columns, but [folder]/a.csv has 2
        fix: give all files the same columns in the same order, and each its own header; or none a header, and name the columns in the project
    == another order
    [folder]/b.csv: column 1 of [folder]/a.csv has another position here
        fix: give all files the same columns in the same order, and each its own header; or none a header, and name the columns in the project
    == another name
    [folder]/b.csv: column 2 of [folder]/a.csv has another name here
        fix: give all files the same columns in the same order, and each its own header; or none a header, and name the columns in the project
    == no header
    [folder]/b.csv: column 1 of [folder]/a.csv has another name here
        fix: give all files the same columns in the same order, and each its own header; or none a header, and name the columns in the project
    ");
}

#[test]
fn lines_are_those_of_the_file() {
    let folder = folder(&[
        ("a.csv", "age,sex\n37,f\n41,m\n"),
        ("b.csv", "age;sex\n\n37;f\n41\n"),
        ("c.csv", "age,sex\n37,f\n43,\"m\n"),
    ]);
    for size in [1, 1 << 20] {
        let said = |names: &[&str]| {
            let table = open(files(&folder, names).unwrap(), &plain()).in_blocks_of(size);
            let plan = haggle_data::Plan {
                counted: vec![0, 1],
                watched: vec![],
                checked: vec![],
                missing: haggle_data::Missing::default(),
            };
            let scanned = haggle_data::scan(&table, &plan, usize::MAX, &haggle_model::Silent);
            shown(&folder, &scanned.unwrap_err().to_string())
        };
        allow_duplicates!(assert_snapshot!(said(&["a.csv", "b.csv"]), @"
        [folder]/b.csv:4: 1 field, but the table has 2 columns
            fix: quote fields that contain the separator; see also separator and quote in the project
        "));
        allow_duplicates!(assert_snapshot!(said(&["a.csv", "c.csv"]), @"
        [folder]/c.csv:3: a quote in this record is never closed
            fix: close or double the quote; if quotes are plain letters here, state another quote in the project
        "));
    }
}

#[test]
fn values_know_the_file_and_line_of_their_first_occurrence() {
    let folder = folder(&[("a.csv", "x\n1\n2\n"), ("b.csv", "x\n1\n3\n4\n")]);
    let table = open(files(&folder, &["*.csv"]).unwrap(), &plain());
    let plan = haggle_data::Plan {
        counted: vec![0],
        watched: vec![],
        checked: vec![],
        missing: haggle_data::Missing::default(),
    };
    let scanned = haggle_data::scan(&table, &plan, usize::MAX, &haggle_model::Silent).unwrap();
    let place = |line: &u64| table.place(haggle_model::Problem::new("").line(*line)).at;
    let places = scanned.values(0).first_line.iter().map(place);
    let places: Vec<String> = places
        .map(|at| {
            format!("{}:{}", at.file.unwrap().file_name().unwrap().display(), at.line.unwrap())
        })
        .collect();
    assert_eq!(places, ["a.csv:2", "a.csv:3", "b.csv:3", "b.csv:4"]);
}

#[test]
fn digests_tell_where_files_end() {
    let texts = [("a.csv", "x\n1\n2\n"), ("b.csv", "x\n3\n")];
    let digest = |files_in: &[(&str, &str)]| {
        let folder = folder(files_in);
        files(&folder, &["*.csv"]).unwrap().digest().unwrap()
    };
    assert_eq!(digest(&texts), digest(&texts));
    let moved = [("a.csv", "x\n1\n"), ("b.csv", "2\nx\n3\n")];
    let swapped = [("a.csv", "x\n3\n"), ("b.csv", "x\n1\n2\n")];
    let more = [texts[0], texts[1], ("c.csv", "")];
    for other in [&moved[..], &swapped, &more, &texts[..1]] {
        assert_ne!(digest(other), digest(&texts), "{other:?}");
    }
}

#[test]
fn a_sound_table_is_not_refused() {
    let table = open(Input::memory("t.csv", table().into_bytes()), &plain());
    assert_eq!(scanned(&table).unwrap().read(), 4_000);
}
