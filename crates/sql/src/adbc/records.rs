//! The records of a table as delimited text, streamed out of the database.

use std::io::{self, Read};

use haggle_model::Error;

use super::refusal::StatementHolds;
use super::rows::BatchRow;
use super::session::{AdbcSession, StatementResult};
use crate::database::Database;
use crate::engine::SqlRow;

/// Reads a table as comma-separated text with a header.
pub(super) struct RecordReader<'p> {
    result: StatementResult<'p>,
    columns: usize,
    text: Vec<u8>,
    read: usize,
    _session: AdbcSession<'p>,
}

impl<'p> RecordReader<'p> {
    pub(super) fn open(session: AdbcSession<'p>, database: &Database) -> Result<Self, Error> {
        let (sql, names) = (database.sql(), database.column_names());
        let field =
            |(i, name): (usize, &String)| format!("{} AS c{i}", sql.field(&sql.identifier(name)));
        let fields: Vec<String> = names.iter().enumerate().map(field).collect();
        let query = format!("SELECT {} FROM {}", fields.join(", "), database.source());
        let result = session.run(&query, StatementHolds::Values)?;
        let mut text = Vec::new();
        write_record(&mut text, names.iter().map(String::as_str));
        Ok(Self { result, columns: names.len(), text, read: 0, _session: session })
    }

    /// Writes the next batch as text; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        (self.read, self.text) = (0, std::mem::take(&mut self.text));
        self.text.clear();
        let next = self.result.next().map_err(|error| io::Error::other(error.to_string()))?;
        let Some(batch) = next else { return Ok(false) };
        for row in 0..batch.num_rows() {
            let row = BatchRow { batch: &batch, row };
            let fields = (0..self.columns).map(|column| row.text(column).unwrap_or_default());
            write_record(&mut self.text, fields);
        }
        Ok(true)
    }
}

impl Read for RecordReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let n = buffer.len().min(self.text.len() - self.read);
        buffer[..n].copy_from_slice(&self.text[self.read..self.read + n]);
        self.read += n;
        Ok(n)
    }
}

/// Writes a line; fields are quoted where they hold a separator, a quote or the end of a line.
fn write_record<'f>(text: &mut Vec<u8>, fields: impl Iterator<Item = &'f str>) {
    for (i, field) in fields.enumerate() {
        if i > 0 {
            text.push(b',');
        }
        // A line with one empty field would be no line.
        if field.is_empty() || field.contains([',', '"', '\n', '\r']) {
            text.push(b'"');
            text.extend_from_slice(field.replace('"', "\"\"").as_bytes());
            text.push(b'"');
        } else {
            text.extend_from_slice(field.as_bytes());
        }
    }
    text.push(b'\n');
}
