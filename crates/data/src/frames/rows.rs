//! The rows of a frame, some at a time: sliced in order, then turned into text by the threads that
//! read them.

use std::path::Path;

use arrow_array::ArrayRef;
use haggle_model::Problem;

use super::texts::{text_bytes, texts};
use super::{Frame, FrameBytes};
use crate::fields::Visit;
use crate::values::{Texts, ValueKind, visit_texts};
use crate::{Error, place};

/// No more rows are sliced at a time, however large blocks may be.
const MOST_ROWS: usize = 1 << 14;
/// An estimate of how many bytes a value takes as text, and at how many values a short row has.
const VALUE: usize = 16;
const VALUES: usize = 4;

/// A frame being read.
pub(crate) struct FrameRows<'t> {
    frame: &'t Frame,
    wanted: Vec<(usize, ValueKind)>,
    /// The rows to slice at a time.
    rows: usize,
    /// The bytes of text in a block, unless a single row has more.
    most_bytes: usize,
    /// The bytes of memory that a row stands for in reports of progress.
    bytes_of_row: f64,
    batch: usize,
    offset: usize,
    /// The row that the next block begins with, from 1.
    row: u64,
}

impl<'t> FrameRows<'t> {
    /// Opens the rows of a frame with these of its columns.
    pub(crate) fn open(frame: &'t Frame, columns: &[usize], block: usize) -> Result<Self, Error> {
        let wanted = frame.kinds(columns)?;
        let rows = (block / (VALUE * wanted.len().max(VALUES))).clamp(1, MOST_ROWS);
        let bytes_of_row = FrameBytes::of(frame).left() as f64 / frame.records().max(1) as f64;
        Ok(Self {
            frame,
            wanted,
            rows,
            most_bytes: block,
            bytes_of_row,
            batch: 0,
            offset: 0,
            row: 1,
        })
    }

    /// The next block, `None` at the end.
    pub(crate) fn next(&mut self) -> Option<FrameBlock> {
        while self.offset == self.frame.batches().get(self.batch)?.num_rows() {
            (self.batch, self.offset) = (self.batch + 1, 0);
        }
        let left = self.frame.batches()[self.batch].num_rows() - self.offset;
        let mut block = self.slice(left.min(self.rows));
        // A dictionary repeats long values at no cost, so rows are bounded by the bytes of their text.
        while block.rows > 1 && block.text_bytes() > self.most_bytes {
            block = self.slice(block.rows / 2);
        }
        self.offset += block.rows;
        self.row += block.rows as u64;
        Some(block)
    }

    fn slice(&self, rows: usize) -> FrameBlock {
        let batch = &self.frame.batches()[self.batch];
        let column = |&(position, kind): &(usize, ValueKind)| {
            (position, kind, batch.column(position).slice(self.offset, rows))
        };
        let bytes = (self.bytes_of_row * rows as f64) as usize;
        let columns = self.wanted.iter().map(column).collect();
        FrameBlock { first: self.row, rows, bytes, columns }
    }
}

/// Some consecutive rows of a frame.
pub(crate) struct FrameBlock {
    /// The position of the first row, from 1.
    first: u64,
    rows: usize,
    bytes: usize,
    columns: Vec<(usize, ValueKind, ArrayRef)>,
}

impl FrameBlock {
    /// The share of the frame's bytes that belongs to the block.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    fn text_bytes(&self) -> usize {
        self.columns.iter().map(|(.., array)| text_bytes(array)).sum()
    }

    /// Visits every row. `names` are the table's columns, `part` is the frame's position in it.
    pub(crate) fn visit(
        &self,
        names: &[String],
        (part, file): (usize, &Path),
        visitor: &mut impl Visit,
    ) -> Result<(), Error> {
        let mut columns: Vec<Option<Texts>> = vec![None; names.len()];
        for (position, kind, array) in &self.columns {
            let found = texts(*kind, array).map_err(|row| {
                let what = format!("'{}' holds bytes that are not text", names[*position]);
                let fix = "give it no role, or convert the column to text";
                place::in_row(Problem::new(what).fix(fix), self.first + row as u64, file)
            })?;
            columns[*position] = Some(found);
        }
        visit_texts(&columns, self.rows, |row| place::line(part, self.first + row), visitor)
    }
}
