//! What the values of an Arrow column are, as a Parquet file of the same column would say.

use arrow_schema::{DataType, Field, TimeUnit};

use crate::values::ValueKind;

/// The name under which an Arrow field says that its bytes are UUIDs.
const EXTENSION: &str = "ARROW:extension:name";
const UUID: &str = "arrow.uuid";

/// What a column's values are, or in words why they have no text.
pub(super) fn value_kind(field: &Field) -> Result<ValueKind, String> {
    let is_uuid = field.metadata().get(EXTENSION).is_some_and(|name| name == UUID);
    match field.data_type() {
        DataType::FixedSizeBinary(16) if is_uuid => Ok(ValueKind::Uuid),
        other => of_type(other),
    }
}

fn of_type(kind: &DataType) -> Result<ValueKind, String> {
    use DataType as D;
    Ok(match kind {
        D::Boolean => ValueKind::Boolean,
        // Durations are stored in Parquet as plain numbers; a column of nulls has no values.
        D::Int8 | D::Int16 | D::Int32 | D::Int64 | D::Duration(_) | D::Null => ValueKind::Integer,
        D::UInt8 | D::UInt16 | D::UInt32 => ValueKind::Unsigned32,
        D::UInt64 => ValueKind::Unsigned64,
        D::Float16 => ValueKind::Half,
        D::Float32 | D::Float64 => ValueKind::Float,
        D::Decimal32(_, scale) | D::Decimal64(_, scale) | D::Decimal128(_, scale) => {
            ValueKind::decimal((*scale).into()).map_err(|kind| format!("of the type {kind}"))?
        }
        D::Date32 | D::Date64 => ValueKind::Date,
        D::Time32(unit) | D::Time64(unit) => ValueKind::Time(in_a_second(*unit)),
        D::Timestamp(unit, zone) => ValueKind::Timestamp(in_a_second(*unit), zone.is_some()),
        D::Utf8
        | D::LargeUtf8
        | D::Utf8View
        | D::Binary
        | D::LargeBinary
        | D::BinaryView
        | D::FixedSizeBinary(_) => ValueKind::Text,
        D::Dictionary(_, values) if !matches!(**values, D::Dictionary(..)) => of_type(values)?,
        D::List(_) | D::LargeList(_) | D::FixedSizeList(..) | D::Struct(_) | D::Map(..) => {
            return Err("nested".into());
        }
        other => return Err(format!("of the type {other}")),
    })
}

fn in_a_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}
