//! One pass over a table: records cut into blocks, coded and counted by all cores.

use std::sync::atomic::AtomicUsize;

use haggle_cube::Counter;
use haggle_model::Progress;

use crate::counting::{CountWorker, Plan, RecordCount, Scanned, Tally, gather, some_left};
use crate::records::Reading;
use crate::{Error, Table, in_database};

/// Reads the table once. `memory` bounds in bytes what is counted and what a cube of it will take;
/// `progress` receives the number of bytes read, and can stop it.
pub fn scan(
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Scanned, Error> {
    if let Some(database) = table.database() {
        return in_database::grouped(database, table, plan, memory, progress);
    }
    let counter = || Counter::new(plan.counted.len(), plan.watched.len());
    scan_into(table, plan, memory, progress, &counter)
}

/// Reads records that are added to a table or deleted from it: it is not an error if none is left.
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
        Some(database) => in_database::values(database, table, plan, memory, progress),
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
    let columns = plan.coded().chain(plan.checked.iter().copied());
    let reading = Reading::open(table, columns, progress)?;
    let threads = rayon::current_num_threads();
    let used = AtomicUsize::new(0);
    let work = || -> Result<CountWorker<T>, Fault> {
        let mut worker = CountWorker::new(table, plan, tally());
        while let Some(block) = reading.next().map_err(|error| (u64::MAX, error))? {
            let wanted = progress.step(block.bytes()).is_continue();
            let counted = if wanted { block.visit(&mut worker) } else { Err(Error::cancelled()) };
            let counted = counted.and_then(|()| worker.check_size(memory, &used));
            counted.map_err(|error| (block.number(), error))?;
        }
        Ok(worker)
    };
    let workers: Vec<Result<CountWorker<T>, Fault>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("a worker does not panic")).collect()
    });
    gather(all_or_first_fault(workers)?, table, plan, reading.digest())
}

/// Why a worker stopped, and at which block.
type Fault = (u64, Error);

/// Returns the workers, or the fault that comes first in the table.
fn all_or_first_fault<T>(
    workers: Vec<Result<CountWorker<T>, Fault>>,
) -> Result<Vec<CountWorker<T>>, Error> {
    let (sound, faulty): (Vec<_>, Vec<_>) = workers.into_iter().partition(Result::is_ok);
    match faulty.into_iter().filter_map(Result::err).min_by_key(|(block, _)| *block) {
        Some((_, first)) => Err(first),
        None => Ok(sound.into_iter().flatten().collect()),
    }
}
