//! Counts fields that spreadsheets take for formulas on their way to another sink, and marks them
//! as text where that is requested.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{Chunk, Encoder, Sink, TextRows};
use crate::Error;
use crate::spreadsheet::{escaped, is_formula};

/// What is done with fields that spreadsheets take for formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Formulas {
    /// They are written as they are.
    #[default]
    Unchanged,
    /// They are written with a `'` before them, so that spreadsheets show them as text.
    Escaped,
}

/// Checks every field, and hands it on to another sink.
pub struct Spreadsheet<'s> {
    sink: Box<dyn Sink + 's>,
    formulas: Formulas,
    found: Arc<AtomicU64>,
}

impl<'s> Spreadsheet<'s> {
    /// A sink before another one.
    pub fn new(sink: Box<dyn Sink + 's>, formulas: Formulas) -> Self {
        Self { sink, formulas, found: Arc::default() }
    }

    /// How many fields could be formulas, so far.
    pub fn found(&self) -> u64 {
        self.found.load(Relaxed)
    }
}

impl Sink for Spreadsheet<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        let (formulas, found) = (self.formulas, self.found.clone());
        Box::new(Looking { encoder: self.sink.encoder(), formulas, found })
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        self.sink.write(chunk)
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.sink.finish()
    }
}

struct Looking {
    encoder: Box<dyn Encoder>,
    formulas: Formulas,
    found: Arc<AtomicU64>,
}

impl Encoder for Looking {
    fn encode(&self, rows: TextRows) -> Result<Chunk, Error> {
        let fields = (0..rows.len()).flat_map(|position| rows.record(position));
        let found = fields.filter(|field| is_formula(field)).count();
        self.found.fetch_add(found as u64, Relaxed);
        self.encoder.encode(match self.formulas {
            Formulas::Unchanged => rows,
            Formulas::Escaped => marked(&rows),
        })
    }
}

/// Returns the records with every formula marked as text.
fn marked(rows: &TextRows) -> TextRows {
    let mut marked = TextRows::default();
    for position in 0..rows.len() {
        for field in rows.record(position) {
            match escaped(field) {
                Some(escaped) => marked.field(&escaped),
                None => marked.field(field),
            }
        }
        marked.end();
    }
    marked
}
