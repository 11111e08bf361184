//! Counting within the database: only groups and their counts come over the wire.

use std::sync::atomic::AtomicUsize;

use haggle_cube::Counter;
use haggle_model::{ErrorKind, Problem, Progress};
use haggle_sql::{Access, CodedColumn, CountQuery, Database, SqlEngine, SqlRow};

use crate::coding::Gap;
use crate::counting::{CountWorker, Look, Marginals, Plan, RecordCount, Scanned, Tally, finish};
use crate::{Error, OnMissing, Table};

/// PostgreSQL says of at most so many columns which ones a grouping set leaves out.
const MOST_GROUPED: usize = 31;

/// What a plan counts of a table.
pub(super) fn query<'a>(database: &'a Database, plan: &'a Plan) -> CountQuery<'a> {
    let coded = plan.coded().zip(plan.gaps());
    let coded =
        coded.map(|(column, gap)| CodedColumn { column, is_labelled: gap != Gap::Recorded });
    CountQuery {
        sql: database.sql(),
        source: database.source(),
        columns: database.columns(),
        coded: coded.collect(),
        checked: &plan.checked,
        marks: &plan.missing.marks,
        label: plan.missing.label(),
        merges_gaps: plan.missing.policy != OnMissing::Value,
    }
}

pub(super) fn check(plan: &Plan, database: &Database) -> Result<(), Error> {
    if plan.missing.policy != OnMissing::Unmatched {
        return Ok(());
    }
    let what = "missing values that match nothing cannot be counted within a database: each would be \
                a group of its own, known by its line, and records of a database have no lines";
    let fix = "choose on_missing = \"drop\" or \"value\", or export the table to a file";
    Err(Problem::new(what).of_kind(ErrorKind::Unsupported).file(database.name()).fix(fix).into())
}

/// Whether some records count; an error if a missing value is one.
pub(super) fn counts(
    plan: &Plan,
    gap: bool,
    records: i64,
    database: &Database,
) -> Result<bool, Error> {
    match (gap, plan.missing.policy) {
        (true, OnMissing::Error) => {
            let what = format!("a value is missing in {records} records");
            let fix = "state what missing values mean: on_missing = \"drop\" or \"value\"";
            Err(Problem::new(what).file(database.name()).fix(fix).into())
        }
        (true, OnMissing::Drop) => Ok(false),
        _ => Ok(true),
    }
}

/// Returns the number of equal records; an error if the database reports less than none.
pub(super) fn alike(records: i64, database: &Database) -> Result<u64, Error> {
    let what = || format!("the database counted {records} equal records");
    u64::try_from(records).map_err(|_| Problem::new(what()).file(database.name()).into())
}

/// Takes rows of fields, gap and count into a worker.
struct RowCounter<'a, T> {
    worker: CountWorker<T>,
    plan: &'a Plan,
    database: &'a Database,
    rows: u64,
}

impl<T: Tally> RowCounter<'_, T> {
    fn take(&mut self, row: &dyn SqlRow, columns: usize) -> Result<(), Error> {
        let (gap, records) = (row.boolean(columns), row.integer(columns + 1).unwrap_or(0));
        self.rows += 1;
        if !counts(self.plan, gap, records, self.database)? {
            self.worker.dropped += records as u64;
            return Ok(());
        }
        let mut codes = Vec::with_capacity(columns);
        for (i, values) in self.worker.values.iter_mut().enumerate() {
            codes.push(values.code(row.text(i).unwrap_or_default(), self.rows));
        }
        let records = alike(records, self.database)?;
        self.worker.tally.add(&codes, &self.worker.values, self.rows, records);
        Ok(())
    }
}

