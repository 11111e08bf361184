//! Parquet: every type as the text that people write, columns that have none, damaged files.

use crate::common::parquet::{days, optional, required, write, writer};
use crate::common::{open, records, refusal, scanned, values};
use ::parquet::basic::Compression;
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use ::parquet::file::properties::WriterProperties;
use haggle_data::{CsvOptions, Error, Input, Missing, OnMissing, Plan, Table, scan};
use haggle_testkit::titled;
use insta::assert_snapshot;

/// The texts of a file of one column, from its type and what is stored.
fn column<T: DataType>(definition: &str, stored: &[T::T]) -> Vec<String> {
    let mut writer = writer(&one(definition), WriterProperties::default());
    let mut group = writer.next_row_group().unwrap();
    required::<T>(&mut group, stored);
    group.close().unwrap();
    let bytes = writer.into_inner().unwrap();
    values(&open(Input::memory("t.parquet", bytes), &CsvOptions::default()), "x")
}

fn one(definition: &str) -> String {
    format!("message m {{ required {definition}; }}")
}

fn fixed(bytes: &[u8]) -> FixedLenByteArray {
    ByteArray::from(bytes.to_vec()).into()
}

#[test]
fn whole_numbers_are_plain() {
    assert_eq!(column::<Int32Type>("int32 x", &[-5, 0, i32::MAX]), ["-5", "0", "2147483647"]);
    let extremes = column::<Int64Type>("int64 x", &[i64::MIN, i64::MAX]);
    assert_eq!(extremes, ["-9223372036854775808", "9223372036854775807"]);
    assert_eq!(column::<Int32Type>("int32 x (INTEGER(32,false))", &[-1]), ["4294967295"]);
    assert_eq!(column::<Int32Type>("int32 x (UINT_8)", &[7, 200]), ["7", "200"]);
    let most = column::<Int64Type>("int64 x (INTEGER(64,false))", &[-1]);
    assert_eq!(most, ["18446744073709551615"]);
}

#[test]
fn other_numbers_are_as_short_as_can_be() {
    let numbers = [-0.0, 0.1, 0.1 + 0.2, 37.0, 1e-7, 1e15, 1e300, f64::INFINITY];
    let expected =
        ["0", "1e-7", "0.1", "0.30000000000000004", "37", "1000000000000000", "1e300", "inf"];
    assert_eq!(column::<DoubleType>("double x", &numbers), expected);
    assert_eq!(column::<DoubleType>("double x", &[f64::NAN]), ["NaN"]);
    assert_eq!(column::<FloatType>("float x", &[0.1, 16_777_216.0]), ["0.1", "16777216"]);
    let halves = [0x3c00_u16, 0x3555, 0xc000, 0x0001, 0x7c00].map(|h| fixed(&h.to_le_bytes()));
    let texts = column::<FixedLenByteArrayType>("fixed_len_byte_array(2) x (FLOAT16)", &halves);
    assert_eq!(texts, ["-2", "5.9604645e-8", "0.33325195", "1", "inf"]);
}

#[test]
fn decimals_keep_their_digits() {
    let cents = column::<Int32Type>("int32 x (DECIMAL(9,2))", &[-5, 0, 1250, 100_000]);
    assert_eq!(cents, ["-0.05", "0.00", "12.50", "1000.00"]);
    assert_eq!(column::<Int64Type>("int64 x (DECIMAL(18,0))", &[-7]), ["-7"]);
    let bytes = |number: i128, n: usize| number.to_be_bytes()[16 - n..].to_vec();
    let short = [-1, 255, -129].map(|number| ByteArray::from(bytes(number, 2)));
    assert_eq!(
        column::<ByteArrayType>("binary x (DECIMAL(4,1))", &short),
        ["-12.9", "-0.1", "25.5"]
    );
    let long = "123456789012345678901234567890.12345678";
    let number: i128 = long.replace('.', "").parse().unwrap();
    let stored = [fixed(&bytes(number, 16))];
    let definition = "fixed_len_byte_array(16) x (DECIMAL(38,8))";
    assert_eq!(column::<FixedLenByteArrayType>(definition, &stored), [long]);
}

