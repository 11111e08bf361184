//! The profiling scan: a sink that counts the records it is given and writes nothing.

use std::sync::{Arc, Mutex};

use haggle_data::sinks::{Chunk, Encoder, Sink, TextRows};
use haggle_model::Error;

use super::layout::ProfileLayout;
use super::tally::ColumnTally;

/// Counts what it is given, each thread on its own.
#[derive(Debug, Clone)]
pub struct Profiler {
    layout: Arc<ProfileLayout>,
    idle: Arc<Mutex<Vec<ColumnTally>>>,
}

impl Profiler {
    /// Returns a profiler of records with this layout.
    pub fn new(layout: ProfileLayout) -> Self {
        Self { layout: layout.into(), idle: Arc::default() }
    }

    /// A tally of records that are counted elsewhere, each different one with its number.
    pub fn counted(layout: &ProfileLayout) -> CountedRecords<'_> {
        CountedRecords { layout, tally: ColumnTally::new(layout) }
    }

    /// All that was counted.
    pub fn into_tally(self) -> ColumnTally {
        let mut all = ColumnTally::new(&self.layout);
        let counted = std::mem::take(&mut *self.idle.lock().expect("no thread panicked"));
        for tally in counted {
            all.merge(tally, &self.layout);
        }
        all
    }

    fn idle(&self) -> Option<ColumnTally> {
        self.idle.lock().expect("no thread panicked").pop()
    }
}

/// Takes records with their numbers.
pub struct CountedRecords<'a> {
    layout: &'a ProfileLayout,
    /// What was counted so far.
    pub tally: ColumnTally,
}

impl CountedRecords<'_> {
    /// Counts equal records.
    pub fn add(&mut self, fields: &[&str], records: u64) {
        self.tally.add(self.layout, fields, records);
    }
}

impl Encoder for Profiler {
    fn encode(&self, rows: TextRows) -> Result<Chunk, Error> {
        let mut tally = self.idle().unwrap_or_else(|| ColumnTally::new(&self.layout));
        for position in 0..rows.len() {
            let fields: Vec<&str> = rows.record(position).collect();
            tally.add(&self.layout, &fields, 1);
        }
        self.idle.lock().expect("no thread panicked").push(tally);
        Ok(Chunk::Rows(TextRows::default()))
    }
}

impl Sink for Profiler {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(self.clone())
    }

    fn write(&mut self, _: Chunk) -> Result<(), Error> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
