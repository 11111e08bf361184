//! A byte stream cut into blocks of whole records, so that several threads can read at once.

use std::io::{self, Read};

use csv_core::ReadRecordResult;

use crate::Dialect;
use crate::input::read_full;

/// Large enough that handing out blocks costs nothing, small enough to stay in cache.
const BLOCK: usize = 1 << 20;

/// Whole records and the line that the first of them stands on.
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    pub(crate) line: u64,
}

/// Cuts a stream into blocks.
pub(crate) struct Blocks<R> {
    reader: R,
    dialect: Dialect,
    rest: Vec<u8>,
    line: u64,
    ended: bool,
}

impl<R: Read> Blocks<R> {
    pub(crate) fn new(reader: R, dialect: Dialect) -> Self {
        Self { reader, dialect, rest: Vec::new(), line: 1, ended: false }
    }

    /// The next block, `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        while !self.ended {
            let filled = bytes.len();
            bytes.resize(filled + BLOCK, 0);
            let n = read_full(&mut self.reader, &mut bytes[filled..])?;
            bytes.truncate(filled + n);
            self.ended = n < BLOCK;
            let end = self.last_record_end(&bytes);
            if !self.ended && end > 0 {
                self.rest = bytes.split_off(end);
                break;
            }
        }
        let line = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Ok((!bytes.is_empty()).then_some(Block { bytes, line }))
    }

    /// Where the last whole record ends. Without quotes that is the last line end; with quotes
    /// the same state machine decides that later reads the records.
    fn last_record_end(&self, bytes: &[u8]) -> usize {
        if memchr::memchr(self.dialect.quote, bytes).is_none() {
            return memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
        }
        let mut reader = csv_core::ReaderBuilder::new()
            .delimiter(self.dialect.separator)
            .quote(self.dialect.quote)
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
}
