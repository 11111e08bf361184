//! What the values of a Parquet column are, whatever they are stored as.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::ColumnDescriptor;

use crate::values::ValueKind;

impl ValueKind {
    /// What a column's values are, or the name of a type that has no text.
    pub(super) fn of(column: &ColumnDescriptor) -> Result<Self, String> {
        let kind = match column.logical_type_ref() {
            Some(logical) => Self::logical(logical),
            None => Self::converted(column),
        };
        let stored = column.physical_type();
        let kind = kind?.unwrap_or_else(|| Self::stored(stored));
        // A damaged schema may call anything a date.
        if kind.may_be(stored, column.type_length()) {
            Ok(kind)
        } else {
            Err(format!("{stored}, called {kind:?}"))
        }
    }

    fn logical(logical: &LogicalType) -> Result<Option<Self>, String> {
        Ok(Some(match logical {
            LogicalType::String | LogicalType::Enum | LogicalType::Json => Self::Text,
            LogicalType::Decimal(decimal) => Self::decimal(decimal.scale)?,
            LogicalType::Date => Self::Date,
            LogicalType::Time(time) => Self::Time(in_a_second(time.unit)),
            LogicalType::Timestamp(time) => {
                Self::Timestamp(in_a_second(time.unit), time.is_adjusted_to_u_t_c)
            }
            LogicalType::Integer(integer) if integer.is_signed => Self::Integer,
            LogicalType::Integer(integer) if integer.bit_width == 64 => Self::Unsigned64,
            LogicalType::Integer(_) => Self::Unsigned32,
            LogicalType::Uuid => Self::Uuid,
            LogicalType::Float16 => Self::Half,
            // Nothing but absent values.
            LogicalType::Unknown => return Ok(None),
            other => return Err(format!("{other:?}")),
        }))
    }

    /// As files before 2018 say it.
    fn converted(column: &ColumnDescriptor) -> Result<Option<Self>, String> {
        Ok(Some(match column.converted_type() {
            ConvertedType::NONE => return Ok(None),
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => Self::Text,
            ConvertedType::DECIMAL => Self::decimal(column.type_scale())?,
            ConvertedType::DATE => Self::Date,
            ConvertedType::TIME_MILLIS => Self::Time(1_000),
            ConvertedType::TIME_MICROS => Self::Time(1_000_000),
            ConvertedType::TIMESTAMP_MILLIS => Self::Timestamp(1_000, true),
            ConvertedType::TIMESTAMP_MICROS => Self::Timestamp(1_000_000, true),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 => {
                Self::Unsigned32
            }
            ConvertedType::UINT_64 => Self::Unsigned64,
            ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64 => Self::Integer,
            other => return Err(other.to_string()),
        }))
    }

    fn stored(stored: Type) -> Self {
        match stored {
            Type::BOOLEAN => Self::Boolean,
            Type::INT32 | Type::INT64 => Self::Integer,
            Type::INT96 => Self::Timestamp(1_000_000_000, false),
            Type::FLOAT | Type::DOUBLE => Self::Float,
            Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY => Self::Text,
        }
    }

    fn may_be(self, stored: Type, length: i32) -> bool {
        use Type::{BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96};
        match (self, stored) {
            (Self::Boolean, BOOLEAN)
            | (Self::Integer | Self::Decimal(_) | Self::Time(_), INT32 | INT64)
            | (Self::Unsigned32 | Self::Date, INT32)
            | (Self::Unsigned64, INT64)
            | (Self::Timestamp(..), INT64 | INT96)
            | (Self::Float, FLOAT | DOUBLE)
            | (Self::Text, BYTE_ARRAY | FIXED_LEN_BYTE_ARRAY)
            | (Self::Decimal(_), BYTE_ARRAY) => true,
            (Self::Decimal(_), FIXED_LEN_BYTE_ARRAY) => length <= 16,
            (Self::Half, FIXED_LEN_BYTE_ARRAY) => length == 2,
            (Self::Uuid, FIXED_LEN_BYTE_ARRAY) => length == 16,
            _ => false,
        }
    }
}

fn in_a_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}
