//! The profiling scan: a sink that counts the records it is given and writes nothing.

use std::sync::{Arc, Mutex};

use haggle_data::sinks::{Chunk, Encoder, Sink, TextRows};
use haggle_model::Error;

use super::tally::ColumnTally;

/// Roughly what a counted value, combination or link takes, in bytes.
const BYTES_PER_ENTRY: usize = 64;
/// However many columns there are, each may have this many different values.
const FEWEST_ENTRIES: usize = 1024;

/// What the fields of a profiled record are.
#[derive(Debug, Clone)]
pub(crate) struct ProfileLayout {
    /// The first fields are the table's columns, as they would be published.
    pub(crate) columns: usize,
    /// Columns that may be published unchanged.
    pub(crate) free: Vec<usize>,
    /// Fields over which whole records are compared.
    pub(crate) whole: Vec<usize>,
    /// The attributes of which less is published than was recorded.
    pub(crate) hidden: Vec<HiddenFields>,
    /// The field that names the person.
    pub(crate) person: Option<usize>,
    pub(crate) limits: TallyLimits,
}

/// The fields with the published and the recorded value of an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HiddenFields {
    /// None if nothing is published of it.
    pub(crate) published: Option<usize>,
    pub(crate) recorded: usize,
}

/// How much one thread may keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TallyLimits {
    /// Different values of a column.
    pub(crate) values: usize,
    /// Combinations of free columns.
    pub(crate) combinations: usize,
    /// Values of a column and of an attribute that occur together.
    pub(crate) links: usize,
    /// A free column with more different values than this is nearly unique for sure.
    pub(crate) distinct: u64,
}

impl TallyLimits {
    /// What fits into this many bytes, shared by all threads.
    pub(crate) fn within(bytes: usize, columns: usize, links: usize) -> Self {
        let entries = bytes / rayon::current_num_threads().max(1) / BYTES_PER_ENTRY;
        Self {
            values: (entries / 3 / columns.max(1)).max(FEWEST_ENTRIES),
            combinations: (entries / 3).max(FEWEST_ENTRIES),
            links: (entries / 3 / links.max(1)).max(FEWEST_ENTRIES),
            distinct: u64::MAX,
        }
    }
}

/// Counts what it is given, each thread on its own.
#[derive(Debug, Clone)]
pub(crate) struct Profiler {
    layout: Arc<ProfileLayout>,
    idle: Arc<Mutex<Vec<ColumnTally>>>,
}

impl Profiler {
    pub(crate) fn new(layout: ProfileLayout) -> Self {
        Self { layout: layout.into(), idle: Arc::default() }
    }

    /// A tally of records that are counted elsewhere, each different one with its number.
    pub(crate) fn counted(layout: &ProfileLayout) -> CountedRecords<'_> {
        CountedRecords { layout, tally: ColumnTally::new(layout) }
    }

    /// All that was counted.
    pub(crate) fn into_tally(self) -> ColumnTally {
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
pub(crate) struct CountedRecords<'a> {
    layout: &'a ProfileLayout,
    pub(crate) tally: ColumnTally,
}

impl CountedRecords<'_> {
    pub(crate) fn add(&mut self, fields: &[&str], records: u64) {
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
