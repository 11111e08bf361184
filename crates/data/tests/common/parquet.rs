//! Tables as Parquet.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

/// The types of the records' columns.
const RECORDS: &str = "message people {
    optional int32 age; required binary city (STRING); optional binary note (STRING);
    required int32 born (DATE); optional double score; required boolean member;
}";

/// A writer of Parquet into memory.
pub(crate) type Writer = SerializedFileWriter<Vec<u8>>;

pub(crate) fn writer(schema: &str, properties: WriterProperties) -> Writer {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap()
}

/// The records with real types, this many in a group.
pub(crate) fn write(records: &[[String; 6]], packed: Compression, in_a_group: usize) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(packed).build();
    let mut writer = writer(RECORDS, properties);
    for some in records.chunks(in_a_group) {
        let mut group = writer.next_row_group().unwrap();
        optional::<Int32Type>(&mut group, &column(some, 0, |age| age.parse().unwrap()));
        let cities: Vec<ByteArray> = some.iter().map(|r| r[1].as_str().into()).collect();
        required::<ByteArrayType>(&mut group, &cities);
        optional::<ByteArrayType>(&mut group, &column(some, 2, |note| ByteArray::from(note)));
        required::<Int32Type>(&mut group, &some.iter().map(|r| days(&r[3])).collect::<Vec<_>>());
        optional::<DoubleType>(&mut group, &column(some, 4, |score| score.parse().unwrap()));
        let members: Vec<bool> = some.iter().map(|r| r[5] == "true").collect();
        required::<BoolType>(&mut group, &members);
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn column<T>(records: &[[String; 6]], at: usize, value: impl Fn(&str) -> T) -> Vec<Option<T>> {
    let field = |r: &[String; 6]| (!r[at].is_empty()).then(|| value(&r[at]));
    records.iter().map(field).collect()
}

/// Writes the next column of a group.
pub(crate) fn required<T: parquet::data_type::DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, None, None).unwrap();
    column.close().unwrap();
}

/// Writes the next column of a group, where values may be absent.
pub(crate) fn optional<T: parquet::data_type::DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[Option<T::T>],
) {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let present: Vec<T::T> = values.iter().flatten().cloned().collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(&present, Some(&levels), None).unwrap();
    column.close().unwrap();
}

/// Days from 1970 to a date such as 1952-02-29, counted one by one.
pub(crate) fn days(date: &str) -> i32 {
    let parts: Vec<i32> = date.split('-').map(|part| part.parse().unwrap()).collect();
    let leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let months = |year| [31, 28 + i32::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let year_days = |year| 365 + i32::from(leap(year));
    let years: i32 = match parts[0] {
        year @ 1970.. => (1970..year).map(year_days).sum(),
        year => -(year..1970).map(year_days).sum::<i32>(),
    };
    years + months(parts[0])[..parts[1] as usize - 1].iter().sum::<i32>() + parts[2] - 1
}
