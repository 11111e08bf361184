//! In the place of the Parquet sink in a build without the feature `parquet`.

use std::convert::Infallible;
use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;

use haggle_model::{ErrorKind, Problem};

use super::{Chunk, Encoder, Sink};
use crate::Error;

/// Writes a Parquet file, which this build cannot.
pub struct Parquet<W: Write + Send>(Infallible, PhantomData<W>);

impl<W: Write + Send> Parquet<W> {
    /// Refuses: this build cannot write Parquet files.
    pub fn new(_writer: W, path: &Path, _columns: &[String]) -> Result<Self, Error> {
        Err(Problem::new("this build of haggle cannot write Parquet files")
            .of_kind(ErrorKind::Unsupported)
            .file(path)
            .fix("build it with the feature `parquet`, or publish as CSV")
            .into())
    }
}

impl<W: Write + Send> Sink for Parquet<W> {
    fn encoder(&self) -> Box<dyn Encoder> {
        match self.0 {}
    }

    fn write(&mut self, _: Chunk) -> Result<(), Error> {
        match self.0 {}
    }

    fn finish(&mut self) -> Result<(), Error> {
        match self.0 {}
    }
}
