//! Where published records go: one file per kind of sink.

mod delimited;
#[cfg_attr(not(feature = "parquet"), path = "absent/parquet_sink.rs")]
mod parquet;
mod shuffled;
mod spreadsheet;

use crate::Error;

pub use delimited::Delimited;
pub use parquet::Parquet;
pub use shuffled::Shuffled;
pub use spreadsheet::{Formulas, Spreadsheet};

/// Records as text, field after field.
#[derive(Debug, Clone, Default)]
pub struct TextRows {
    text: String,
    /// Where each field ends.
    fields: Vec<usize>,
    /// How many fields there were at the end of each record.
    records: Vec<usize>,
}

impl TextRows {
    /// Adds a field to the record under way.
    pub fn field(&mut self, field: &str) {
        self.text.push_str(field);
        self.fields.push(self.text.len());
    }

    /// Ends the record under way.
    pub fn end(&mut self) {
        self.records.push(self.fields.len());
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// About how much memory they take.
    pub fn bytes(&self) -> usize {
        self.text.len() + size_of_val(&self.fields[..]) + size_of_val(&self.records[..])
    }

    /// The records as comma-separated text.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for position in 0..self.len() {
            writer.write_record(self.record(position)).expect("memory takes every record");
        }
        writer.into_inner().expect("memory takes every record")
    }

    /// The fields of a record.
    pub fn record(&self, position: usize) -> impl ExactSizeIterator<Item = &str> {
        let start = if position == 0 { 0 } else { self.records[position - 1] };
        let end = self.records[position];
        (start..end).map(|i| {
            let from = if i == 0 { 0 } else { self.fields[i - 1] };
            &self.text[from..self.fields[i]]
        })
    }
}

/// Rows as a sink wants them.
#[derive(Debug)]
pub enum Chunk {
    /// Not encoded yet.
    Rows(TextRows),
    /// The bytes of a file.
    Bytes(Vec<u8>),
}

/// Turns rows into what the sink wants, on the thread that made them.
pub trait Encoder: Sync {
    /// Encodes the rows of one block.
    fn encode(&self, rows: TextRows) -> Result<Chunk, Error>;
}

/// Takes chunks in order and makes a file of them.
pub trait Sink: Send {
    /// What encodes rows for this sink.
    fn encoder(&self) -> Box<dyn Encoder>;

    /// Takes the next chunk.
    fn write(&mut self, chunk: Chunk) -> Result<(), Error>;

    /// Writes what is still held back.
    fn finish(&mut self) -> Result<(), Error>;
}

/// Leaves rows as they are, for sinks that encode them later.
struct AsRows;

impl Encoder for AsRows {
    fn encode(&self, rows: TextRows) -> Result<Chunk, Error> {
        Ok(Chunk::Rows(rows))
    }
}
