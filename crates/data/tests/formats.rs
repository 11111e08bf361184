//! One table in every dialect, encoding, packing and format is the same table.

use crate::common::text::{LETTERS, Letters, PLAIN, Style, styles};
use crate::common::{COLUMNS, cube, gzip, open, parquet, records, twice, zstd};
use ::parquet::basic::{Compression, GzipLevel, ZstdLevel};
use haggle_data::{CsvOptions, Input};

type Pack = fn(&[u8]) -> Vec<u8>;

/// The plain table's cube.
fn expected() -> haggle_cube::Cube {
    let text = PLAIN.write(&COLUMNS, &records());
    cube(&open(Input::memory("plain.csv", text.into()), &CsvOptions::default()))
}

/// What must be stated of a table that is written like this.
fn options(style: &Style, letters: Letters) -> CsvOptions {
    CsvOptions {
        encoding: letters.name().map(|name| name.parse().unwrap()),
        columns: (!style.header).then(|| COLUMNS.map(String::from).to_vec()),
        header: (!style.header).then_some(false),
        ..CsvOptions::default()
    }
}

#[test]
fn every_dialect_in_every_encoding_and_packing_is_the_same_table() {
    let (records, expected) = (records(), expected());
    let packings: [(&str, Pack); 5] = [
        ("as it is", <[u8]>::to_vec),
        ("gzip", gzip),
        ("gzip twice", |bytes| twice(gzip, bytes)),
        ("zstd", zstd),
        ("zstd twice", |bytes| twice(zstd, bytes)),
    ];
    for style in styles() {
        let text = style.write(&COLUMNS, &records);
        for letters in LETTERS {
            for (packing, pack) in packings {
                // The name says nothing of what is in the file.
                let input = Input::memory("table", pack(&letters.encode(&text)));
                let table = open(input, &options(&style, letters));
                assert_eq!(table.columns(), COLUMNS, "{style:?}, {letters:?}, {packing}");
                assert!(cube(&table) == expected, "{style:?}, {letters:?}, {packing}");
            }
        }
    }
}

#[test]
fn blocks_of_any_size_give_the_same_table() {
    let (records, expected) = (records(), expected());
    for style in styles() {
        let text = style.write(&COLUMNS, &records);
        for size in [1, 7, 64, 1_000] {
            let input = Input::memory("table.csv", text.clone().into());
            let table = open(input, &options(&style, Letters::Utf8)).in_blocks_of(size);
            assert!(cube(&table) == expected, "{style:?} in blocks of {size}");
        }
    }
}

#[test]
fn parquet_is_the_same_table() {
    let (records, expected) = (records(), expected());
    let packings = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
    ];
    for packing in packings {
        for in_a_group in [7, 1_000] {
            let bytes = parquet::write(&records, packing, in_a_group);
            for size in [64, 64 * 50, 1 << 20] {
                let input = Input::memory("people.parquet", bytes.clone());
                let table = open(input, &CsvOptions::default()).in_blocks_of(size);
                assert!(!table.is_delimited() && table.has_header());
                assert_eq!(table.columns(), COLUMNS);
                assert!(cube(&table) == expected, "{packing:?}, {in_a_group}, {size}");
            }
        }
    }
}

#[test]
fn files_on_disk_are_read_as_bytes_in_memory_are() {
    let (records, expected) = (records(), expected());
    let folder = tempfile::tempdir().unwrap();
    let text = PLAIN.write(&COLUMNS, &records);
    let files = [
        ("table.csv", text.clone().into_bytes()),
        ("table.csv.gz", gzip(text.as_bytes())),
        ("table.csv.zst", zstd(text.as_bytes())),
        ("table.parquet", parquet::write(&records, Compression::SNAPPY, 50)),
    ];
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let table = open(Input::file(&path), &CsvOptions::default());
        assert!(cube(&table) == expected, "{name}");
    }
}

#[test]
fn several_files_are_one_table() {
    let (records, expected) = (records(), expected());
    let folder = tempfile::tempdir().unwrap();
    let write =
        |name: &str, bytes: Vec<u8>| std::fs::write(folder.path().join(name), bytes).unwrap();
    let semicolons = Style { separator: ";", line_end: "\r\n", always_quoted: true, ..PLAIN };
    write("part-1.csv", PLAIN.write(&COLUMNS, &records[..70]).into());
    write("part-2.csv.gz", gzip(semicolons.write(&COLUMNS, &records[70..120]).as_bytes()));
    write("part-3.csv", Letters::Utf16BigMarked.encode(&PLAIN.write(&COLUMNS, &records[120..180])));
    write("part-4.parquet", parquet::write(&records[180..], Compression::SNAPPY, 7));
    write("part-5.csv", PLAIN.write(&COLUMNS, &records[..0]).into());
    write(".part-6.csv", b"hidden".to_vec());
    let listed = ["part-1.csv", "part-2.csv.gz", "part-3.csv", "part-4.parquet", "part-5.csv"]
        .map(Into::into);
    for names in [&["part-*".into()][..], &["part-[1-3].csv*".into(), "part-?.p*".into()], &listed]
    {
        let input = Input::files(folder.path(), names).unwrap();
        for size in [1, 100, 1 << 20] {
            let table = open(input.clone(), &CsvOptions::default()).in_blocks_of(size);
            assert!(cube(&table) == expected, "{names:?} in blocks of {size}");
        }
    }
}

#[test]
fn parts_without_a_header_may_be_empty() {
    let records = records();
    let style = Style { header: false, ..PLAIN };
    let folder = tempfile::tempdir().unwrap();
    for (i, part) in [&records[..90], &[], &records[90..]].iter().enumerate() {
        let name = folder.path().join(format!("part-{i}"));
        std::fs::write(name, style.write(&COLUMNS, part)).unwrap();
    }
    let input = Input::files(folder.path(), &["part-*".into()]).unwrap();
    let table = open(input, &options(&style, Letters::Utf8));
    assert!(cube(&table) == expected());
}
