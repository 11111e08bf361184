//! The values of Arrow arrays as text, by the same rules as those of Parquet columns.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, OffsetSizeTrait};
use arrow_schema::{DataType, TimeUnit};

use crate::values::{Texts, ValueKind, float, plain};

/// The milliseconds of a day.
const DAY: i64 = 86_400_000;
/// An estimate of how many bytes a number takes as text.
const NUMBER: usize = 16;

/// Writes the value at a position; `None` if its bytes are not text.
type WriteValue<'a> = Box<dyn Fn(usize, &mut String) -> Option<()> + 'a>;

/// The texts of an array; absent values are empty. An error is the row whose bytes are not text.
pub(super) fn texts(kind: ValueKind, array: &dyn Array) -> Result<Texts, usize> {
    let nulls = array.logical_nulls();
    let write = writer(kind, array);
    Texts::from_rows(array.len(), |row, out| match &nulls {
        Some(nulls) if nulls.is_null(row) => Some(()),
        _ => write(row, out),
    })
}

fn writer(kind: ValueKind, array: &dyn Array) -> WriteValue<'_> {
    use DataType as D;
    match array.data_type() {
        D::Boolean => {
            let values = array.as_boolean();
            Box::new(move |row, out| plain(&values.value(row), out))
        }
        D::Int8 => integers::<Int8Type>(kind, array),
        D::Int16 => integers::<Int16Type>(kind, array),
        D::Int32 => integers::<Int32Type>(kind, array),
        D::Int64 => integers::<Int64Type>(kind, array),
        D::UInt8 => integers::<UInt8Type>(kind, array),
        D::UInt16 => integers::<UInt16Type>(kind, array),
        D::UInt32 => integers::<UInt32Type>(kind, array),
        D::UInt64 => {
            let values = array.as_primitive::<UInt64Type>();
            Box::new(move |row, out| plain(&values.value(row), out))
        }
        D::Float16 => {
            let values = array.as_primitive::<Float16Type>();
            Box::new(move |row, out| kind.bytes(&values.value(row).to_le_bytes(), out))
        }
        D::Float32 => {
            let values = array.as_primitive::<Float32Type>();
            Box::new(move |row, out| float(values.value(row), values.value(row).into(), out))
        }
        D::Float64 => {
            let values = array.as_primitive::<Float64Type>();
            Box::new(move |row, out| float(values.value(row), values.value(row), out))
        }
        D::Decimal32(..) => integers::<Decimal32Type>(kind, array),
        D::Decimal64(..) => integers::<Decimal64Type>(kind, array),
        D::Decimal128(..) => {
            let values = array.as_primitive::<Decimal128Type>();
            Box::new(move |row, out| kind.bytes(&values.value(row).to_be_bytes(), out))
        }
        D::Date64 => {
            let values = array.as_primitive::<Date64Type>();
            Box::new(move |row, out| kind.integer(values.value(row).div_euclid(DAY), out))
        }
        D::Date32 | D::Time32(_) | D::Time64(_) | D::Timestamp(..) | D::Duration(_) => {
            temporal(kind, array)
        }
        D::Dictionary(..) => dictionary(kind, array),
        _ => bytes(kind, array),
    }
}

fn integers<T>(kind: ValueKind, array: &dyn Array) -> WriteValue<'_>
where
    T: ArrowPrimitiveType,
    T::Native: Into<i64>,
{
    let values = array.as_primitive::<T>();
    Box::new(move |row, out| kind.integer(values.value(row).into(), out))
}

fn temporal(kind: ValueKind, array: &dyn Array) -> WriteValue<'_> {
    use DataType as D;
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    match array.data_type() {
        D::Time32(Second) => integers::<Time32SecondType>(kind, array),
        D::Time32(_) => integers::<Time32MillisecondType>(kind, array),
        D::Time64(Microsecond) => integers::<Time64MicrosecondType>(kind, array),
        D::Time64(_) => integers::<Time64NanosecondType>(kind, array),
        D::Timestamp(Second, _) => integers::<TimestampSecondType>(kind, array),
        D::Timestamp(Millisecond, _) => integers::<TimestampMillisecondType>(kind, array),
        D::Timestamp(Microsecond, _) => integers::<TimestampMicrosecondType>(kind, array),
        D::Timestamp(Nanosecond, _) => integers::<TimestampNanosecondType>(kind, array),
        D::Duration(Second) => integers::<DurationSecondType>(kind, array),
        D::Duration(Millisecond) => integers::<DurationMillisecondType>(kind, array),
        D::Duration(Microsecond) => integers::<DurationMicrosecondType>(kind, array),
        D::Duration(Nanosecond) => integers::<DurationNanosecondType>(kind, array),
        _ => integers::<Date32Type>(kind, array),
    }
}

