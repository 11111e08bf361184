//! One pass over a table: records cut into blocks, coded and counted by all cores.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use haggle_cube::{CountedPart, Counter, Cube};
use haggle_model::{Dictionary, Problem, Problems, Progress, QuasiIdentifier, UNKNOWN, Watched};
use rustc_hash::FxHashSet;

use crate::coding::{Gap, Missing, OnMissing, Values};
use crate::delimited::empty;
use crate::records::{Fields, Reading, Visit};
use crate::{Error, Table, database};

/// Problems of one kind are spelled out this often; then they are only counted.
const SPELLED_OUT: usize = 5;

/// The bytes that a value of a counted column takes beside its text: in the threads' dictionaries, in
/// that of all, and in the hierarchy that is made of it.
const COUNTED_VALUE: usize = 450;
/// The same of a watched column, which has no hierarchy.
const WATCHED_VALUE: usize = 150;

/// What to count, by column.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The quasi-identifiers to count by.
    pub counted: Vec<usize>,
    /// The attributes whose values are counted within each group.
    pub watched: Vec<usize>,
    /// Every column in which a missing value matters. A watched column that is not among these
    /// names persons: all whose name is missing count as one, lest they make up a crowd.
    pub checked: Vec<usize>,
    /// What counts as missing, and what then.
    pub missing: Missing,
}

impl Plan {
    pub(crate) fn coded(&self) -> impl Iterator<Item = usize> {
        self.counted.iter().chain(&self.watched).copied()
    }

    /// What missing values are counted as, by coded column.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        let unmatched = self.missing.policy == OnMissing::Unmatched;
        let checked: FxHashSet<usize> = self.checked.iter().copied().collect();
        let gap = |(position, column): (usize, usize)| {
            let counted = position < self.counted.len();
            match (checked.contains(&column), unmatched) {
                (true, true) if counted => Gap::Apart,
                (true, true) => Gap::Unknown,
                (false, _) if counted => Gap::Recorded,
                _ => Gap::Labelled,
            }
        };
        self.coded().enumerate().map(gap).collect()
    }

    /// Whether a watched column names persons.
    fn names_persons(&self) -> bool {
        let checked: FxHashSet<usize> = self.checked.iter().copied().collect();
        self.watched.iter().any(|column| !checked.contains(column))
    }
}