#[test]
fn dates_and_times_are_written_as_iso_8601_has_it() {
    let dates = ["1900-03-01", "1969-12-31", "1970-01-01", "2000-02-29", "2024-12-31"];
    let stored = dates.map(days);
    assert_eq!(column::<Int32Type>("int32 x (DATE)", &stored), dates);
    assert_eq!(column::<Int32Type>("int32 x (DATE)", &[-719_528]), ["0000-01-01"]);
    let times = [0, 86_399_999, 45_000_500];
    let texts = column::<Int32Type>("int32 x (TIME(MILLIS,false))", &times);
    assert_eq!(texts, ["00:00:00", "12:30:00.5", "23:59:59.999"]);
    let moments = [-1, 0, 1_709_210_096_123_456];
    let local = column::<Int64Type>("int64 x (TIMESTAMP(MICROS,false))", &moments);
    assert_eq!(
        local,
        ["1969-12-31T23:59:59.999999", "1970-01-01T00:00:00", "2024-02-29T12:34:56.123456"]
    );
    let utc = column::<Int64Type>("int64 x (TIMESTAMP(NANOS,true))", &[1_709_210_096_000_000_001]);
    assert_eq!(utc, ["2024-02-29T12:34:56.000000001Z"]);
    assert_eq!(column::<Int64Type>("int64 x (TIMESTAMP_MILLIS)", &[0]), ["1970-01-01T00:00:00Z"]);
    let mut old = Int96::new();
    old.set_data(1_000_000_000, 0, 2_440_588 + days("2024-02-29") as u32);
    assert_eq!(column::<Int96Type>("int96 x", &[old]), ["2024-02-29T00:00:01"]);
}

#[test]
fn every_day_of_eight_centuries_is_right() {
    let mut day = days("1600-01-01");
    for year in 1600..2400 {
        let stored: Vec<i32> = (day..days(&format!("{}-01-01", year + 1))).collect();
        day = stored.last().unwrap() + 1;
        let texts = column::<Int32Type>("int32 x (DATE)", &stored);
        assert_eq!(texts.iter().map(|date| days(date)).collect::<Vec<_>>(), stored, "{year}");
    }
}

#[test]
fn text_and_the_rest() {
    let words = ["b".into(), " a ".into(), "K\u{f6}ln".into()];
    assert_eq!(column::<ByteArrayType>("binary x (STRING)", &words), ["K\u{f6}ln", "a", "b"]);
    assert_eq!(column::<ByteArrayType>("binary x", &words), ["K\u{f6}ln", "a", "b"]);
    assert_eq!(column::<BoolType>("boolean x", &[true, false]), ["false", "true"]);
    let id: Vec<u8> = (0..16).map(|i| i * 17).collect();
    let texts = column::<FixedLenByteArrayType>("fixed_len_byte_array(16) x (UUID)", &[fixed(&id)]);
    assert_eq!(texts, ["00112233-4455-6677-8899-aabbccddeeff"]);
}

/// A file with absent values in the middle and a list that is not requested.
fn with_a_list() -> Vec<u8> {
    let schema = "message m { optional int32 age; optional group tags (LIST) { repeated group list {
        optional binary element (STRING); } } required binary sex (STRING); required binary raw (BSON); }";
    let mut writer = writer(schema, WriterProperties::default());
    let mut group = writer.next_row_group().unwrap();
    optional::<Int32Type>(&mut group, &[Some(37), None, Some(41)]);
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&[], Some(&[0, 0, 0]), Some(&[0, 0, 0])).unwrap();
    column.close().unwrap();
    required::<ByteArrayType>(&mut group, &["f", "m", "f"].map(ByteArray::from));
    required::<ByteArrayType>(&mut group, &[0, 1, 2].map(|i| vec![0xff, i].into()));
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn count(table: &Table, columns: &[&str], policy: OnMissing) -> Result<Vec<String>, Error> {
    let columns: Vec<usize> = columns.iter().map(|name| table.column(name).unwrap()).collect();
    let missing = Missing { policy, ..Missing::default() };
    let plan = Plan { counted: columns.clone(), watched: vec![], checked: columns, missing };
    let scanned = scan(table, &plan, usize::MAX, &haggle_model::Silent)?;
    Ok(scanned.values(0).dictionary.values().map(String::from).collect())
}