fn dictionary(kind: ValueKind, array: &dyn Array) -> WriteValue<'_> {
    let dictionary = array.as_any_dictionary();
    if dictionary.values().is_empty() {
        return Box::new(|_, _| None);
    }
    let keys = dictionary.normalized_keys();
    let write = writer(kind, dictionary.values().as_ref());
    Box::new(move |row, out| write(keys[row], out))
}

/// The type is looked at once, not for every row.
fn bytes(kind: ValueKind, array: &dyn Array) -> WriteValue<'_> {
    use DataType as D;
    match array.data_type() {
        D::Utf8 => stored(kind, array.as_string::<i32>()),
        D::LargeUtf8 => stored(kind, array.as_string::<i64>()),
        D::Utf8View => stored(kind, array.as_string_view()),
        D::Binary => stored(kind, array.as_binary::<i32>()),
        D::LargeBinary => stored(kind, array.as_binary::<i64>()),
        D::BinaryView => stored(kind, array.as_binary_view()),
        D::FixedSizeBinary(_) => stored(kind, array.as_fixed_size_binary()),
        _ => Box::new(|_, _| None),
    }
}

fn stored<'a, A>(kind: ValueKind, values: A) -> WriteValue<'a>
where
    A: ArrayAccessor<Item: AsRef<[u8]>> + 'a,
{
    Box::new(move |row, out| kind.bytes(values.value(row).as_ref(), out))
}

/// The bytes of a value; `None` if the array has numbers.
fn bytes_at(array: &dyn Array, row: usize) -> Option<&[u8]> {
    use DataType as D;
    Some(match array.data_type() {
        D::Utf8 => array.as_string::<i32>().value(row).as_bytes(),
        D::LargeUtf8 => array.as_string::<i64>().value(row).as_bytes(),
        D::Utf8View => array.as_string_view().value(row).as_bytes(),
        D::Binary => array.as_binary::<i32>().value(row),
        D::LargeBinary => array.as_binary::<i64>().value(row),
        D::BinaryView => array.as_binary_view().value(row),
        D::FixedSizeBinary(_) => array.as_fixed_size_binary().value(row),
        _ => return None,
    })
}

/// About how many bytes the texts of an array take.
pub(super) fn text_bytes(array: &dyn Array) -> usize {
    use DataType as D;
    match array.data_type() {
        D::Utf8 => span(array.as_string::<i32>().value_offsets()),
        D::LargeUtf8 => span(array.as_string::<i64>().value_offsets()),
        D::Binary => span(array.as_binary::<i32>().value_offsets()),
        D::LargeBinary => span(array.as_binary::<i64>().value_offsets()),
        D::Utf8View => lengths(array.as_string_view().views()),
        D::BinaryView => lengths(array.as_binary_view().views()),
        D::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = dictionary.values().as_ref();
            if values.is_empty() {
                return 0;
            }
            let length = |key: &usize| bytes_at(values, *key).map_or(NUMBER, <[u8]>::len);
            dictionary.normalized_keys().iter().map(length).sum()
        }
        _ => (0..array.len()).map(|row| bytes_at(array, row).map_or(NUMBER, <[u8]>::len)).sum(),
    }
}

/// The lengths of values, which are the first 32 bits of their views.
fn lengths(views: &[u128]) -> usize {
    views.iter().map(|view| *view as u32 as usize).sum()
}

fn span<O: OffsetSizeTrait>(offsets: &[O]) -> usize {
    let ends = offsets.first().zip(offsets.last());
    ends.map_or(0, |(first, last)| (*last - *first).as_usize())
}
