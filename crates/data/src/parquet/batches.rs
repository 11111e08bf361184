//! The rows of a Parquet file, some at a time: decoded in order, then turned into text by whoever
//! takes them.

use std::path::Path;

use haggle_model::Problem;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::text::Texts;
use super::{Leaf, ParquetFile, of_file, reader};
use crate::input::{InputFile, Raw};
use crate::records::{Fields, Visit};
use crate::{Error, Table, place};

/// No more rows at a time, however large blocks may be.
const MOST_ROWS: usize = 1 << 14;
/// A guess at how many bytes a row takes.
const ROW: usize = 64;

/// A Parquet file being read.
pub(crate) struct Batches<'t> {
    file: &'t Path,
    reader: SerializedFileReader<Raw>,
    /// The columns to read, by their position in the table.
    wanted: Vec<(usize, Leaf)>,
    most: usize,
    group: Group,
    next_group: usize,
    /// The row that the next batch begins with, from 1.
    row: u64,
}

/// Rows of the file that are stored together.
#[derive(Default)]
struct Group {
    columns: Vec<ColumnReader>,
    left: usize,
}

impl<'t> Batches<'t> {
    /// The rows of a table's file, with these columns.
    pub(crate) fn open(
        file: &'t InputFile,
        parquet: &ParquetFile,
        table: &Table,
        columns: &[usize],
    ) -> Result<Self, Error> {
        Ok(Self {
            file: file.name(),
            wanted: parquet.leaves(columns, table, file.name())?,
            reader: reader(file)?,
            most: (table.block() / ROW).clamp(1, MOST_ROWS),
            group: Group::default(),
            next_group: 0,
            row: 1,
        })
    }

    /// The next batch, `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Batch>, Error> {
        of_file(self.file, || self.advance())
    }

    fn advance(&mut self) -> Result<Option<Batch>> {
        while self.group.left == 0 {
            if self.next_group == self.reader.num_row_groups() {
                return Ok(None);
            }
            self.group = self.open_group(self.next_group)?;
            self.next_group += 1;
        }
        let rows = self.group.left.min(self.most);
        let columns = self.wanted.iter().zip(&mut self.group.columns);
        let columns = columns.map(|((position, leaf), reader)| {
            Ok((*position, *leaf, Decoded::read(reader, leaf.optional, rows)?))
        });
        let columns: Vec<_> = columns.collect::<Result<_>>()?;
        let first = self.row;
        self.row += rows as u64;
        self.group.left -= rows;
        Ok(Some(Batch { first, rows, columns }))
    }

    fn open_group(&self, position: usize) -> Result<Group> {
        let group = self.reader.get_row_group(position)?;
        let columns = self.wanted.iter().map(|(_, leaf)| group.get_column_reader(leaf.position));
        let left = usize::try_from(group.metadata().num_rows())
            .map_err(|_| ParquetError::General("a negative number of rows".into()))?;
        Ok(Group { columns: columns.collect::<Result<_>>()?, left })
    }

    /// The share of the file's bytes that a batch stands for.
    pub(crate) fn bytes(&self, batch: &Batch) -> usize {
        let all = self.reader.metadata().file_metadata().num_rows().max(1) as f64;
        let groups = self.reader.metadata().row_groups();
        let bytes: i64 = groups.iter().map(RowGroupMetaData::compressed_size).sum();
        (bytes as f64 * batch.rows as f64 / all) as usize
    }
}

/// Some rows, decoded.
pub(crate) struct Batch {
    first: u64,
    rows: usize,
    columns: Vec<(usize, Leaf, Decoded)>,
}

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
    fn read(reader: &mut ColumnReader, optional: bool, rows: usize) -> Result<Self> {
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

impl Batch {
    /// Shows every row. `part` is the file's position among the table's.
    pub(crate) fn visit(
        &self,
        table: &Table,
        part: usize,
        visitor: &mut impl Visit,
    ) -> Result<(), Error> {
        let line = |row: usize| place::line(part, self.first + row as u64);
        let mut columns: Vec<Option<Texts>> = vec![None; table.columns().len()];
        for (position, leaf, decoded) in &self.columns {
            let texts = Texts::of(leaf.kind, decoded, self.rows).map_err(|row| {
                let what = format!("'{}' holds bytes that are no text", table.columns()[*position]);
                let fix = "give it no role, or write the file with this column as text";
                table.place(Problem::new(what).line(line(row)).fix(fix))
            })?;
            columns[*position] = Some(texts);
        }
        for row in 0..self.rows {
            visitor.record(&Row { columns: &columns, row }, line(row))?;
        }
        Ok(())
    }
}

/// A row of a batch; columns that were not read are empty.
struct Row<'b> {
    columns: &'b [Option<Texts>],
    row: usize,
}

impl Fields for Row<'_> {
    fn count(&self) -> usize {
        self.columns.len()
    }

    fn get(&self, position: usize) -> &str {
        self.columns[position].as_ref().map_or("", |texts| texts.get(self.row))
    }
}
