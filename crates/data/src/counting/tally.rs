//! What is kept of the records of a scan.

use haggle_cube::Counter;

use crate::coding::Values;

/// What is kept of the records of a scan; each thread has its own.
pub(crate) trait Tally: Send {
    /// Takes some equal records, as codes of the thread's own values, and the line of the first.
    fn add(&mut self, codes: &[u32], values: &[Values], line: u64, records: u64);

    /// How many records were taken.
    fn records(&self) -> u64;

    /// Roughly how many bytes are kept.
    fn bytes(&self) -> usize;

    /// How many cells of a cube will be made of it.
    fn cells(&self) -> usize {
        0
    }
}

impl Tally for Counter {
    fn add(&mut self, codes: &[u32], _: &[Values], _: u64, records: u64) {
        self.add_many(codes, records);
    }

    fn records(&self) -> u64 {
        Self::records(self)
    }

    fn bytes(&self) -> usize {
        Self::bytes(self)
    }

    fn cells(&self) -> usize {
        Self::cells(self)
    }
}

/// How many records there are, and nothing else.
#[derive(Debug, Default)]
pub struct RecordCount(u64);

impl Tally for RecordCount {
    fn add(&mut self, _: &[u32], _: &[Values], _: u64, records: u64) {
        self.0 += records;
    }

    fn records(&self) -> u64 {
        self.0
    }

    fn bytes(&self) -> usize {
        0
    }
}
