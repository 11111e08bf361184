//! A byte stream cut into blocks of whole records, so that several threads can read at once.

use std::io::Read;

use csv_core::ReadRecordResult;
use haggle_model::Problem;

use crate::input::read_full;
use crate::lines::count_lines;
use crate::{Error, Input, Table};

/// Large enough that handing out blocks costs nothing, small enough to stay in cache.
const BLOCK: usize = 1 << 20;
/// No record is longer: a quote that is never closed must not swallow the file.
pub(crate) const LONGEST: usize = 16 << 20;

/// Whole records and the line that the first of them stands on.
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    pub(crate) line: u64,
}

/// Cuts a stream into blocks.
pub(crate) struct Blocks<'a, R> {
    reader: R,
    table: &'a Table,
    rest: Vec<u8>,
    line: u64,
    ended: bool,
}

impl<'a, R: Read> Blocks<'a, R> {
    pub(crate) fn new(reader: R, table: &'a Table) -> Self {
        Self { reader, table, rest: Vec::new(), line: 1, ended: false }
    }

    /// The next block, `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Block>, Error> {
        let mut bytes = std::mem::take(&mut self.rest);
        while !self.ended {
            self.fill(&mut bytes)?;
            let end = self.last_record_end(&bytes);
            if self.ended {
                self.check_closed(&bytes, end)?;
            } else if end > 0 {
                self.rest = bytes.split_off(end);
                break;
            } else if bytes.len() >= LONGEST {
                return Err(too_long(self.table.input(), self.line));
            }
        }
        let line = self.line;
        self.line += count_lines(&bytes);
        Ok((!bytes.is_empty()).then_some(Block { bytes, line }))
    }

    fn fill(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let filled = bytes.len();
        bytes.resize(filled + BLOCK, 0);
        let n = read_full(&mut self.reader, &mut bytes[filled..])
            .map_err(Error::io(self.table.input().name()))?;
        bytes.truncate(filled + n);
        self.ended = n < BLOCK;
        Ok(())
    }

    /// Where the last whole record ends. Without quotes that is the last line end; with quotes
    /// the same state machine decides that later reads the records. The two bytes of a line end
    /// stay together, so that lines are counted once.
    fn last_record_end(&self, bytes: &[u8]) -> usize {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if memchr::memchr(self.table.dialect().quote, bytes).is_none() {
            let end = memchr::memrchr(b'\n', bytes).or_else(|| memchr::memrchr(b'\r', bytes));
            return end.map_or(0, |at| at + 1);
        }
        let end = self.last_quoted_end(bytes);
        let split = end > 0 && bytes[end - 1] == b'\r' && bytes.get(end) == Some(&b'\n');
        end + usize::from(split)
    }

    fn last_quoted_end(&self, bytes: &[u8]) -> usize {
        let dialect = self.table.dialect();
        let mut reader = csv_core::ReaderBuilder::new()
            .delimiter(dialect.separator)
            .quote(dialect.quote)
            .build();
        let (mut read, mut end) = (0, 0);
        let (mut output, mut ends) = (vec![0; 1 << 16], vec![0; 1 << 12]);
        while read < bytes.len() {
            let (result, n, _, _) = reader.read_record(&bytes[read..], &mut output, &mut ends);
            read += n;
            if matches!(result, ReadRecordResult::Record) {
                end = read;
            }
        }
        end
    }

    /// What follows the last record's end must be a record but for its line end. If one more line
    /// end does not end it, that is within quotes.
    fn check_closed(&self, bytes: &[u8], end: usize) -> Result<(), Error> {
        let rest = bytes[end..].trim_ascii();
        let ended = [rest, b"\n"].concat();
        if rest.is_empty() || self.last_record_end(&ended) == ended.len() {
            return Ok(());
        }
        let line = self.line + count_lines(&bytes[..end]);
        Err(Problem::new("a quote in this record is never closed")
            .file(self.table.input().name())
            .line(line)
            .fix("close or double the quote; if quotes are plain letters here, state another quote in the project")
            .into())
    }
}

/// A record that does not end where any record would.
pub(crate) fn too_long(input: &Input, line: u64) -> Error {
    let what = format!("this record is longer than {} MB", LONGEST >> 20);
    let fix = "close the quote that was opened here, or check that this is a table in text";
    Problem::new(what).file(input.name()).line(line).fix(fix).into()
}