/// The groups of the base scheme, counted by the database.
pub(crate) fn grouped(
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Scanned, Error> {
    let counter = Counter::new(plan.counted.len(), plan.watched.len());
    grouped_into(database, table, plan, memory, progress, counter)
}

/// Counts the groups of the base scheme in the database, into anything that takes groups.
pub(crate) fn grouped_into<T: Tally>(
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
    tally: T,
) -> Result<Scanned<T>, Error> {
    let session = database.session(Access::Reads, progress)?;
    grouped_by(session.as_ref(), database, table, plan, memory, tally)
}

/// Counts the groups of the base scheme within a session that is already open.
pub(crate) fn grouped_by<T: Tally>(
    session: &dyn SqlEngine,
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
    tally: T,
) -> Result<Scanned<T>, Error> {
    check(plan, database)?;
    let query = query(database, plan);
    let columns = query.coded.len();
    let worker = CountWorker::new(table, plan, tally);
    let mut counter = RowCounter { worker, plan, database, rows: 0 };
    let used = AtomicUsize::new(0);
    session.for_each(&query.groups(), &mut |row| {
        counter.take(row, columns)?;
        if counter.rows.is_multiple_of(4096) {
            counter.worker.check_size(memory, &used)?;
        }
        Ok(())
    })?;
    finish(vec![counter.worker], table, plan, 0)
}

/// Reads an overview: every value counted column by column and some records drawn, or the drawn
/// records alone.
pub(crate) fn look(
    database: &Database,
    table: &Table,
    plan: &Plan,
    (look, size, seed): (Look, usize, u64),
    progress: &dyn Progress,
) -> Result<Scanned<Marginals>, Error> {
    check(plan, database)?;
    let session = database.session(Access::Reads, progress)?;
    let about = session.estimate(database.source())?.unwrap_or(0.0);
    let query = query(database, plan);
    let columns = query.coded.len();
    let worker = CountWorker::new(table, plan, Marginals::new(columns, size, seed));
    let mut counter = RowCounter { worker, plan, database, rows: 0 };
    if look == Look::Whole {
        counter.worker.tally.whole = Some(marginals(session.as_ref(), &query, &mut counter)?);
    }
    // A tenth more than wanted, because blocks are not equally full; all of a small table.
    let share = if about > 0.0 { 110.0 * size as f64 / about } else { 100.0 };
    let sample = session.dialect().sample(share.min(100.0), seed);
    session.for_each(&query.records(&sample), &mut |row| counter.take(row, columns))?;
    if look == Look::Sample {
        let share = counter.worker.tally.records() as f64 / counter.rows.max(1) as f64;
        counter.worker.tally.believed = Some((about * share).round() as u64);
    }
    finish(vec![counter.worker], table, plan, 0)
}

/// The values of every column and the number of records, in one scan; groups stay in the database.
pub(crate) fn values(
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
    progress: &dyn Progress,
) -> Result<Scanned<RecordCount>, Error> {
    let query = query(database, plan);
    if !(1..=MOST_GROUPED).contains(&query.coded.len()) {
        let tally = RecordCount::default();
        return grouped_into(database, table, plan, memory, progress, tally);
    }
    check(plan, database)?;
    let session = database.session(Access::Reads, progress)?;
    let mut worker = CountWorker::new(table, plan, RecordCount::default());
    let (used, mut rows) = (AtomicUsize::new(0), 0_u64);
    for_each_value(session.as_ref(), &query, plan, database, |column, value, records| {
        rows += 1;
        match value {
            Some(value) => {
                worker.values[column].code(value, rows);
            }
            None if column == 0 => worker.dropped += records,
            None => {}
        }
        if column == 0 && value.is_some() {
            worker.tally.add(&[], &[], rows, records);
        }
        if rows.is_multiple_of(4096) { worker.check_size(memory, &used) } else { Ok(()) }
    })?;
    finish(vec![worker], table, plan, 0)
}

/// How many records have each value, all columns in one scan.
fn marginals(
    session: &dyn SqlEngine,
    query: &CountQuery<'_>,
    counter: &mut RowCounter<'_, Marginals>,
) -> Result<(u64, Vec<Vec<u64>>), Error> {
    let RowCounter { plan, database, .. } = *counter;
    let columns = query.coded.len();
    let mut counts: Vec<Vec<u64>> = vec![Vec::new(); columns];
    let mut records = vec![0_u64; columns];
    let values = &mut counter.worker.values;
    for_each_value(session, query, plan, database, |column, value, n| {
        let Some(value) = value else { return Ok(()) };
        let code = values[column].code(value, 1) as usize;
        if counts[column].len() <= code {
            counts[column].resize(code + 1, 0);
        }
        counts[column][code] += n;
        records[column] += n;
        Ok(())
    })?;
    Ok((records.first().copied().unwrap_or(0), counts))
}

/// Calls `visit` with the position of a column, each of its values and the records that have it; without
/// a value for records that do not count.
fn for_each_value(
    session: &dyn SqlEngine,
    query: &CountQuery<'_>,
    plan: &Plan,
    database: &Database,
    mut visit: impl FnMut(usize, Option<&str>, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let columns = query.coded.len();
    session.for_each(&query.marginals(), &mut |row| {
        let (gap, n) = (row.boolean(columns), row.integer(columns + 1).unwrap_or(0));
        let grouping = row.integer(columns + 2).unwrap_or(0);
        let column = (0..columns).find(|i| grouping >> (columns - 1 - i) & 1 == 0).unwrap_or(0);
        let counts = counts(plan, gap, n, database)?;
        let value = counts.then(|| row.text(column).unwrap_or_default());
        visit(column, value, alike(n, database)?)
    })
}
