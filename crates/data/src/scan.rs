//! One pass over a table: records cut into blocks, coded and counted by all cores.

use std::sync::Mutex;

use haggle_cube::{Counter, Cube, Part};
use haggle_model::{Problem, Problems, QuasiIdentifier, Watched};

use crate::blocks::{Block, Blocks};
use crate::coding::{Missing, OnMissing, Values};
use crate::table::{BOM, empty};
use crate::{Error, Table};

/// Problems of one kind are spelled out this often; then they are only counted.
const SPELLED_OUT: usize = 5;

/// What to count, by column.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The quasi-identifiers to count by.
    pub counted: Vec<usize>,
    /// The attributes whose values are counted within each group.
    pub watched: Vec<usize>,
    /// Every column in which a missing value matters.
    pub checked: Vec<usize>,
    /// What counts as missing, and what then.
    pub missing: Missing,
}

impl Plan {
    fn coded(&self) -> impl Iterator<Item = usize> {
        self.counted.iter().chain(&self.watched).copied()
    }
}

/// What a scan found: counts in codes of its own, and the values they stand for.
#[derive(Debug)]
pub struct Scanned {
    workers: Vec<Worker>,
    values: Vec<Values>,
    digest: u64,
    watched: Vec<String>,
}

impl Scanned {
    /// The values of the column at this position among the counted and then the watched ones.
    pub fn values(&self, position: usize) -> &Values {
        &self.values[position]
    }

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
        self.workers.iter().map(|worker| worker.counter.records()).sum()
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
        let Values { dictionary, first_line } = &self.values[position];
        let known = |value: &str| attribute.hierarchy.code(value).is_some();
        dictionary.values().zip(first_line.iter().copied()).filter(move |(value, _)| !known(value))
    }

    /// The cube over these hierarchies, which must cover every value that was counted.
    pub fn into_cube(self, attributes: Vec<QuasiIdentifier>) -> Cube {
        let values = self.values[attributes.len()..].iter().map(|values| values.dictionary.clone());
        let watched: Vec<Watched> = self
            .watched
            .into_iter()
            .zip(values)
            .map(|(name, values)| Watched { name, values })
            .collect();
        let part = |worker: Worker| {
            let meaning = |(i, values): (usize, &Values)| {
                let code = |value: &str| match attributes.get(i) {
                    Some(attribute) => attribute.hierarchy.code(value),
                    None => watched[i - attributes.len()].values.code(value),
                };
                values
                    .dictionary
                    .values()
                    .map(|v| code(v).expect("every value is covered"))
                    .collect()
            };
            let recode = worker.values.iter().enumerate().map(meaning).collect();
            Part { counter: worker.counter, recode }
        };
        let parts: Vec<Part> = self.workers.into_iter().map(part).collect();
        Cube::of(attributes, watched, &parts)
    }
}

/// Reads the table once. `memory` bounds the counts in bytes; `progress` is told of bytes read.
pub fn scan(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Scanned, Error> {
    let (reader, digest) = table.input().open()?;
    let blocks = Mutex::new(Blocks::new(reader, table.dialect()));
    let threads = rayon::current_num_threads();
    let work = || -> Result<Worker, Error> {
        let mut worker = Worker::new(table, plan);
        loop {
            let next = blocks.lock().expect("no worker panicked").next();
            let Some(block) = next.map_err(Error::io(table.input().name()))? else { break };
            progress(block.bytes.len());
            worker.read(block)?;
            worker.check_size(memory / threads, u64::from(u32::MAX) / threads as u64)?;
        }
        Ok(worker)
    };
    let workers: Result<Vec<Worker>, Error> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("a worker does not panic")).collect()
    });
    finish(workers?, table, plan, digest.value())
}

fn finish(
    mut workers: Vec<Worker>,
    table: &Table,
    plan: &Plan,
    digest: u64,
) -> Result<Scanned, Error> {
    let problems =
        Faults::union(workers.iter_mut().map(|worker| std::mem::take(&mut worker.faults)));
    Problems::check(problems.into_problems(table))?;
    if workers.iter().all(|worker| worker.counter.records() + worker.dropped == 0) {
        return Err(empty(table.input()));
    }
    if workers.iter().all(|worker| worker.counter.records() == 0) {
        let what = "every record has a missing value, so none is left";
        let fix = "check the marks in `missing`, or let missing be a value: on_missing = \"value\"";
        return Err(Problem::new(what).file(table.input().name()).fix(fix).into());
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
        let file = table.input().name();
        let columns = table.columns().len();
        let fields = self.fields.iter().map(|(line, fields)| {
            Problem::new(format!("{fields} fields, but there are {columns} columns"))
                .file(file)
                .line(*line)
                .fix("quote fields that contain the separator; see also separator and quote in the project")
        });
        let missing = self.missing.iter().map(|(line, column)| {
            Problem::new(format!("'{}' is missing", table.columns()[*column]))
                .file(file)
                .line(*line)
                .column(*column as u64 + 1)
                .fix("state what missing values mean: on_missing = \"drop\" or \"value\"")
        });
        let more = |n: u64, what: &str| {
            (n > 0).then(|| Problem::new(format!("and {n} more {what}")).file(file))
        };
        fields
            .chain(more(self.more_fields, "records with a wrong number of fields"))
            .chain(missing)
            .chain(more(self.more_missing, "missing values"))
            .collect()
    }
}

