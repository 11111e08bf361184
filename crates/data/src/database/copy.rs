//! The records of a table as delimited text, streamed out of the database.

use std::io::{self, Read};
use std::pin::Pin;

use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use tokio_postgres::CopyOutStream;

use super::refusal::{problem, refusal};
use super::sql::{field, quoted};
use super::{Database, DatabaseSession};
use crate::Error;

/// Reads a table as comma-separated text with a header.
pub(crate) struct CopyReader {
    session: DatabaseSession,
    stream: Pin<Box<CopyOutStream>>,
    left: Bytes,
}

impl CopyReader {
    pub(crate) fn open(database: &Database) -> Result<Self, Error> {
        let session = DatabaseSession::open(database, false)?;
        let column = |name: &String| format!("{} AS {}", field(name), quoted(name));
        let columns: Vec<String> = database.column_names().iter().map(column).collect();
        let sql = format!(
            "COPY (SELECT {} FROM {}) TO STDOUT (FORMAT csv, HEADER)",
            columns.join(", "),
            database.table()
        );
        let stream = session.runtime.block_on(session.client.copy_out(&sql));
        let stream = Box::pin(stream.map_err(refusal(database.name()))?);
        Ok(Self { session, stream, left: Bytes::new() })
    }
}

impl Read for CopyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left.is_empty() {
            let next = self.session.runtime.block_on(self.stream.try_next());
            match next.map_err(|error| io::Error::from(problem(&error)))? {
                Some(bytes) => self.left = bytes,
                None => return Ok(0),
            }
        }
        let n = buffer.len().min(self.left.len());
        self.left.copy_to_slice(&mut buffer[..n]);
        Ok(n)
    }
}
