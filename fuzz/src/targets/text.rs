//! Delimited text, plain or packed, in any dialect and encoding.

use haggle_data::{CsvOptions, Error, Input, Missing, OnMissing, Plan, Table, scan};

use super::Verdict;
use crate::properties::refused_by;

/// What was read of a table: records, and by column the values that occur.
type Content = (u64, Vec<Vec<String>>);

const SEPARATORS: [Option<u8>; 8] =
    [None, Some(b','), Some(b';'), Some(b'\t'), Some(b'|'), Some(b'a'), Some(b'\n'), Some(0xe9)];
const ENCODINGS: [Option<&str>; 8] = [
    None,
    Some("utf-8"),
    Some("windows-1252"),
    Some("utf-16"),
    Some("utf-16be"),
    Some("shift_jis"),
    Some("iso-2022-jp"),
    Some("big5"),
];

/// The first two bytes are what is stated of the file, the others are the file.
pub(super) fn check(input: &[u8]) -> Verdict {
    let Some((stated, bytes)) = input.split_at_checked(2) else { return Verdict::Refused };
    same_in_any_blocks(bytes, &options(stated[0], stated[1]))
}

fn options(one: u8, other: u8) -> CsvOptions {
    let encoding = ENCODINGS[usize::from(one >> 4) % 8];
    let columns = [None, Some(1), Some(3), Some(6)][usize::from(other >> 2) % 4];
    CsvOptions {
        separator: SEPARATORS[usize::from(one) % 8],
        quote: [None, Some(b'\'')][usize::from(one >> 3) % 2],
        escape: [None, Some(b'\\'), Some(b'"'), Some(b',')][usize::from(other >> 4) % 4],
        encoding: encoding.map(|name| name.parse().expect("the name of an encoding")),
        header: [None, Some(false), Some(true)][usize::from(other) % 4 % 3],
        columns: columns.map(|n| (0..n).map(|i: u8| i.to_string()).collect()),
    }
}

/// Reads a table in blocks of two sizes: both are read alike, or refused.
pub(super) fn same_in_any_blocks(bytes: &[u8], options: &CsvOptions) -> Verdict {
    let sizes = [1 + bytes.len() % 300, 1 << 16];
    match sizes.map(|size| read(bytes, options, size)) {
        [Ok(small), Ok(large)] => {
            assert_eq!(small, large, "the size of blocks matters");
            Verdict::Accepted
        }
        [Err(small), Err(large)] => {
            refused_by(large, bytes);
            refused_by(small, bytes)
        }
        [small, large] => panic!("the size of blocks matters: {small:?}, {large:?}"),
    }
}

fn read(bytes: &[u8], options: &CsvOptions, size: usize) -> Result<Content, Error> {
    let table = Table::open(Input::memory("t", bytes.to_vec()), options)?.in_blocks_of(size);
    let counted: Vec<usize> = (0..table.columns().len()).take(4).collect();
    let columns = counted.len();
    let missing = Missing { marks: Vec::new(), policy: OnMissing::Value };
    let plan = Plan { counted, watched: vec![], checked: vec![], missing };
    let scanned = scan(&table, &plan, 1 << 24, &haggle_model::Silent)?;
    assert_eq!(scanned.read(), scanned.kept() + scanned.dropped(), "records add up");
    let values =
        |position: usize| scanned.values(position).dictionary.values().map(String::from).collect();
    Ok((scanned.read(), (0..columns).map(values).collect()))
}
