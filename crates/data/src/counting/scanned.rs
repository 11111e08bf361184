//! What a scan found, gathered from its workers.

use haggle_cube::{CountedPart, Counter, Cube};
use haggle_model::{Dictionary, Problem, Problems, QuasiIdentifier, UNKNOWN, Watched};

use super::faults::Faults;
use super::plan::Plan;
use super::tally::Tally;
use super::worker::CountWorker;
use crate::coding::Values;
use crate::delimited::empty;
use crate::{Error, Table};

/// What a scan found: counts in codes of its own, and their values.
#[derive(Debug)]
pub struct Scanned<T = Counter> {
    pub(crate) workers: Vec<CountWorker<T>>,
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
        Cube::from_parts(attributes, watched, &parts)
    }

    /// Returns what was counted. `code` maps a value to its code, by position among the counted and
    /// then the watched columns.
    pub fn into_parts(self, code: impl Fn(usize, &str) -> u32) -> Vec<CountedPart> {
        let part = |worker: CountWorker<Counter>| {
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
    /// Builds a result from values that are known without a scan: of the counted columns, then of
    /// the watched ones, with their names.
    pub fn known(values: Vec<Values>, watched: Vec<String>) -> Self {
        Self { workers: Vec::new(), values, digest: 0, watched }
    }
}

/// The code of a watched value; no value has the code after the last, as the cube has it.
pub(crate) fn watched_code(values: &Dictionary, value: &str) -> Option<u32> {
    if value == UNKNOWN { Some(values.len() as u32) } else { values.code(value) }
}

/// What was counted, if anything was left to count.
pub(crate) fn some_left<T: Tally>(scanned: Scanned<T>, table: &Table) -> Result<Scanned<T>, Error> {
    if scanned.workers.iter().any(|worker| worker.tally.records() > 0) {
        return Ok(scanned);
    }
    let what = "every record has a missing value, so none is left";
    let fix = "check the marks in `missing`, or let missing be a value: on_missing = \"value\"";
    Err(Problem::new(what).file(table.input().name()).fix(fix).into())
}

/// What some workers counted, if any record is left.
pub(crate) fn finish<T: Tally>(
    workers: Vec<CountWorker<T>>,
    table: &Table,
    plan: &Plan,
    digest: u64,
) -> Result<Scanned<T>, Error> {
    some_left(gather(workers, table, plan, digest)?, table)
}

pub(crate) fn gather<T: Tally>(
    mut workers: Vec<CountWorker<T>>,
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