/// One thread's counts, in its own codes.
#[derive(Debug)]
struct Worker {
    table: Table,
    plan: Plan,
    counter: Counter,
    values: Vec<Values>,
    codes: Vec<u32>,
    dropped: u64,
    faults: Faults,
}

impl Worker {
    fn new(table: &Table, plan: &Plan) -> Self {
        let columns = plan.coded().count();
        Self {
            table: table.clone(),
            plan: plan.clone(),
            counter: Counter::new(plan.counted.len(), plan.watched.len()),
            values: vec![Values::default(); columns],
            codes: vec![0; columns],
            dropped: 0,
            faults: Faults::default(),
        }
    }

    /// Codes and counts the records of a block.
    fn read(&mut self, block: Block) -> Result<(), Error> {
        let Block { bytes, line } = block;
        let text = self.text(&bytes, line)?;
        let mut reader = self.table.dialect().reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        let mut header = line == 1 && self.table.has_header();
        while reader.read_record(&mut record).map_err(|error| self.unreadable(&error, line))? {
            if !std::mem::take(&mut header) {
                let at = line - 1 + record.position().map_or(1, csv::Position::line);
                self.record(&record, at);
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &csv::StringRecord, line: u64) {
        if record.len() != self.table.columns().len() {
            let Faults { fields, more_fields, .. } = &mut self.faults;
            return Faults::keep(fields, more_fields, (line, record.len()));
        }
        let missing = &self.plan.missing;
        let gap = self.plan.checked.iter().find(|&&column| missing.is(record[column].trim()));
        match (gap, missing.policy) {
            (Some(_), OnMissing::Drop) => return self.dropped += 1,
            (Some(&column), OnMissing::Error) => {
                let Faults { missing, more_missing, .. } = &mut self.faults;
                return Faults::keep(missing, more_missing, (line, column));
            }
            _ => {}
        }
        let label = missing.label();
        for ((column, values), code) in self.plan.coded().zip(&mut self.values).zip(&mut self.codes)
        {
            let field = record[column].trim();
            let value = if gap.is_some() && missing.is(field) { label } else { field };
            *code = values.code(value, line);
        }
        self.counter.add(&self.codes);
    }

    /// The block as text without a byte-order mark; NUL and broken UTF-8 are refused.
    fn text<'a>(&self, bytes: &'a [u8], line: u64) -> Result<&'a str, Error> {
        let bytes = if line == 1 { bytes.strip_prefix(BOM).unwrap_or(bytes) } else { bytes };
        let line_of = |at: usize| line + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
        let file = self.table.input().name();
        if let Some(at) = memchr::memchr(0, bytes) {
            return Err(Problem::new("a NUL byte: this is not text, or it is damaged")
                .file(file)
                .line(line_of(at))
                .fix("export the table again as UTF-8 text")
                .into());
        }
        std::str::from_utf8(bytes).map_err(|error| {
            Problem::new("not valid UTF-8")
                .file(file)
                .line(line_of(error.valid_up_to()))
                .fix("convert the file, e.g. iconv -f WINDOWS-1252 -t UTF-8 IN > OUT")
                .into()
        })
    }

    fn unreadable(&self, error: &csv::Error, line: u64) -> Error {
        let at = line - 1 + error.position().map_or(1, csv::Position::line);
        Problem::new("this record cannot be read").file(self.table.input().name()).line(at).into()
    }

    fn check_size(&self, bytes: usize, records: u64) -> Result<(), Error> {
        let file = self.table.input().name();
        if self.counter.records() > records {
            let what = "more than 4 billion records: more than a cube in memory can count";
            return Err(Problem::new(what).file(file).fix("count a part of the table").into());
        }
        if self.counter.bytes() <= bytes {
            return Ok(());
        }
        let what = "counting the groups of this table needs more memory than allowed";
        let fix = "raise the limit with --memory, or choose fewer quasi-identifiers with --qi";
        Err(Problem::new(what).file(file).fix(fix).into())
    }
}
