//! One thread of a scan: codes records and counts them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use haggle_model::{ErrorKind, Problem, Remedy};

use super::faults::Faults;
use super::plan::Plan;
use super::tally::Tally;
use crate::coding::{Gap, OnMissing, Values};
use crate::fields::{Fields, Visit};
use crate::{Error, Table};

/// The bytes that a value of a counted column takes in addition to its text: in the threads'
/// dictionaries, in that of all, and in the hierarchy that is made of it.
const COUNTED_VALUE: usize = 450;
/// The bytes that a value of a watched column takes in addition to its text; it has no hierarchy.
const WATCHED_VALUE: usize = 150;

/// The cells of all workers together are numbered in 32 bits; some are left for what is counted
/// between two checks.
const MOST_CELLS: usize = 1 << 31;

/// One thread's counts, in its own codes.
#[derive(Debug)]
pub(crate) struct CountWorker<T> {
    table: Table,
    plan: Plan,
    gaps: Vec<Gap>,
    /// Whether a watched column names persons, whose gaps matter to no other column.
    persons: bool,
    pub(crate) tally: T,
    pub(crate) values: Vec<Values>,
    codes: Vec<u32>,
    pub(crate) dropped: u64,
    pub(super) faults: Faults,
    /// The bytes that were added to those of all workers.
    accounted: usize,
}

impl<T: Tally> Visit for CountWorker<T> {
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

impl<T: Tally> CountWorker<T> {
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

    /// An error once all workers together need more bytes than allowed, or this one has more cells
    /// than its share. `used` is what all of them need.
    pub(crate) fn check_size(&mut self, memory: usize, used: &AtomicUsize) -> Result<(), Error> {
        let needed = self.bytes();
        let more = needed.saturating_sub(self.accounted);
        self.accounted += more;
        let fits = used.fetch_add(more, Relaxed) + more <= memory;
        if fits && self.tally.cells() <= MOST_CELLS / rayon::current_num_threads() {
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
        let (values, most) = self.most_values(self.values.len());
        let (_, counted) = self.most_values(self.plan.counted.len());
        let what = format!(
            "counting the groups of this table needs more memory than allowed; of its columns '{most}' \
             has the most different values: {values} or more"
        );
        let fix = Remedy::RaiseMemory(format!(
            "choose fewer quasi-identifiers, or count from higher levels, such as level 1 of \
             '{counted}'"
        ));
        let problem = Problem::new(what).of_kind(ErrorKind::OutOfMemory);
        problem.file(self.table.input().name()).fix(fix).into()
    }

    /// Returns the most different values of a column among the first so many that are coded, and
    /// its name.
    fn most_values(&self, coded: usize) -> (usize, &str) {
        let columns = self.values.iter().zip(self.plan.coded()).take(coded);
        let most = columns.max_by_key(|(values, _)| values.dictionary.len());
        most.map_or((0, ""), |(values, column)| {
            (values.dictionary.len(), self.table.columns()[column].as_str())
        })
    }
}
