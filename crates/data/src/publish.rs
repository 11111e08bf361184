//! The second scan: records streamed from a table to a sink, recoded or suppressed on the way.

use std::collections::BTreeMap;
use std::sync::Mutex;

use haggle_model::{
    ANY, Dictionary, ErrorKind, Problem, Progress, Recoder, Remedy, SharesTaken, is_unmatched,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::coding::{Gap, Missing, OnMissing};
use crate::fields::{Fields, Visit};
use crate::records::Reading;
use crate::sinks::{Chunk, Sink, TextRows};
use crate::{Error, Table};

/// What happens to records whose group fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Suppress {
    /// They are left out.
    #[default]
    Drop,
    /// They are kept with `*` in every quasi-identifier.
    Star,
}

/// The columns of a publication, in the order of the table.
#[derive(Debug, Clone)]
pub enum PublishedColumns {
    /// A column as it is; where missing is a value of its own, every mark of it is written the
    /// same.
    Copied(usize),
    /// The quasi-identifier at this position, from this column.
    Recoded {
        /// The column.
        column: usize,
        /// The position among the quasi-identifiers.
        position: usize,
    },
    /// A column with each value replaced; a value that is not there stays.
    Mapped {
        /// The column.
        column: usize,
        /// What is published for each value.
        mapping: FxHashMap<Box<str>, Box<str>>,
    },
    /// Whether the record's group was suppressed: `true` or `false`.
    Flag,
    /// The number of the record's group among those that its sensitive value is spread over.
    Group,
}

/// What is done to every record.
#[derive(Debug)]
pub struct RecordRecoding<'a> {
    /// The columns to write.
    pub columns: Vec<PublishedColumns>,
    /// How quasi-identifiers change.
    pub recoder: Recoder<'a>,
    /// The groups that fail, as published codes.
    pub failing: &'a FxHashSet<Box<[u32]>>,
    /// What happens to their records.
    pub suppress: Suppress,
    /// Every column in which a missing value matters.
    pub checked: Vec<usize>,
    /// What counts as missing, and what then.
    pub missing: Missing,
    /// The column by whose values records with the same quasi-identifiers are distinguished, if the
    /// recoder does so.
    pub distinguished_by: Option<(usize, &'a Dictionary)>,
    /// By value of that column, the numbers of the groups that its records take, in order.
    pub groups: Option<&'a [Vec<u32>]>,
}

impl RecordRecoding<'_> {
    /// Returns the columns that are read.
    fn reads(&self) -> impl Iterator<Item = usize> {
        let distinguished = self.distinguished_by.map(|(column, _)| column);
        let column = |published: &PublishedColumns| match *published {
            PublishedColumns::Copied(column)
            | PublishedColumns::Recoded { column, .. }
            | PublishedColumns::Mapped { column, .. } => Some(column),
            PublishedColumns::Flag | PublishedColumns::Group => None,
        };
        let columns = self.columns.iter().filter_map(column).chain(self.checked.iter().copied());
        columns.chain(distinguished)
    }

    /// Returns what is written for a field that is not recoded. Where missing is a value of its
    /// own, all marks of missing values are written as one of them.
    fn written<'f>(&'f self, column: usize, field: &'f str) -> &'f str {
        let is_value = self.missing.policy == OnMissing::Value && self.checked.contains(&column);
        if is_value && self.missing.is(field) { self.missing.label() } else { field }
    }
}

/// What the second scan did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Streamed {
    /// Records written, suppressed ones that were kept with `*` included.
    pub written: u64,
    /// Records whose group failed.
    pub suppressed: u64,
    /// Records left out because a value was missing.
    pub dropped: u64,
    /// A digest of what was read.
    pub digest: u64,
}

/// Streams the table through the publication into the sink, in the table's order. Memory does not
/// grow with the table; `progress` receives the number of bytes read, and can stop it.
pub fn publish(
    table: &Table,
    publication: &RecordRecoding<'_>,
    sink: &mut dyn Sink,
    progress: &dyn Progress,
) -> Result<Streamed, Error> {
    let reading = Reading::open(table, publication.reads(), progress)?;
    let encoder = sink.encoder();
    let output = Mutex::new(Ordered { sink, next: 0, waiting: BTreeMap::new() });
    let work = || -> Result<Streamed, Error> {
        let mut worker = RecodeWorker::new(table, publication);
        while let Some(block) = reading.next()? {
            if progress.step(block.bytes()).is_break() {
                return Err(Error::cancelled());
            }
            block.visit(&mut worker)?;
            let chunk = encoder.encode(std::mem::take(&mut worker.rows))?;
            output.lock().expect("no worker panicked").deliver(block.number(), chunk)?;
        }
        Ok(worker.streamed)
    };
    // Which records of a share or value come first is decided by one thread, in the table's order.
    let in_order = publication.recoder.shares().is_some() || publication.groups.is_some();
    let threads = if in_order { 1 } else { rayon::current_num_threads() };
    let workers: Result<Vec<Streamed>, Error> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|handle| handle.join().expect("a worker does not panic")).collect()
    });
    let mut all = Streamed { digest: reading.digest(), ..Streamed::default() };
    for streamed in workers? {
        all.written += streamed.written;
        all.suppressed += streamed.suppressed;
        all.dropped += streamed.dropped;
    }
    Ok(all)
}

/// Brings chunks back into the order of their blocks.
struct Ordered<'s> {
    sink: &'s mut dyn Sink,
    next: u64,
    waiting: BTreeMap<u64, Chunk>,
}

