//! In the place of `parquet` in a build without the feature of that name: files are recognized and
//! refused.

use std::path::Path;

use haggle_model::{ErrorKind, Problem};

use crate::Error;
use crate::delimited::CsvOptions;
use crate::fields::Visit;
use crate::input::InputFile;

const MAGIC: &[u8] = b"PAR1";

/// A Parquet file that can be read, of which there is none.
#[derive(Debug, Clone)]
pub(crate) enum ParquetFile {}

impl ParquetFile {
    /// Whether the file is a Parquet file.
    pub(crate) fn is(file: &InputFile) -> Result<bool, Error> {
        file.starts_with(MAGIC)
    }

    pub(crate) fn open(file: &InputFile, _: &CsvOptions) -> Result<(Self, Vec<String>), Error> {
        Err(Problem::new("this build of haggle cannot read Parquet files")
            .of_kind(ErrorKind::Unsupported)
            .file(file.name())
            .fix("build it with the feature `parquet`, or export the table as CSV")
            .into())
    }

    pub(crate) fn leaves(&self, _: &[usize], _: &[String], _: &Path) -> Result<(), Error> {
        match *self {}
    }
}

/// How much is read at a time, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct BatchLimits {
    pub(crate) block: usize,
    pub(crate) page: usize,
}

/// Some rows, decoded.
pub(crate) enum Batch {}

impl Batch {
    pub(crate) fn visit(
        &self,
        _: &[String],
        _: (usize, &Path),
        _: &mut impl Visit,
    ) -> Result<(), Error> {
        match *self {}
    }
}

/// Reads the rows of a file.
pub(crate) struct Batches<'t>(ParquetFile, std::marker::PhantomData<&'t ()>);

impl<'t> Batches<'t> {
    pub(crate) fn open(
        _: &'t InputFile,
        parquet: &ParquetFile,
        _: &[String],
        _: &[usize],
        limits: BatchLimits,
    ) -> Result<Self, Error> {
        let BatchLimits { block: _, page: _ } = limits;
        match *parquet {}
    }

    pub(crate) fn next(&mut self) -> Result<Option<Batch>, Error> {
        match self.0 {}
    }

    pub(crate) fn bytes(&self, _: &Batch) -> usize {
        match self.0 {}
    }
}
