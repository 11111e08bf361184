//! Records block by block: one reader shared by all threads, and the records of each block visited
//! in turn.

use std::iter::Enumerate;
use std::slice::Iter;
use std::sync::Mutex;

use haggle_model::Progress;

use crate::delimited::{Blocks, TextBlock};
use crate::fields::{Fields, Visit};
use crate::frames::{FrameBlock, FrameRows};
use crate::input::{self, Seal};
use crate::parquet::{Batch, BatchLimits, Batches};
use crate::spreadsheet::unescaped;
use crate::table::{Part, TableFormat};
use crate::{Error, Table};

/// A table being read once, by any number of threads.
pub(crate) struct Reading<'t> {
    table: &'t Table,
    columns: Vec<usize>,
    stream: Mutex<Stream<'t>>,
    progress: &'t dyn Progress,
}

/// How far reading has come.
struct Stream<'t> {
    /// The files that were not opened yet.
    parts: Enumerate<Iter<'t, Part>>,
    open: Option<Open<'t>>,
    /// How many blocks were handed out.
    blocks: u64,
    seals: Vec<Seal>,
}

/// A file of the table, and how far reading it has come.
struct Open<'t> {
    position: usize,
    part: &'t Part,
    rows: RowReader<'t>,
}

enum RowReader<'t> {
    Delimited(Blocks<'t>),
    Parquet(Batches<'t>),
    Frame(FrameRows<'t>),
}

impl<'t> Reading<'t> {
    /// Begins to read. Only these columns will be used; where it saves work, others are not read
    /// and are empty. What waits for a database ends when `progress` is cancelled.
    pub(crate) fn open(
        table: &'t Table,
        columns: impl IntoIterator<Item = usize>,
        progress: &'t dyn Progress,
    ) -> Result<Self, Error> {
        let mut columns: Vec<usize> = columns.into_iter().collect();
        columns.sort_unstable();
        columns.dedup();
        table.check_readable(&columns)?;
        let parts = table.parts().iter().enumerate();
        let stream = Stream { parts, open: None, blocks: 0, seals: Vec::new() };
        Ok(Self { table, columns, stream: Mutex::new(stream), progress })
    }

    /// The next block, `None` at the end. After an error it is `None` as well.
    pub(crate) fn next(&self) -> Result<Option<Block<'t>>, Error> {
        let mut stream = self.stream.lock().expect("no reader panicked");
        let next = stream.next(self.table, &self.columns, self.progress);
        next.map_err(|error| {
            stream.open = None;
            stream.parts.by_ref().for_each(drop);
            if self.progress.cancelled() { Error::cancelled() } else { error }
        })
    }

    /// A digest of the files' bytes, once all were read.
    pub(crate) fn digest(&self) -> u64 {
        input::digest(&self.stream.lock().expect("no reader panicked").seals)
    }
}

impl<'t> Stream<'t> {
    fn next(
        &mut self,
        table: &'t Table,
        columns: &[usize],
        progress: &'t dyn Progress,
    ) -> Result<Option<Block<'t>>, Error> {
        loop {
            let open = match &mut self.open {
                Some(open) => open,
                None => match self.parts.next() {
                    Some(next) => self.open.insert(Open::new(next, table, columns, progress)?),
                    None => return Ok(None),
                },
            };
            if let Some((content, bytes)) = open.next()? {
                let (number, part) = (self.blocks, open.position);
                self.blocks += 1;
                return Ok(Some(Block { table, part, number, bytes, content }));
            }
            self.seals.push(open.seal()?);
            self.open = None;
        }
    }
}

impl<'t> Open<'t> {
    fn new(
        (position, part): (usize, &'t Part),
        table: &'t Table,
        columns: &[usize],
        progress: &'t dyn Progress,
    ) -> Result<Self, Error> {
        let rows = match &part.format {
            TableFormat::Delimited(format) => {
                RowReader::Delimited(Blocks::open(&part.file, format, table.block(), progress)?)
            }
            TableFormat::Parquet(parquet) => {
                let limits = BatchLimits { block: table.block(), page: table.most_page() };
                let batches = Batches::open(&part.file, parquet, table.columns(), columns, limits)?;
                RowReader::Parquet(batches)
            }
            TableFormat::Frame(frame) => {
                RowReader::Frame(FrameRows::open(frame, columns, table.block())?)
            }
        };
        Ok(Self { position, part, rows })
    }

    /// Some records, and how many bytes of the file they took.
    fn next(&mut self) -> Result<Option<(Content, usize)>, Error> {
        Ok(match &mut self.rows {
            RowReader::Delimited(blocks) => {
                blocks.next()?.map(|text| (Content::Text(text), blocks.newly_read()))
            }
            RowReader::Parquet(batches) => batches.next()?.map(|batch| {
                let bytes = batches.bytes(&batch);
                (Content::Rows(batch), bytes)
            }),
            RowReader::Frame(rows) => rows.next().map(|block| {
                let bytes = block.bytes();
                (Content::Frame(block), bytes)
            }),
        })
    }

    /// The seal of a file that was read to its end.
    fn seal(&self) -> Result<Seal, Error> {
        match &self.rows {
            RowReader::Delimited(_) if self.part.file.database().is_some() => Ok(Seal::NONE),
            RowReader::Delimited(blocks) => Ok(blocks.seal()),
            RowReader::Parquet(_) | RowReader::Frame(_) => self.part.file.seal(),
        }
    }
}

/// Some consecutive records, and their position among all blocks.
pub(crate) struct Block<'t> {
    table: &'t Table,
    part: usize,
    number: u64,
    bytes: usize,
    content: Content,
}

enum Content {
    Text(TextBlock),
    Rows(Batch),
    Frame(FrameBlock),
}

impl Block<'_> {
    /// The position among all blocks, from 0.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes of its file were read for it.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Visits every record but the header; refuses what is not text.
    pub(crate) fn visit(&self, visitor: &mut impl Visit) -> Result<(), Error> {
        if self.table.is_spreadsheet_safe() {
            return self.visit_as_written(&mut Unescaping(visitor));
        }
        self.visit_as_written(visitor)
    }

    fn visit_as_written(&self, visitor: &mut impl Visit) -> Result<(), Error> {
        let file = self.table.parts()[self.part].file.name();
        match &self.content {
            Content::Text(text) => text.visit(file, self.part, visitor),
            Content::Rows(batch) => batch.visit(self.table.columns(), (self.part, file), visitor),
            Content::Frame(block) => block.visit(self.table.columns(), (self.part, file), visitor),
        }
    }
}

/// Visits records without the marks that keep their fields from being formulas.
struct Unescaping<'v, V>(&'v mut V);

impl<V: Visit> Visit for Unescaping<'_, V> {
    fn record(&mut self, record: &impl Fields, line: u64) -> Result<(), Error> {
        self.0.record(&Unescaped(record), line)
    }
}

struct Unescaped<'r, F>(&'r F);

impl<F: Fields> Fields for Unescaped<'_, F> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn get(&self, position: usize) -> &str {
        unescaped(self.0.get(position))
    }
}

#[cfg(test)]
#[path = "../tests/unit/records.rs"]
mod tests;
