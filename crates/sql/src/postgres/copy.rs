//! The records of a table as delimited text, streamed out of the database.

use std::io::{self, Read};
use std::pin::Pin;

use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use haggle_model::Error;
use tokio_postgres::CopyOutStream;

use super::refusal::{problem, refusal};
use super::session::PostgresSession;
use crate::database::Database;

/// Reads a table as comma-separated text with a header.
pub(super) struct CopyReader {
    session: PostgresSession,
    stream: Pin<Box<CopyOutStream>>,
    left: Bytes,
}

impl CopyReader {
    pub(super) fn open(session: PostgresSession, database: &Database) -> Result<Self, Error> {
        let sql = database.sql();
        let column = |name: &String| {
            let name = sql.identifier(name);
            format!("{} AS {name}", sql.field(&name))
        };
        let columns: Vec<String> = database.column_names().iter().map(column).collect();
        let sql = format!(
            "COPY (SELECT {} FROM {}) TO STDOUT (FORMAT csv, HEADER)",
            columns.join(", "),
            database.source()
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
