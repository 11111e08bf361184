//! Records block by block: one reader shared by all threads, and each block's records shown in turn.

use std::io::Read;
use std::sync::Mutex;

use haggle_model::Problem;

use crate::blocks::{Block as Bytes, Blocks};
use crate::input::Digest;
use crate::lines::{Lines, count_lines};
use crate::table::BOM;
use crate::{Error, Table};

/// The fields of one record.
pub(crate) trait Fields {
    /// How many there are.
    fn count(&self) -> usize;
    /// The field at a position, without blanks around it.
    fn get(&self, position: usize) -> &str;
}

impl Fields for csv::StringRecord {
    fn count(&self) -> usize {
        self.len()
    }

    fn get(&self, position: usize) -> &str {
        self[position].trim()
    }
}

/// Is shown the records of a block, one after the other.
pub(crate) trait Visit {
    /// Looks at a record and the line it stands on.
    fn record(&mut self, record: &impl Fields, line: u64) -> Result<(), Error>;
}

/// A table being read once, by any number of threads.
pub(crate) struct Reading<'t> {
    table: &'t Table,
    blocks: Mutex<Numbered<'t>>,
    digest: Digest,
}

struct Numbered<'t> {
    next: u64,
    blocks: Blocks<'t, Box<dyn Read + Send>>,
}

impl<'t> Reading<'t> {
    pub(crate) fn open(table: &'t Table) -> Result<Self, Error> {
        let (reader, digest) = table.input().open()?;
        let blocks = Blocks::new(reader, table);
        Ok(Self { table, blocks: Mutex::new(Numbered { next: 0, blocks }), digest })
    }

    /// The next block, `None` at the end.
    pub(crate) fn next(&self) -> Result<Option<Block<'t>>, Error> {
        let mut numbered = self.blocks.lock().expect("no reader panicked");
        let next = numbered.blocks.next()?;
        Ok(next.map(|bytes| {
            numbered.next += 1;
            Block { table: self.table, number: numbered.next - 1, bytes }
        }))
    }

    /// A digest of the file's bytes, once all were read.
    pub(crate) fn digest(&self) -> u64 {
        self.digest.value()
    }
}

/// Some records that stand together, and where they stand among all blocks.
pub(crate) struct Block<'t> {
    table: &'t Table,
    number: u64,
    bytes: Bytes,
}

impl Block<'_> {
    /// The position among all blocks, from 0.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes were read for it.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.bytes.len()
    }

    /// Shows every record but the header; what is not text is refused.
    pub(crate) fn visit(&self, visitor: &mut impl Visit) -> Result<(), Error> {
        let text = self.text()?;
        let mut reader = self.table.dialect().reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut header = self.number == 0 && self.table.has_header();
        let mut lines = Lines::new(text, self.bytes.line);
        let unreadable = |line: u64| {
            let problem = Problem::new("this record cannot be read");
            problem.file(self.table.input().name()).line(line)
        };
        while reader
            .read_record(&mut record)
            .map_err(|error| unreadable(lines.of(error.position())))?
        {
            if !std::mem::take(&mut header) {
                visitor.record(&record, lines.of(record.position()))?;
            }
        }
        Ok(())
    }

    /// The block as text without a byte-order mark; NUL and broken UTF-8 are refused.
    fn text(&self) -> Result<&str, Error> {
        let bytes = &self.bytes.bytes[..];
        let bytes = if self.number == 0 { bytes.strip_prefix(BOM).unwrap_or(bytes) } else { bytes };
        let refuse = |at: usize, what: &str, fix: &str| {
            let line = self.bytes.line + count_lines(&bytes[..at]);
            Problem::new(what).file(self.table.input().name()).line(line).fix(fix)
        };
        if let Some(at) = memchr::memchr(0, bytes) {
            let what = "a NUL byte: this is not text, or it is damaged";
            return Err(refuse(at, what, "export the table again as UTF-8 text").into());
        }
        std::str::from_utf8(bytes).map_err(|error| {
            let fix = "convert the file, e.g. iconv -f WINDOWS-1252 -t UTF-8 IN > OUT";
            refuse(error.valid_up_to(), "not valid UTF-8", fix).into()
        })
    }
}