impl Ordered<'_> {
    fn deliver(&mut self, number: u64, chunk: Chunk) -> Result<(), Error> {
        self.waiting.insert(number, chunk);
        while let Some(chunk) = self.waiting.remove(&self.next) {
            self.sink.write(chunk)?;
            self.next += 1;
        }
        Ok(())
    }
}

struct RecodeWorker<'a> {
    table: &'a Table,
    publication: &'a RecordRecoding<'a>,
    rows: TextRows,
    recorded: Vec<u32>,
    codes: Vec<u32>,
    taken: SharesTaken,
    /// By value, how many of its groups were taken.
    grouped: Vec<usize>,
    group: u32,
    streamed: Streamed,
}

impl<'a> RecodeWorker<'a> {
    fn new(table: &'a Table, publication: &'a RecordRecoding<'a>) -> Self {
        let (rows, streamed) = (TextRows::default(), Streamed::default());
        let codes = vec![0; publication.recoder.attributes()];
        Self {
            table,
            publication,
            rows,
            recorded: codes.clone(),
            codes,
            taken: SharesTaken::default(),
            grouped: vec![0; publication.groups.map_or(0, <[_]>::len)],
            group: 0,
            streamed,
        }
    }

    /// The published codes of a record; an error if it is not as it was when it was counted.
    fn recode(&mut self, record: &impl Fields, line: u64, gap: bool) -> Result<(), Error> {
        let RecordRecoding { recoder, missing, columns, .. } = self.publication;
        for published in columns {
            let PublishedColumns::Recoded { column, position } = *published else { continue };
            let field = record.get(column);
            let code = if gap {
                let unmatched = missing.policy == OnMissing::Unmatched;
                let gap = if unmatched { Gap::Unique } else { Gap::Labelled };
                recoder.hierarchy(position).code(&gap.value(field, missing, line))
            } else {
                recoder.hierarchy(position).code(field)
            };
            self.recorded[position] = code.ok_or_else(|| changed(self.table, line))?;
        }
        let value = self.distinguishing(record);
        let known = recoder.recode_next(&self.recorded, value, &mut self.taken, &mut self.codes);
        let grouped = self.publication.groups.is_none_or(|groups| self.take_group(groups, value));
        if known && grouped { Ok(()) } else { Err(changed(self.table, line)) }
    }

    /// Takes the next group of a value. Returns false if there is none.
    fn take_group(&mut self, groups: &[Vec<u32>], value: Option<u32>) -> bool {
        let Some(value) = value.map(|value| value as usize) else { return false };
        let next = groups[value].get(self.grouped[value]);
        self.grouped[value] += 1;
        next.is_some_and(|&group| {
            self.group = group;
            true
        })
    }

    /// Returns the code of the value that distinguishes records with the same quasi-identifiers.
    fn distinguishing(&self, record: &impl Fields) -> Option<u32> {
        let RecordRecoding { distinguished_by, missing, .. } = self.publication;
        let (column, values) = (*distinguished_by)?;
        let field = record.get(column);
        match missing.policy {
            OnMissing::Unmatched if missing.is(field) => None,
            _ => values.code(self.publication.written(column, field)),
        }
    }

    fn write(&mut self, record: &impl Fields, suppressed: bool, gap: bool) {
        let RecordRecoding { recoder, columns, .. } = self.publication;
        let field = |column: usize| {
            let field = record.get(column);
            if gap { self.publication.written(column, field) } else { field }
        };
        for published in columns {
            match published {
                PublishedColumns::Copied(column) => self.rows.field(field(*column)),
                PublishedColumns::Recoded { .. } if suppressed => self.rows.field(ANY),
                PublishedColumns::Recoded { position, column } => {
                    let label = recoder.label(*position, self.codes[*position]);
                    // A missing value that matches nothing is written as the mark that was
                    // recorded.
                    self.rows.field(if is_unmatched(label) { record.get(*column) } else { label });
                }
                PublishedColumns::Mapped { column, mapping } => {
                    let value = field(*column);
                    self.rows.field(mapping.get(value).map_or(value, |published| published));
                }
                PublishedColumns::Flag => {
                    self.rows.field(if suppressed { "true" } else { "false" });
                }
                PublishedColumns::Group => self.rows.field(&self.group.to_string()),
            }
        }
        self.rows.end();
        self.streamed.written += 1;
    }
}

impl Visit for RecodeWorker<'_> {
    fn record(&mut self, record: &impl Fields, line: u64) -> Result<(), Error> {
        let publication = self.publication;
        if record.count() != self.table.columns().len() {
            return Err(changed(self.table, line));
        }
        let gap = publication.checked.iter().any(|&c| publication.missing.is(record.get(c)));
        match (gap, publication.missing.policy) {
            (true, OnMissing::Drop) => {
                self.streamed.dropped += 1;
                return Ok(());
            }
            (true, OnMissing::Error) => return Err(changed(self.table, line)),
            _ => {}
        }
        self.recode(record, line, gap)?;
        let suppressed = publication.failing.contains(self.codes.as_slice());
        self.streamed.suppressed += u64::from(suppressed);
        if !suppressed || publication.suppress == Suppress::Star {
            self.write(record, suppressed, gap);
        }
        Ok(())
    }
}

fn changed(table: &Table, line: u64) -> Error {
    let problem = Problem::new("the data changed since it was counted").line(line);
    table.place(problem.of_kind(ErrorKind::DataChanged).fix(Remedy::PublishAgain)).into()
}
