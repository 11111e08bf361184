//! What is said of files that cannot be read: which file, which line, and what to do.

mod common;

use std::path::PathBuf;

use common::text::{Letters, PLAIN};
use common::{COLUMNS, gzip, open, records, refusal, scanned, zstd};
use haggle_data::{CsvOptions, Encoding, Error, Input, Table};

/// The input is refused in all of these words.
fn refused(name: &str, bytes: impl Into<Vec<u8>>, options: &CsvOptions, words: &[&str]) {
    let said = refusal(Input::memory(name.to_owned(), bytes.into()), options);
    for word in words {
        assert!(said.contains(word), "{word:?} is not in: {said}");
    }
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
    for (kind, name, packed) in [
        ("gzip", "table.csv.gz", gzip(table().as_bytes())),
        ("zstd", "table.csv.zst", zstd(table().as_bytes())),
    ] {
        let damaged = format!("{name}: the {kind} data is damaged");
        let words = [damaged.as_str(), "copy the file again"];
        for cut in [packed.len() / 2, packed.len() - 1, 7] {
            refused(name, &packed[..cut], &plain(), &words);
        }
        let mut flipped = packed.clone();
        flipped[packed.len() / 2] ^= 0x55;
        refused(name, flipped, &plain(), &words);
        refused(name, [&packed[..], b"trailing"].concat(), &plain(), &words);
    }
}

#[test]
fn other_packings_are_named() {
    let unpack = "unpack it, or pack it with gzip or zstd";
    refused("t.bz2", b"BZh91AY&SY", &plain(), &["t.bz2: this file is packed with bzip2", unpack]);
    refused("t.xz", b"\xfd7zXZ\0\0", &plain(), &["t.xz: this file is packed with xz", unpack]);
    refused("t.zip", b"PK\x03\x04..", &plain(), &["t.zip: this is a ZIP archive", "unpack it"]);
    refused("t", b"PARE\x15\0", &plain(), &["t: this is an encrypted Parquet file"]);
    refused("t.gz", gzip(b"PAR1...."), &plain(), &["t.gz: this is a Parquet file that was packed"]);
}

#[test]
fn invalid_utf8_names_the_line_and_the_way_out() {
    let state = "state the encoding it is written in, e.g. encoding = \"windows-1252\"";
    let latin = Letters::Named("windows-1252").encode("a,b\n1,2\nK\u{f6}ln,3\n");
    refused("t.csv", latin, &plain(), &["t.csv:3: not valid UTF-8", state]);
    let far = [table().as_bytes(), b"1,K\xf6ln,,,,\n"].concat();
    let line = format!("t.csv:{}: not valid UTF-8", table().lines().count() + 1);
    refused("t.csv", far, &plain(), &[&line, state]);
    refused("t.csv", b"K\xf6ln,b\n1,2\n", &plain(), &["t.csv:1: not valid UTF-8", state]);
    refused("t.csv.gz", gzip(b"a,b\nK\xf6ln,2\n"), &plain(), &["t.csv.gz:2: not valid", state]);
}

#[test]
fn bytes_that_are_not_letters_in_the_stated_encoding_are_never_replaced() {
    let state = "state the encoding that the file is written in";
    let no_letter = |name: &str| format!("bytes that are not a letter in {name}");
    let shift_jis = no_letter("Shift_JIS");
    refused("t.csv", b"a\n1\n\x81\x20\n", &encoded("shift_jis"), &["t.csv:3: ", &shift_jis, state]);
    let maltese = no_letter("ISO-8859-3");
    refused("t.csv", b"a\r1\r\xa5\r", &encoded("iso-8859-3"), &["t.csv:3: ", &maltese, state]);
    let mut unpaired = Letters::Utf16LittleMarked.encode("a,b\r\n1,2\r\nx,3\r\n");
    let at = unpaired.iter().position(|&byte| byte == b'x').unwrap();
    unpaired[at..at + 2].copy_from_slice(&[0x00, 0xd8]);
    refused("t.csv", unpaired, &plain(), &["t.csv:3: ", &no_letter("UTF-16LE"), state]);
    let cut = Letters::Utf16BigMarked.encode("a,b\n1,2");
    refused("t.csv", &cut[..cut.len() - 1], &plain(), &["t.csv:2: ", &no_letter("UTF-16BE")]);
    let far = [table().as_bytes(), b"\x81\x20"].concat();
    let line = format!("t.csv:{}: ", table().lines().count() + 1);
    refused("t.csv", far, &encoded("shift_jis"), &[&line, &shift_jis]);
}

