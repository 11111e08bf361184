//! The records of a table as delimited text, streamed out of the database.

use std::io::{self, Read};
use std::pin::Pin;

use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use haggle_model::Error;
use tokio_postgres::CopyOutStream;

use super::refusal::problem;
use super::session::PostgresSession;
use crate::database::Database;

/// Reads a table as comma-separated text with a header.
pub(super) struct CopyReader<'p> {
    session: PostgresSession<'p>,
    stream: Pin<Box<CopyOutStream>>,
    left: Bytes,
}

impl<'p> CopyReader<'p> {
    pub(super) fn open(session: PostgresSession<'p>, database: &Database) -> Result<Self, Error> {
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
        let stream = Box::pin(session.wait(session.client.copy_out(&sql))?);
        Ok(Self { session, stream, left: Bytes::new() })
    }
}

impl Read for CopyReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left.is_empty() {
            let Self { session, stream, .. } = self;
            let next = session.runtime.block_on(session.until_cancelled(stream.try_next()));
            match next.map_err(|error| io::Error::from(problem(&error)))? {
                Some(Some(bytes)) => self.left = bytes,
                Some(None) => return Ok(0),
                None => return Err(io::Error::other(Error::cancelled())),
            }
        }
        let n = buffer.len().min(self.left.len());
        self.left.copy_to_slice(&mut buffer[..n]);
        Ok(n)
    }
}
