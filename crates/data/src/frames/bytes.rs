//! The bytes of a frame in an order of their own, so that a frame has a digest as files have.

use std::io::{self, Read};
use std::vec::IntoIter;

use arrow_array::Array as _;
use arrow_array::ArrayRef;
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use rustc_hash::FxHashSet;

use super::Frame;

/// Reads the buffers of a frame, each once, after a description of its columns.
pub(crate) struct FrameBytes {
    buffers: IntoIter<Buffer>,
    current: Buffer,
    at: usize,
}

impl FrameBytes {
    /// Begins with the first byte.
    pub(crate) fn of(frame: &Frame) -> Self {
        let shape = format!("{} columns\n", frame.schema().fields().len());
        let mut found = Buffers { shape, ..Buffers::default() };
        for batch in frame.batches() {
            batch.columns().iter().for_each(|column| found.add_column(column));
        }
        let current = Buffer::from(found.shape.into_bytes());
        Self { buffers: found.distinct.into_iter(), current, at: 0 }
    }

    /// How many bytes were not read yet.
    pub(crate) fn left(&self) -> u64 {
        let more: usize = self.buffers.as_slice().iter().map(Buffer::len).sum();
        (self.current.len() - self.at + more) as u64
    }
}

impl Read for FrameBytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.current.len() {
            let Some(next) = self.buffers.next() else { return Ok(0) };
            (self.current, self.at) = (next, 0);
        }
        let n = out.len().min(self.current.len() - self.at);
        out[..n].copy_from_slice(&self.current.as_slice()[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// The buffers of all columns, and what is made of them. Slices of one array share its buffers.
#[derive(Default)]
struct Buffers {
    shape: String,
    distinct: Vec<Buffer>,
    known: FxHashSet<(usize, usize)>,
}

impl Buffers {
    fn add_column(&mut self, column: &ArrayRef) {
        self.add(&column.to_data());
    }

    fn add(&mut self, data: &ArrayData) {
        self.shape += &format!("{:?} {} {}\n", data.data_type(), data.offset(), data.len());
        let nulls = data.nulls().map(arrow_buffer::NullBuffer::buffer);
        for buffer in data.buffers().iter().chain(nulls) {
            if self.known.insert((buffer.as_ptr() as usize, buffer.len())) {
                self.distinct.push(buffer.clone());
            }
        }
        data.child_data().iter().for_each(|child| self.add(child));
    }
}
