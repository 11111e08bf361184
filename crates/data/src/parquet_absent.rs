//! Takes the place of Parquet in builds without it: such files are recognized, and refused.

use std::convert::Infallible;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

use haggle_model::Problem;

use crate::input::read_full;
use crate::records::Visit;
use crate::{CsvOptions, Error, InputFile, Table};

const MAGIC: &[u8] = b"PAR1";

/// The error for a Parquet file in a build that cannot read or write one.
pub(crate) fn absent(file: &Path) -> Error {
    let fix = "build haggle with the feature parquet, or use a CSV file";
    Problem::new("this build of haggle has no Parquet").file(file).fix(fix).into()
}

/// No Parquet file is ever opened.
#[derive(Debug, Clone)]
pub(crate) struct ParquetFile(Infallible);

impl ParquetFile {
    /// Whether the file is one.
    pub(crate) fn is(file: &InputFile) -> Result<bool, Error> {
        let mut magic = [0; MAGIC.len()];
        let mut start = file.stream()?.0.take(MAGIC.len() as u64);
        let n = read_full(&mut start, &mut magic).map_err(Error::io(file.name()))?;
        Ok(&magic[..n] == MAGIC)
    }

    pub(crate) fn open(file: &InputFile, _: &CsvOptions) -> Result<(Self, Vec<String>), Error> {
        Err(absent(file.name()))
    }

    pub(crate) fn leaves(&self, _: &[usize], _: &Table, _: &Path) -> Result<(), Error> {
        match self.0 {}
    }
}

/// No rows are ever read.
pub(crate) struct Batches<'t>(Infallible, PhantomData<&'t ()>);

impl<'t> Batches<'t> {
    pub(crate) fn open(
        _: &'t InputFile,
        parquet: &ParquetFile,
        _: &Table,
        _: &[usize],
    ) -> Result<Self, Error> {
        match parquet.0 {}
    }

    pub(crate) fn next(&mut self) -> Result<Option<Batch>, Error> {
        match self.0 {}
    }

    pub(crate) fn bytes(&self, _: &Batch) -> usize {
        match self.0 {}
    }
}

/// No rows are ever decoded.
pub(crate) struct Batch(Infallible);

impl Batch {
    pub(crate) fn visit(&self, _: &Table, _: usize, _: &mut impl Visit) -> Result<(), Error> {
        match self.0 {}
    }
}
