//! The values of Parquet columns as they are stored.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};

/// An estimate of how many bytes a value takes as text, where it is no text.
pub(super) const VALUE_BYTES: usize = 16;

/// The values of a column, without the absent ones, and which those are.
pub(super) struct Decoded {
    pub(super) values: Stored,
    /// By row, whether there is a value; `None` if there always is.
    pub(super) present: Option<Vec<i16>>,
}

/// Values as they are stored.
pub(super) enum Stored {
    Boolean(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Int96(Vec<Int96>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

impl Decoded {
    pub(super) fn read(reader: &mut ColumnReader, optional: bool, rows: usize) -> Result<Self> {
        let mut present = optional.then(Vec::new);
        let levels = present.as_mut();
        let values = match reader {
            ColumnReader::BoolColumnReader(r) => Stored::Boolean(values(r, rows, levels)?),
            ColumnReader::Int32ColumnReader(r) => Stored::Int32(values(r, rows, levels)?),
            ColumnReader::Int64ColumnReader(r) => Stored::Int64(values(r, rows, levels)?),
            ColumnReader::Int96ColumnReader(r) => Stored::Int96(values(r, rows, levels)?),
            ColumnReader::FloatColumnReader(r) => Stored::Float(values(r, rows, levels)?),
            ColumnReader::DoubleColumnReader(r) => Stored::Double(values(r, rows, levels)?),
            ColumnReader::ByteArrayColumnReader(r) => Stored::Bytes(values(r, rows, levels)?),
            ColumnReader::FixedLenByteArrayColumnReader(r) => {
                Stored::Fixed(values(r, rows, levels)?)
            }
        };
        Ok(Self { values, present })
    }

    /// The position among the stored values of the first one at or after a row.
    pub(super) fn values_before(&self, row: usize) -> usize {
        let present = self.present.as_ref();
        present.map_or(row, |levels| levels[..row].iter().filter(|&&level| level > 0).count())
    }

    /// Adds the length of each row's text; other types count as short.
    pub(super) fn add_lengths(&self, bytes: &mut [usize]) {
        let mut value = 0;
        for (row, bytes) in bytes.iter_mut().enumerate() {
            if self.present.as_ref().is_none_or(|levels| levels[row] > 0) {
                *bytes += match &self.values {
                    Stored::Bytes(all) => all.get(value).map_or(0, ByteArray::len),
                    Stored::Fixed(all) => all.get(value).map_or(0, |value| value.len()),
                    _ => VALUE_BYTES,
                };
                value += 1;
            }
        }
    }
}

fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    levels: Option<&mut Vec<i16>>,
) -> Result<Vec<T::T>> {
    let mut values = Vec::with_capacity(rows);
    let (read, ..) = reader.read_records(rows, levels, None, &mut values)?;
    if read == rows {
        return Ok(values);
    }
    Err(ParquetError::General("a column has fewer rows than it should".into()))
}
