//! Takes the place of the Parquet sink in builds without it: opening one is refused.

use std::convert::Infallible;
use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;

use super::{Chunk, Encoder, Sink};
use crate::Error;
use crate::parquet::absent;

/// A sink that is never opened.
pub struct Parquet<W: Write + Send>(Infallible, PhantomData<W>);

impl<W: Write + Send> Parquet<W> {
    /// Returns the error that this build has no Parquet.
    pub fn new(_: W, path: &Path, _: &[String]) -> Result<Self, Error> {
        Err(absent(path))
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
