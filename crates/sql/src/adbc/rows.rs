//! Rows of Arrow batches as statements return them.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

use crate::engine::SqlRow;

/// A row of a batch.
pub(super) struct BatchRow<'a> {
    pub(super) batch: &'a RecordBatch,
    pub(super) row: usize,
}

impl BatchRow<'_> {
    fn present(&self, column: usize) -> Option<&ArrayRef> {
        Some(self.batch.column(column)).filter(|array| array.is_valid(self.row))
    }
}

impl SqlRow for BatchRow<'_> {
    fn text(&self, column: usize) -> Option<&str> {
        let array = self.present(column)?;
        match array.data_type() {
            DataType::Utf8 => Some(array.as_string::<i32>().value(self.row)),
            DataType::LargeUtf8 => Some(array.as_string::<i64>().value(self.row)),
            DataType::Utf8View => Some(array.as_string_view().value(self.row)),
            _ => None,
        }
    }

    fn integer(&self, column: usize) -> Option<i64> {
        let (array, row) = (self.present(column)?, self.row);
        match array.data_type() {
            DataType::Int64 => Some(array.as_primitive::<Int64Type>().value(row)),
            DataType::Int32 => Some(array.as_primitive::<Int32Type>().value(row).into()),
            DataType::Int16 => Some(array.as_primitive::<Int16Type>().value(row).into()),
            DataType::Int8 => Some(array.as_primitive::<Int8Type>().value(row).into()),
            DataType::UInt64 => i64::try_from(array.as_primitive::<UInt64Type>().value(row)).ok(),
            _ => None,
        }
    }

    fn boolean(&self, column: usize) -> bool {
        let is_true = |array: &ArrayRef| {
            *array.data_type() == DataType::Boolean && array.as_boolean().value(self.row)
        };
        self.present(column).is_some_and(is_true)
    }
}

/// Whether every column can be read as a text, a number or a truth value.
pub(super) fn is_known(kind: &DataType) -> bool {
    use DataType::{Boolean, Int8, Int16, Int32, Int64, LargeUtf8, Null, UInt64, Utf8, Utf8View};
    matches!(
        kind,
        Utf8 | LargeUtf8 | Utf8View | Int8 | Int16 | Int32 | Int64 | UInt64 | Boolean | Null
    )
}

/// A type by its name, without its details.
pub(super) fn kind(data_type: &DataType) -> String {
    match data_type {
        DataType::Map(..) => "map".into(),
        DataType::Struct(_) => "struct".into(),
        DataType::List(_) | DataType::LargeList(_) => "array".into(),
        other => other.to_string().to_lowercase(),
    }
}
