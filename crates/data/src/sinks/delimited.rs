//! Comma-separated text: fields quoted where they must be, records in the order they come.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Chunk, Encoder, Sink, TextRows};
use crate::Error;

/// Writes comma-separated text.
pub struct Delimited<W> {
    writer: W,
    path: PathBuf,
}

impl<W: Write + Send> Delimited<W> {
    /// A sink that begins with the columns' names. `path` is for messages.
    pub fn new(mut writer: W, path: &Path, columns: &[String]) -> Result<Self, Error> {
        let mut header = TextRows::default();
        for column in columns {
            header.field(column);
        }
        header.end();
        writer.write_all(&header.to_csv()).map_err(Error::io(path))?;
        Ok(Self { writer, path: path.to_owned() })
    }
}

impl<W: Write + Send> Sink for Delimited<W> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(ToText)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        let bytes = match chunk {
            Chunk::Bytes(bytes) => bytes,
            Chunk::Rows(rows) => rows.to_csv(),
        };
        self.writer.write_all(&bytes).map_err(Error::io(&self.path))
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.writer.flush().map_err(Error::io(&self.path))
    }
}

struct ToText;

impl Encoder for ToText {
    fn encode(&self, rows: TextRows) -> Result<Chunk, Error> {
        Ok(Chunk::Bytes(rows.to_csv()))
    }
}
