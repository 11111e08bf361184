//! In the place of `frames` in a build without the feature of that name: there is no frame.

use std::io::{self, Read};
use std::path::Path;

use crate::Error;
use crate::fields::Visit;

/// A table in memory, of which there is none.
#[derive(Debug, Clone)]
pub enum Frame {}

impl Frame {
    pub(crate) fn names(&self) -> Vec<String> {
        match *self {}
    }

    pub(crate) fn kinds(&self, _: &[usize]) -> Result<(), Error> {
        match *self {}
    }
}

/// Reads the rows of a frame.
pub(crate) struct FrameRows<'t>(Frame, std::marker::PhantomData<&'t ()>);

impl<'t> FrameRows<'t> {
    pub(crate) fn open(frame: &'t Frame, _: &[usize], _: usize) -> Result<Self, Error> {
        match *frame {}
    }

    pub(crate) fn next(&mut self) -> Option<FrameBlock> {
        match self.0 {}
    }
}

/// Some consecutive rows of a frame.
pub(crate) enum FrameBlock {}

impl FrameBlock {
    pub(crate) fn bytes(&self) -> usize {
        match *self {}
    }

    pub(crate) fn visit(
        &self,
        _: &[String],
        _: (usize, &Path),
        _: &mut impl Visit,
    ) -> Result<(), Error> {
        match *self {}
    }
}

/// The bytes of a frame.
pub(crate) struct FrameBytes(Frame);

impl FrameBytes {
    pub(crate) fn of(frame: &Frame) -> Self {
        match *frame {}
    }

    pub(crate) fn left(&self) -> u64 {
        match self.0 {}
    }
}

impl Read for FrameBytes {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}
