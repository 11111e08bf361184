//! Parquet: every column as text, records in row groups of bounded size.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{AsRows, Chunk, Encoder, Sink, TextRows};
use crate::Error;

/// A row group is written when this many records are held back, or this many bytes.
const ROW_GROUP: usize = 100_000;
const ROW_GROUP_BYTES: usize = 32 << 20;

/// Writes a Parquet file.
pub struct Parquet<W: Write + Send> {
    writer: Option<SerializedFileWriter<W>>,
    path: PathBuf,
    columns: usize,
    held: Vec<TextRows>,
}

impl<W: Write + Send> Parquet<W> {
    /// A sink with these columns. `path` is for messages.
    pub fn new(writer: W, path: &Path, columns: &[String]) -> Result<Self, Error> {
        let failed = |error: ParquetError| unwritten(path, error);
        let fields: Result<Vec<Arc<Type>>, _> = columns.iter().map(|name| text(name)).collect();
        let schema = fields
            .and_then(|fields| Type::group_type_builder("schema").with_fields(fields).build())
            .map_err(failed)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(writer, Arc::new(schema), Arc::new(properties));
        Ok(Self {
            writer: Some(writer.map_err(failed)?),
            path: path.to_owned(),
            columns: columns.len(),
            held: Vec::new(),
        })
    }

    /// Writes what is held back as one row group.
    fn flush(&mut self) -> Result<(), ParquetError> {
        let held = std::mem::take(&mut self.held);
        let Some(writer) = self.writer.as_mut().filter(|_| !held.is_empty()) else { return Ok(()) };
        let mut group = writer.next_row_group()?;
        for column in 0..self.columns {
            let values: Vec<ByteArray> =
                held.iter().flat_map(|rows| values(rows, column)).collect();
            if let Some(mut column) = group.next_column()? {
                column.typed::<ByteArrayType>().write_batch(&values, None, None)?;
                column.close()?;
            }
        }
        group.close()?;
        Ok(())
    }
}

impl<W: Write + Send> Sink for Parquet<W> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(AsRows)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        if let Chunk::Rows(rows) = chunk {
            self.held.push(rows);
        }
        let held = |of: fn(&TextRows) -> usize| self.held.iter().map(of).sum::<usize>();
        if held(TextRows::len) >= ROW_GROUP || held(TextRows::bytes) >= ROW_GROUP_BYTES {
            self.flush().map_err(|error| unwritten(&self.path, error))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        let closed = self.flush().and_then(|()| match self.writer.take() {
            Some(writer) => writer.close().map(drop),
            None => Ok(()),
        });
        closed.map_err(|error| unwritten(&self.path, error))
    }
}

/// Why nothing more can be written: the system's own message, where the library passes it on.
fn unwritten(path: &Path, error: ParquetError) -> Error {
    let cause = match error {
        ParquetError::External(cause) => match cause.downcast::<std::io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => std::io::Error::other(cause),
        },
        error => error.into(),
    };
    Error::io(path)(cause)
}

/// A column of text without gaps.
fn text(name: &str) -> Result<Arc<Type>, ParquetError> {
    let column = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::String));
    Ok(Arc::new(column.build()?))
}

fn values(rows: &TextRows, column: usize) -> impl Iterator<Item = ByteArray> {
    let value = move |record: usize| rows.record(record).nth(column).unwrap_or_default().into();
    (0..rows.len()).map(value)
}
