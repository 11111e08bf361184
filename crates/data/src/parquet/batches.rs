//! The rows of a Parquet file, some at a time: decoded in order, then turned into text by the
//! threads that read them.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use haggle_model::Problem;
use parquet::column::reader::ColumnReader;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::decoded::{Decoded, VALUE_BYTES};
use super::pages::column_reader;
use super::text::texts;
use super::{Leaf, ParquetFile, of_file, reader};
use crate::fields::Visit;
use crate::input::{InputFile, Raw};
use crate::values::{Texts, visit_texts};
use crate::{Error, place};

/// The most rows decoded at once, whatever the size of a block.
const MOST_ROWS: usize = 1 << 14;
/// An estimate of how many values a short row has.
const VALUES: usize = 4;

/// A Parquet file being read.
pub(crate) struct Batches<'t> {
    file: &'t Path,
    metadata: Box<ParquetMetaData>,
    raw: Arc<Raw>,
    /// The columns to read, by their position in the table.
    wanted: Vec<(usize, Leaf)>,
    /// The rows to decode at a time; fewer where values are long.
    rows: usize,
    most_rows: usize,
    /// The bytes of text in a batch, unless a single row has more.
    most_bytes: usize,
    /// The bytes that a page may unpack to.
    most_page: usize,
    /// Batches that are decoded and were not handed out yet.
    decoded: VecDeque<Batch>,
    group: RowGroup,
    next_group: usize,
    /// The row that the next batch begins with, from 1.
    row: u64,
}

/// How much is read at a time, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchLimits {
    /// The text of a batch.
    pub(crate) block: usize,
    /// What a page may unpack to.
    pub(crate) page: usize,
}

/// Rows of the file that are stored together.
#[derive(Default)]
struct RowGroup {
    columns: Vec<ColumnReader>,
    left: usize,
}

impl<'t> Batches<'t> {
    /// Opens the rows of a file with these of the table's columns.
    pub(crate) fn open(
        file: &'t InputFile,
        parquet: &ParquetFile,
        names: &[String],
        columns: &[usize],
        limits: BatchLimits,
    ) -> Result<Self, Error> {
        let wanted = parquet.leaves(columns, names, file.name())?;
        let row = VALUE_BYTES * wanted.len().max(VALUES);
        let most_rows = (limits.block / row).clamp(1, MOST_ROWS);
        let (metadata, raw) = reader(file)?;
        Ok(Self {
            file: file.name(),
            wanted,
            metadata,
            raw,
            rows: most_rows,
            most_rows,
            most_bytes: limits.block,
            most_page: limits.page,
            decoded: VecDeque::new(),
            group: RowGroup::default(),
            next_group: 0,
            row: 1,
        })
    }

    /// The next batch, `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Batch>, Error> {
        of_file(self.file, || self.advance())
    }

    fn advance(&mut self) -> Result<Option<Batch>> {
        while self.decoded.is_empty() {
            while self.group.left == 0 {
                if self.next_group == self.metadata.num_row_groups() {
                    return Ok(None);
                }
                self.group = self.open_group(self.next_group)?;
                self.next_group += 1;
            }
            self.decode()?;
        }
        Ok(self.decoded.pop_front())
    }

    /// Decodes the next rows and cuts them into batches. A dictionary repeats long values at no cost
    /// in the file, so rows are bounded by the bytes of their text, and the next ones by what fitted.
    fn decode(&mut self) -> Result<()> {
        let rows = self.group.left.min(self.rows);
        let columns = self.wanted.iter().zip(&mut self.group.columns);
        let columns = columns.map(|((position, leaf), reader)| {
            Ok((*position, *leaf, Decoded::read(reader, leaf.optional, rows)?))
        });
        let decoded = DecodedRows { first: self.row, columns: columns.collect::<Result<_>>()? };
        let cuts = cuts(&decoded.text_bytes(rows), self.most_bytes);
        let longest = cuts.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
        let grown = (2 * self.rows).min(self.most_rows);
        self.rows = if cuts.len() > 1 { longest } else { grown };
        let decoded = Arc::new(decoded);
        self.decoded.extend(cuts.into_iter().map(|rows| Batch { decoded: decoded.clone(), rows }));
        self.row += rows as u64;
        self.group.left -= rows;
        Ok(())
    }

    fn open_group(&self, position: usize) -> Result<RowGroup> {
        let group = self.metadata.row_group(position);
        let reader = |leaf: &Leaf| column_reader(&self.raw, group, leaf.position, self.most_page);
        let columns = self.wanted.iter().map(|(_, leaf)| reader(leaf));
        let left = usize::try_from(group.num_rows())
            .map_err(|_| ParquetError::General("a negative number of rows".into()))?;
        Ok(RowGroup { columns: columns.collect::<Result<_>>()?, left })
    }

    /// Returns the share of the file's bytes that belongs to a batch.
    pub(crate) fn bytes(&self, batch: &Batch) -> usize {
        let all = self.metadata.file_metadata().num_rows().max(1) as f64;
        let groups = self.metadata.row_groups();
        let bytes: i64 = groups.iter().map(RowGroupMetaData::compressed_size).sum();
        (bytes as f64 * batch.rows.len() as f64 / all) as usize
    }
}

/// Some rows, decoded.
pub(crate) struct Batch {
    decoded: Arc<DecodedRows>,
    /// Those of the decoded rows that belong to this batch.
    rows: Range<usize>,
}

/// Rows that were decoded at once.
struct DecodedRows {
    /// The position of the first row in the file, from 1.
    first: u64,
    columns: Vec<(usize, Leaf, Decoded)>,
}

impl DecodedRows {
    /// By row, about how many bytes its text takes.
    fn text_bytes(&self, rows: usize) -> Vec<usize> {
        let mut bytes = vec![0; rows];
        for (.., decoded) in &self.columns {
            decoded.add_lengths(&mut bytes);
        }
        bytes
    }
}

/// Cuts rows of these lengths so that no part has more bytes than allowed, or is a single row.
fn cuts(bytes: &[usize], most: usize) -> Vec<Range<usize>> {
    let (mut cuts, mut start, mut sum) = (Vec::new(), 0, 0_usize);
    for (row, &bytes) in bytes.iter().enumerate() {
        if row > start && sum + bytes > most {
            cuts.push(start..row);
            (start, sum) = (row, 0);
        }
        sum += bytes;
    }
    cuts.push(start..bytes.len());
    cuts
}

impl Batch {
    /// Visits every row. `names` are the table's columns, `part` is the file's position in it.
    pub(crate) fn visit(
        &self,
        names: &[String],
        (part, file): (usize, &Path),
        visitor: &mut impl Visit,
    ) -> Result<(), Error> {
        let first = self.decoded.first + self.rows.start as u64;
        let mut columns: Vec<Option<Texts>> = vec![None; names.len()];
        for (position, leaf, decoded) in &self.decoded.columns {
            let found = texts(leaf.kind, decoded, &self.rows).map_err(|row| {
                let what = format!("'{}' holds bytes that are not text", names[*position]);
                let fix = "give it no role, or write the file with this column as text";
                place::in_row(Problem::new(what).fix(fix), first + row as u64, file)
            })?;
            columns[*position] = Some(found);
        }
        visit_texts(&columns, self.rows.len(), |row| place::line(part, first + row), visitor)
    }
}
