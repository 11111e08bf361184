//! A stream of text cut into blocks of whole records, so that several threads can read at once.

use std::io::{self, Read};
use std::path::Path;

use haggle_model::{Problem, Progress};

use super::records::Records;
use super::scanner::{Scanner, skip_blank_lines};
use super::{Delimited, DelimitedFormat, checked};
use crate::fields::Visit;
use crate::input::{Hash, InputFile, Seal, count_lines, read_full};
use crate::{Error, place};

/// No record is longer: a quote that is never closed must not swallow the file.
pub(super) const LONGEST: usize = 16 << 20;

/// Cuts a file into blocks.
pub(crate) struct Blocks<'t> {
    reader: Box<dyn Read + Send + 't>,
    hash: Hash,
    /// How much of the file was accounted for.
    accounted: u64,
    name: &'t Path,
    format: DelimitedFormat,
    /// How much is read at once.
    size: usize,
    /// How many records are to be left out.
    preamble: usize,
    rest: Vec<u8>,
    line: u64,
    ended: bool,
}

/// Whole records and the line of the first.
pub(crate) struct TextBlock {
    bytes: Vec<u8>,
    line: u64,
    format: DelimitedFormat,
    /// How many records are to be left out.
    preamble: usize,
}

impl<'t> Blocks<'t> {
    pub(crate) fn open(
        file: &'t InputFile,
        written: &Delimited,
        size: usize,
        progress: &'t dyn Progress,
    ) -> Result<Self, Error> {
        let (mut reader, hash) = file.text(written.encoding, progress)?;
        let hint = io::copy(&mut reader.by_ref().take(written.hint), &mut io::sink());
        hint.map_err(Error::io(file.name()))?;
        Ok(Self {
            reader,
            hash,
            accounted: 0,
            name: file.name(),
            format: written.format,
            size,
            preamble: usize::from(written.header),
            rest: Vec::new(),
            line: if written.hint > 0 { 2 } else { 1 },
            ended: false,
        })
    }

    /// The next block, `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<TextBlock>, Error> {
        let mut bytes = std::mem::take(&mut self.rest);
        while !self.ended {
            self.fill(&mut bytes)?;
            if self.ended {
                break;
            }
            let end = self.last_record_end(&bytes);
            if end > 0 {
                self.rest = bytes.split_off(end);
                break;
            }
            if bytes.len() >= LONGEST {
                return Err(too_long(self.name, self.line));
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let (line, format) = (self.line, self.format);
        self.line += count_lines(&bytes);
        Ok(Some(TextBlock { bytes, line, format, preamble: std::mem::take(&mut self.preamble) }))
    }

    /// Returns the number of bytes read since the last call.
    pub(crate) fn newly_read(&mut self) -> usize {
        let before = std::mem::replace(&mut self.accounted, self.hash.bytes());
        (self.accounted - before) as usize
    }

    /// The seal of what was read.
    pub(crate) fn seal(&self) -> Seal {
        self.hash.seal()
    }

    fn fill(&mut self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let filled = bytes.len();
        bytes.resize(filled + self.size, 0);
        let n = read_full(&mut self.reader, &mut bytes[filled..]).map_err(Error::io(self.name))?;
        bytes.truncate(filled + n);
        self.ended = n < self.size;
        Ok(())
    }

    /// Returns where the last whole record ends, if there is one; blank lines alone are not a
    /// record. Without quotes that is the last line end; with quotes, the scanner that later reads
    /// the records decides. The two bytes of a line end stay together, so that lines are counted
    /// once.
    fn last_record_end(&self, bytes: &[u8]) -> usize {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let scanner = Scanner::new(self.format);
        let first = skip_blank_lines(bytes, 0);
        let end = if memchr::memchr(self.format.quote, bytes).is_none() {
            memchr::memrchr2(b'\n', b'\r', bytes).map_or(0, |at| at + 1)
        } else {
            let next = |end: &usize| scanner.record_end(bytes, *end);
            std::iter::successors(Some(first), next).last().unwrap_or(first)
        };
        if end > first { end } else { 0 }
    }
}

impl TextBlock {
    /// Visits every record but the header; refuses what is not text. `part` is the file's position
    /// among the table's.
    pub(crate) fn visit(
        &self,
        name: &Path,
        part: usize,
        visitor: &mut impl Visit,
    ) -> Result<(), Error> {
        let text = checked(&self.bytes, name, self.line)?;
        let mut records = Records::new(text, self.line, self.format);
        let mut preamble = self.preamble;
        while let Some(record) = records.next() {
            if record.open {
                return Err(never_closed(name, record.line));
            }
            if preamble > 0 {
                preamble -= 1;
                continue;
            }
            visitor.record(&record, place::line(part, record.line))?;
        }
        Ok(())
    }
}

/// A record that does not end where any record would.
pub(super) fn too_long(name: &Path, line: u64) -> Error {
    let what = format!("this record is longer than {} MB", LONGEST >> 20);
    let fix = "close the quote that was opened here, or check that this is a table in text";
    Problem::new(what).file(name).line(line).fix(fix).into()
}

fn never_closed(name: &Path, line: u64) -> Error {
    Problem::new("a quote in this record is never closed")
        .file(name)
        .line(line)
        .fix("close or double the quote; if quotes are plain letters here, state another quote in the project")
        .into()
}