#[test]
fn absent_values_are_missing_and_rows_are_numbered() {
    let table = open(Input::memory("t.parquet", with_a_list()), &CsvOptions::default());
    assert_eq!(count(&table, &["age"], OnMissing::Drop).unwrap(), ["37", "41"]);
    assert_eq!(count(&table, &["age"], OnMissing::Value).unwrap(), ["37", "41", "?"]);
    let said = count(&table, &["age"], OnMissing::Error).unwrap_err().to_string();
    assert_snapshot!(said, @r#"
    t.parquet: row 2: 'age' is missing
        fix: state what missing values mean: on_missing = "drop", "value" or "unmatched"
    "#);
}

#[test]
fn columns_without_a_text_are_refused_only_where_they_are_used() {
    let table = open(Input::memory("t.parquet", with_a_list()), &CsvOptions::default());
    assert_eq!(table.columns(), ["age", "tags", "sex", "raw"]);
    assert_eq!(count(&table, &["sex"], OnMissing::Error).unwrap(), ["f", "m"]);
    let said = |column: &str| count(&table, &[column], OnMissing::Value).unwrap_err().to_string();
    assert_snapshot!(said("tags"), @r#"
    t.parquet: the column 'tags' is nested, which cannot be read as text
        fix: do not count it, and give it role = "identifier" to publish without it; or write the file with plain columns
    "#);
    assert_snapshot!(said("raw"), @r#"
    t.parquet: the column 'raw' is of the type Bson, which cannot be read as text
        fix: do not count it, and give it role = "identifier" to publish without it; or write the file with plain columns
    "#);
    let bytes = [ByteArray::from("fine"), vec![0xff, 0xfe].into()];
    let mut writer = writer(&one("binary x"), WriterProperties::default());
    let mut group = writer.next_row_group().unwrap();
    required::<ByteArrayType>(&mut group, &bytes);
    group.close().unwrap();
    let said =
        refusal(Input::memory("t.parquet", writer.into_inner().unwrap()), &CsvOptions::default());
    assert_snapshot!(said, @"
    t.parquet: row 2: 'x' holds bytes that are not text
        fix: give it no role, or write the file with this column as text
    ");
}

#[test]
fn names_may_be_given_and_must_be_as_many() {
    let bytes = with_a_list();
    let stated = |names: &[&str]| CsvOptions {
        columns: Some(names.iter().map(ToString::to_string).collect()),
        ..CsvOptions::default()
    };
    let table = open(Input::memory("t.parquet", bytes.clone()), &stated(&["a", "b", "c", "d"]));
    assert_eq!(count(&table, &["c"], OnMissing::Error).unwrap(), ["f", "m"]);
    let said = refusal(Input::memory("t.parquet", bytes), &stated(&["a", "b"]));
    assert_snapshot!(said, @"
    t.parquet: the file has 4 columns, but 2 are named
        fix: leave `columns` out: a Parquet file names its columns
    ");
}

#[test]
fn damaged_files_are_said_to_be() {
    let sound = write(&records(), Compression::SNAPPY, 50);
    let cuts = [
        ("4 bytes", 4),
        ("5 bytes", 5),
        ("11 bytes", 11),
        ("100 bytes", 100),
        ("half", sound.len() / 2),
        ("all but one", sound.len() - 1),
    ];
    assert_snapshot!(titled(cuts.map(|(title, cut)| {
        let cut = Input::memory("t.parquet", sound[..cut].to_vec());
        (title, refusal(cut, &CsvOptions::default()))
    })));
    let mut wrong = sound.clone();
    wrong[sound.len() / 3..sound.len() / 2].fill(0x5a);
    let said = refusal(Input::memory("t.parquet", wrong), &CsvOptions::default());
    assert_snapshot!(said, @"
    t.parquet: this Parquet file is damaged or was cut short: a field of its metadata is of another type than it must be
        fix: copy or write the file again, or export the table as CSV
    ");
}

#[test]
fn only_what_is_asked_for_is_read() {
    let mut bytes = write(&records(), Compression::UNCOMPRESSED, 1_000);
    let table = open(Input::memory("t.parquet", bytes.clone()), &CsvOptions::default());
    assert_eq!(scanned(&table).unwrap().read(), 200);
    // The first column's pages are damaged; the last column can still be counted.
    bytes[8..60].fill(0xee);
    let table = open(Input::memory("t.parquet", bytes), &CsvOptions::default());
    assert_eq!(count(&table, &["member"], OnMissing::Error).unwrap(), ["false", "true"]);
    assert!(count(&table, &["age"], OnMissing::Value).is_err());
}

/// Every column that is text in the CSV file is the same text, row by row, in what pyarrow wrote.
#[test]
fn files_that_another_tool_wrote() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let opened = |name: &str| open(Input::file(folder.join(name)), &CsvOptions::default());
    let expected = opened("pyarrow.csv");
    for name in ["pyarrow-1.parquet", "pyarrow-2.parquet"] {
        let found = opened(name);
        for column in expected.columns() {
            assert_eq!(values(&found, column), values(&expected, column), "{name}, {column}");
        }
        let columns: Vec<&str> = expected.columns().iter().map(String::as_str).collect();
        assert_eq!(groups(&found, &columns), groups(&expected, &columns), "{name}");
        assert_eq!(found.columns()[columns.len()..], ["list", "pair"]);
    }
}

/// The different records of these columns, as the cube has them.
fn groups(table: &Table, columns: &[&str]) -> haggle_cube::Cube {
    let columns: Vec<usize> = columns.iter().map(|name| table.column(name).unwrap()).collect();
    let missing = Missing { policy: OnMissing::Value, ..Missing::default() };
    let plan = Plan { counted: columns.clone(), watched: vec![], checked: columns, missing };
    let scanned = scan(table, &plan, usize::MAX, &haggle_model::Silent).unwrap();
    let attribute = |(position, &column): (usize, &usize)| haggle_model::QuasiIdentifier {
        name: table.columns()[column].clone(),
        hierarchy: haggle_model::Hierarchy::flat(scanned.values(position).dictionary.values()),
    };
    let attributes = plan.counted.iter().enumerate().map(attribute).collect();
    scanned.into_cube(attributes)
}