/// What is kept of the records of a scan; each thread has its own.
pub(crate) trait Tally: Send {
    /// Takes some records that are alike, as codes of the thread's own values, and where the first
    /// stands.
    fn add(&mut self, codes: &[u32], values: &[Values], line: u64, records: u32);

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
    fn add(&mut self, codes: &[u32], _: &[Values], _: u64, records: u32) {
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
    fn add(&mut self, _: &[u32], _: &[Values], _: u64, records: u32) {
        self.0 += u64::from(records);
    }

    fn records(&self) -> u64 {
        self.0
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// What a scan found: counts in codes of its own, and the values they stand for.
#[derive(Debug)]
pub struct Scanned<T = Counter> {
    pub(crate) workers: Vec<Worker<T>>,
    pub(crate) values: Vec<Values>,
    digest: u64,
    watched: Vec<String>,
}

impl<T> Scanned<T> {
    /// The values of the column at this position among the counted and then the watched ones.
    pub fn values(&self, position: usize) -> &Values {
        &self.values[position]
    }

    /// A digest of the file's bytes.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Values of the counted column at this position that a hierarchy does not cover, with the
    /// lines on which they occur first.
    pub fn uncovered<'a>(
        &'a self,
        position: usize,
        attribute: &'a QuasiIdentifier,
    ) -> impl Iterator<Item = (&'a str, u64)> {
        let Values { dictionary, first_line, .. } = &self.values[position];
        let known = |value: &str| attribute.hierarchy.code(value).is_some();
        dictionary.values().zip(first_line.iter().copied()).filter(move |(value, _)| !known(value))
    }

    /// The watched attributes, with the values that were met.
    pub fn watched(&self) -> Vec<Watched> {
        let first = self.values.len() - self.watched.len();
        let values = self.values[first..].iter().map(|values| values.dictionary.clone());
        let watched = self.watched.iter().cloned().zip(values);
        watched.map(|(name, values)| Watched { name, values }).collect()
    }
}

#[allow(private_bounds)] // what is kept is chosen by this crate's own functions
impl<T: Tally> Scanned<T> {
    /// How many records were read.
    pub fn read(&self) -> u64 {
        self.kept() + self.dropped()
    }

    /// How many records were left out because a value was missing.
    pub fn dropped(&self) -> u64 {
        self.workers.iter().map(|worker| worker.dropped).sum()
    }

    /// How many records were counted.
    pub fn kept(&self) -> u64 {
        self.workers.iter().map(|worker| worker.tally.records()).sum()
    }
}

impl Scanned {
    /// The cube over these hierarchies, which must cover every value that was counted.
    pub fn into_cube(self, attributes: Vec<QuasiIdentifier>) -> Cube {
        let watched = self.watched();
        let code = |column: usize, value: &str| {
            let code = match attributes.get(column) {
                Some(attribute) => attribute.hierarchy.code(value),
                None => watched_code(&watched[column - attributes.len()].values, value),
            };
            code.expect("every value is covered")
        };
        let parts = self.into_parts(code);
        Cube::of(attributes, watched, &parts)
    }

    /// What was counted, with the code of each value: that of the counted columns, then of the watched
    /// ones, is asked by position.
    pub fn into_parts(self, code: impl Fn(usize, &str) -> u32) -> Vec<CountedPart> {
        let part = |worker: Worker<Counter>| {
            let meaning = |(column, values): (usize, &Values)| {
                values.dictionary.values().map(|value| code(column, value)).collect()
            };
            let recode = worker.values.iter().enumerate().map(meaning).collect();
            CountedPart { counter: worker.tally, recode }
        };
        self.workers.into_iter().map(part).collect()
    }
}

impl Scanned<()> {
    /// Values that are known without a scan: of the counted columns, then of the watched ones, whose
    /// names are told.
    pub fn known(values: Vec<Values>, watched: Vec<String>) -> Self {
        Self { workers: Vec::new(), values, digest: 0, watched }
    }
}

/// The code of a watched value; no value has the code after the last, as the cube has it.
pub(crate) fn watched_code(values: &Dictionary, value: &str) -> Option<u32> {
    if value == UNKNOWN { Some(values.len() as u32) } else { values.code(value) }
}

/// Reads the table once. `memory` bounds in bytes what is counted and what a cube of it will take;
/// `progress` is told of bytes read, and may stop it.
pub fn scan(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Scanned, Error> {
    if let Some(database) = table.database() {
        return database::grouped(database, table, plan, memory);
    }
    let counter = || Counter::new(plan.counted.len(), plan.watched.len());
    scan_into(table, plan, memory, progress, &counter)
}

/// The same for records that are added to a table or deleted from it: there may be none left of them.
pub fn scan_changes(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Scanned, Error> {
    let counter = || Counter::new(plan.counted.len(), plan.watched.len());
    read_into(table, plan, memory, progress, &counter)
}

/// Reads the table once for the values of its columns; groups are not counted.
pub fn scan_values(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Scanned<RecordCount>, Error> {
    match table.database() {
        Some(database) => {
            database::grouped_into(database, table, plan, memory, RecordCount::default())
        }
        None => scan_into(table, plan, memory, progress, &RecordCount::default),
    }
}

/// Reads the table once, each thread into a tally of its own. An error if no record is left.
pub(crate) fn scan_into<T: Tally>(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
    tally: &(dyn Fn() -> T + Sync),
) -> Result<Scanned<T>, Error> {
    some_left(read_into(table, plan, memory, progress, tally)?, table)
}

fn read_into<T: Tally>(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
    tally: &(dyn Fn() -> T + Sync),
) -> Result<Scanned<T>, Error> {
    let table = &table.clone().within(memory);
    let reading = Reading::open(table, plan.coded().chain(plan.checked.iter().copied()))?;
    let threads = rayon::current_num_threads();
    let most = u64::from(u32::MAX) / threads as u64;
    let used = AtomicUsize::new(0);
    let work = || -> Result<Worker<T>, Fault> {
        let mut worker = Worker::new(table, plan, tally());
        while let Some(block) = reading.next().map_err(|error| (u64::MAX, error))? {
            let wanted = progress.step(block.bytes()).is_continue();
            let counted = if wanted { block.visit(&mut worker) } else { Err(Error::Cancelled) };
            let counted = counted.and_then(|()| worker.check_size(memory, &used, most));
            counted.map_err(|error| (block.number(), error))?;
        }
        Ok(worker)
    };
    let workers: Vec<Result<Worker<T>, Fault>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("a worker does not panic")).collect()
    });
    gather(all_or_first_fault(workers)?, table, plan, reading.digest())
}

/// Why a worker stopped, and at which block.
type Fault = (u64, Error);

/// The workers, or the fault that comes first in the table, whoever met it.
fn all_or_first_fault<T>(workers: Vec<Result<Worker<T>, Fault>>) -> Result<Vec<Worker<T>>, Error> {
    let (sound, faulty): (Vec<_>, Vec<_>) = workers.into_iter().partition(Result::is_ok);
    match faulty.into_iter().filter_map(Result::err).min_by_key(|(block, _)| *block) {
        Some((_, first)) => Err(first),
        None => Ok(sound.into_iter().flatten().collect()),
    }
}

/// What was counted, if anything was left to count.
fn some_left<T: Tally>(scanned: Scanned<T>, table: &Table) -> Result<Scanned<T>, Error> {
    if scanned.workers.iter().any(|worker| worker.tally.records() > 0) {
        return Ok(scanned);
    }
    let what = "every record has a missing value, so none is left";
    let fix = "check the marks in `missing`, or let missing be a value: on_missing = \"value\"";
    Err(Problem::new(what).file(table.input().name()).fix(fix).into())
}

/// What some workers counted, if any record is left.
pub(crate) fn finish<T: Tally>(
    workers: Vec<Worker<T>>,
    table: &Table,
    plan: &Plan,
    digest: u64,
) -> Result<Scanned<T>, Error> {
    some_left(gather(workers, table, plan, digest)?, table)
}

fn gather<T: Tally>(
    mut workers: Vec<Worker<T>>,
    table: &Table,
    plan: &Plan,
    digest: u64,
) -> Result<Scanned<T>, Error> {
    let problems =
        Faults::union(workers.iter_mut().map(|worker| std::mem::take(&mut worker.faults)));
    Problems::check(problems.into_problems(table))?;
    if workers.iter().all(|worker| worker.tally.records() + worker.dropped == 0) {
        return Err(empty(table.input().name()));
    }
    let columns = plan.coded().count();
    let values = (0..columns).map(|i| Values::union(workers.iter().map(move |w| &w.values[i])));
    Ok(Scanned {
        values: values.collect(),
        watched: plan.watched.iter().map(|&column| table.columns()[column].clone()).collect(),
        workers,
        digest,
    })
}

/// What is wrong with records, each kind with its first lines and how often it occurs.
#[derive(Debug, Default)]
struct Faults {
    /// Records with a wrong number of fields: line, fields.
    fields: Vec<(u64, usize)>,
    /// Missing values where they are an error: line, column.
    missing: Vec<(u64, usize)>,
    more_fields: u64,
    more_missing: u64,
}

impl Faults {
    fn keep<T>(list: &mut Vec<T>, more: &mut u64, fault: T) {
        if list.len() < SPELLED_OUT { list.push(fault) } else { *more += 1 }
    }

    fn union(faults: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for fault in faults {
            all.fields.extend(fault.fields);
            all.missing.extend(fault.missing);
            all.more_fields += fault.more_fields;
            all.more_missing += fault.more_missing;
        }
        all.fields.sort_unstable();
        all.missing.sort_unstable();
        all.more_fields += all.fields.len().saturating_sub(SPELLED_OUT) as u64;
        all.more_missing += all.missing.len().saturating_sub(SPELLED_OUT) as u64;
        all.fields.truncate(SPELLED_OUT);
        all.missing.truncate(SPELLED_OUT);
        all
    }

    fn into_problems(self, table: &Table) -> Vec<Problem> {
        let columns = table.columns().len();
        let fields = self.fields.iter().map(|(line, fields)| {
            Problem::new(format!("{fields} fields, but there are {columns} columns"))
                .line(*line)
                .fix("quote fields that contain the separator; see also separator and quote in the project")
        });
        let missing = self.missing.iter().map(|(line, column)| {
            Problem::new(format!("'{}' is missing", table.columns()[*column]))
                .line(*line)
                .column(*column as u64 + 1)
                .fix("state what missing values mean: on_missing = \"drop\", \"value\" or \"unmatched\"")
        });
        let more =
            |n: u64, what: &str| (n > 0).then(|| Problem::new(format!("and {n} more {what}")));
        fields
            .chain(more(self.more_fields, "records with a wrong number of fields"))
            .chain(missing)
            .chain(more(self.more_missing, "missing values"))
            .map(|problem| table.place(problem))
            .collect()
    }
}

/// One thread's counts, in its own codes.
#[derive(Debug)]
pub(crate) struct Worker<T> {
    table: Table,
    plan: Plan,
    gaps: Vec<Gap>,
    /// Whether a watched column names persons, whose gaps matter to no other column.
    persons: bool,
    pub(crate) tally: T,
    pub(crate) values: Vec<Values>,
    codes: Vec<u32>,
    pub(crate) dropped: u64,
    faults: Faults,
    /// The bytes that were added to those of all workers.
    accounted: usize,
}

impl<T: Tally> Visit for Worker<T> {
    /// Codes and counts a record, unless something is wrong with it.
    fn record(&mut self, record: &impl Fields, line: u64) -> Result<(), Error> {
        if record.count() != self.table.columns().len() {
            let Faults { fields, more_fields, .. } = &mut self.faults;
            Faults::keep(fields, more_fields, (line, record.count()));
            return Ok(());
        }
        let missing = &self.plan.missing;
        let gap = self.plan.checked.iter().find(|&&column| missing.is(record.get(column)));
        match (gap, missing.policy) {
            (Some(_), OnMissing::Drop) => {
                self.dropped += 1;
                return Ok(());
            }
            (Some(&column), OnMissing::Error) => {
                let Faults { missing, more_missing, .. } = &mut self.faults;
                Faults::keep(missing, more_missing, (line, column));
                return Ok(());
            }
            _ => {}
        }
        let whole = gap.is_none() && !self.persons;
        let columns = self.plan.coded().zip(&self.gaps);
        for (((column, gap), values), code) in columns.zip(&mut self.values).zip(&mut self.codes) {
            let field = record.get(column);
            *code = if whole {
                values.code(field, line)
            } else {
                values.code(&gap.value(field, missing, line), line)
            };
        }
        self.tally.add(&self.codes, &self.values, line, 1);
        Ok(())
    }
}

impl<T: Tally> Worker<T> {
    pub(crate) fn new(table: &Table, plan: &Plan, tally: T) -> Self {
        let columns = plan.coded().count();
        Self {
            table: table.clone(),
            plan: plan.clone(),
            gaps: plan.gaps(),
            persons: plan.names_persons(),
            tally,
            values: vec![Values::default(); columns],
            codes: vec![0; columns],
            dropped: 0,
            faults: Faults::default(),
            accounted: 0,
        }
    }

    /// An error once all workers together need more bytes than allowed, or this one counted more
    /// records than a cube can. `used` is what all of them need.
    pub(crate) fn check_size(
        &mut self,
        memory: usize,
        used: &AtomicUsize,
        records: u64,
    ) -> Result<(), Error> {
        let file = self.table.input().name();
        if self.tally.records() > records {
            let what = "more than 4 billion records: more than a cube in memory can count";
            return Err(Problem::new(what).file(file).fix("count a part of the table").into());
        }
        let needed = self.bytes();
        let more = needed.saturating_sub(self.accounted);
        self.accounted += more;
        if used.fetch_add(more, Relaxed) + more <= memory {
            return Ok(());
        }
        Err(self.too_large())
    }

    /// The bytes of what was counted, and of the cube and the hierarchies that will be made of it.
    fn bytes(&self) -> usize {
        let counted = self.plan.counted.len();
        let each = |(i, values): (usize, &Values)| {
            values.bytes(if i < counted { COUNTED_VALUE } else { WATCHED_VALUE })
        };
        let values: usize = self.values.iter().enumerate().map(each).sum();
        self.tally.bytes() + self.tally.cells() * self.cell_bytes() + values
    }

    /// The bytes of a cell, by the bits that its codes take.
    fn cell_bytes(&self) -> usize {
        let bits = |values: &Values| usize::BITS - values.dictionary.len().leading_zeros();
        let (counted, watched) = self.values.split_at(self.plan.counted.len());
        let widest = watched.iter().map(bits).max().unwrap_or(0);
        match counted.iter().map(bits).sum::<u32>() + widest {
            0..=64 => 16,
            65..=128 => 32,
            bits => 64 + bits as usize / 8,
        }
    }

    fn too_large(&self) -> Error {
        let most = self.values.iter().zip(self.plan.coded());
        let most = most.max_by_key(|(values, _)| values.dictionary.len());
        let (values, column) = most.map_or((0, 0), |(v, column)| (v.dictionary.len(), column));
        let what = format!(
            "counting the groups of this table needs more memory than allowed; of its columns '{}' has \
             the most different values: {values} or more",
            self.table.columns()[column],
        );
        let fix = "raise the limit with --memory, or choose fewer quasi-identifiers with --qi";
        Problem::new(what).file(self.table.input().name()).fix(fix).into()
    }
}
