//! The records of a block of delimited text, one after the other, each with its line.

use super::scanner::{Field, FieldEnd, FieldForm, Scanner, skip_blank_lines};
use crate::DelimitedFormat;
use crate::fields::{Fields, trimmed};
use crate::input::count_lines;

/// Walks through the records of a text.
pub(crate) struct Records<'a> {
    scanner: Scanner,
    text: &'a str,
    at: usize,
    /// The line of `at`.
    line: u64,
    fields: Vec<Piece>,
    /// The contents that differ from their text, unescaped.
    copied: String,
}

/// Where a field's content is: in the text, or among the copied.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    copied: bool,
}

/// One record and the line it begins on.
pub(crate) struct Record<'r> {
    pub(crate) line: u64,
    /// Whether the text ended within quotes.
    pub(crate) open: bool,
    text: &'r str,
    copied: &'r str,
    fields: &'r [Piece],
}

impl<'a> Records<'a> {
    /// The records of a text that begins on this line.
    pub(crate) fn new(text: &'a str, line: u64, format: DelimitedFormat) -> Self {
        let scanner = Scanner::new(format);
        Self { scanner, text, at: 0, line, fields: Vec::new(), copied: String::new() }
    }

    /// Whether the text was read to its end.
    pub(crate) fn at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// The next record, `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Record<'_>> {
        let bytes = self.text.as_bytes();
        let start = skip_blank_lines(bytes, self.at);
        if start > self.at {
            self.line += count_lines(&bytes[self.at..start]);
        }
        if start == bytes.len() {
            self.at = start;
            return None;
        }
        self.fields.clear();
        self.copied.clear();
        let line = self.line;
        let stop = self.read(start);
        self.line += u64::from(stop == FieldEnd::LineEnd);
        Some(Record {
            line,
            open: stop == FieldEnd::Open,
            text: self.text,
            copied: &self.copied,
            fields: &self.fields,
        })
    }

    /// Takes the fields of the record that begins here.
    fn read(&mut self, mut at: usize) -> FieldEnd {
        loop {
            let field = self.scanner.field(self.text.as_bytes(), at);
            at = field.next;
            self.take(field);
            if field.stop != FieldEnd::Separator {
                self.at = at;
                return field.stop;
            }
        }
    }

    #[inline]
    fn take(&mut self, Field { start, end, form, .. }: Field) {
        if form == FieldForm::Plain {
            return self.fields.push(Piece { start, end, copied: false });
        }
        let text = &self.text[start..end];
        self.line += count_lines(text.as_bytes());
        let piece = match form {
            FieldForm::Raw => {
                let start = self.copied.len();
                self.copied.push_str(&self.scanner.content(text, form));
                Piece { start, end: self.copied.len(), copied: true }
            }
            _ => Piece { start, end, copied: false },
        };
        self.fields.push(piece);
    }
}

impl Record<'_> {
    /// The fields, one by one.
    pub(crate) fn to_vec(&self) -> Vec<String> {
        (0..self.count()).map(|position| self.get(position).to_owned()).collect()
    }
}

impl Fields for Record<'_> {
    fn count(&self) -> usize {
        self.fields.len()
    }

    #[inline]
    fn get(&self, position: usize) -> &str {
        let Piece { start, end, copied } = self.fields[position];
        let text = if copied { self.copied } else { self.text };
        trimmed(&text[start..end])
    }
}