#[test]
fn encodings_that_there_are_not() {
    for name in ["utf-9", "", "replacement", "hz-gb-2312"] {
        let error = name.parse::<Encoding>().unwrap_err().to_string();
        assert!(error.contains(&format!("the encoding '{name}' is unknown")), "{error}");
        assert!(error.contains("windows-1252"), "{error}");
    }
    refused("t.csv", b"\xff\xfe\0\0a\0\0\0", &plain(), &["t.csv: the file is written in UTF-32"]);
    let unmarked = Letters::Utf16Little.encode("a,b\n1,2\n");
    refused("t.csv", unmarked, &plain(), &["t.csv:1: a NUL byte", "encoding = \"utf-16\""]);
}

#[test]
fn separators_that_are_not_different() {
    let stated = |separator, quote, escape| CsvOptions { separator, quote, escape, ..plain() };
    let words =
        ["t.csv: separator, quote and escape are not different characters", "a letter of its own"];
    for options in [
        stated(Some(b';'), Some(b';'), None),
        stated(Some(b'"'), None, None),
        stated(Some(b'\n'), None, None),
        stated(Some(0xe9), None, None),
        stated(None, Some(b'\r'), None),
        stated(Some(b';'), None, Some(b';')),
    ] {
        refused("t.csv", b"a;b\n1;2\n", &options, &words);
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

fn files(folder: &tempfile::TempDir, names: &[&str]) -> Result<Input, Error> {
    let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    Input::files(folder.path(), &names)
}

#[test]
fn patterns_that_match_nothing_or_too_much() {
    let folder = folder(&[("a.csv", "x\n1\n"), ("b.csv", "x\n2\n"), ("[c].csv", "x\n3\n")]);
    let said = |names: &[&str]| files(&folder, names).unwrap_err().to_string();
    let nothing = said(&["parts/*.csv"]);
    assert!(nothing.contains("parts/*.csv: no file matches this pattern"), "{nothing}");
    assert!(nothing.contains("relative to the project file"), "{nothing}");
    assert!(said(&["a[.csv"]).contains("a[.csv: this pattern cannot be read"));
    assert!(said(&["a.csv", "*.csv"]).contains("a.csv: this file is named twice"));
    let count = |names: &[&str]| files(&folder, names).unwrap().parts().len();
    assert_eq!((count(&["*.csv"]), count(&["?.csv"]), count(&["[c].csv"])), (3, 2, 1));
    // A file that is not there is an error when it is opened, as it is without patterns.
    let missing = Table::open(files(&folder, &["a.csv", "z.csv"]).unwrap(), &plain());
    assert!(matches!(missing, Err(Error::Io { path, .. }) if path.ends_with("z.csv")));
}

#[test]
fn files_of_one_table_that_differ() {
    let said = |second: &str| {
        let folder = folder(&[("a.csv", "age,sex\n37,f\n"), ("b.csv", second)]);
        refusal(files(&folder, &["*.csv"]).unwrap(), &plain())
    };
    for (second, what) in [
        ("age\n37\n", "b.csv: 1 columns, but "),
        ("age,sex,zip\n37,f,1\n", "b.csv: 3 columns, but "),
        ("sex,age\nf,37\n", "a.csv has another position here"),
        ("age,gender\n37,f\n", "a.csv has another name here"),
        ("41,m\n43,f\n", "column 1 of "),
    ] {
        let said = said(second);
        assert!(said.contains(what) && said.contains("a.csv"), "{what:?} is not in: {said}");
        assert!(said.contains("each its own header"), "{said}");
        assert!(!said.contains("41"), "no record is printed: {said}");
    }
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
            haggle_data::scan(&table, &plan, usize::MAX, &haggle_model::Silent)
                .unwrap_err()
                .to_string()
        };
        assert!(said(&["a.csv", "b.csv"]).contains("b.csv:4: 1 fields, but there are 2 columns"));
        let never = said(&["a.csv", "c.csv"]);
        assert!(never.contains("c.csv:3: a quote in this record is never closed"), "{never}");
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
