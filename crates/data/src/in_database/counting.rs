//! Counting within the database: only groups and their counts come over the wire.

use std::sync::atomic::AtomicUsize;

use haggle_cube::Counter;
use haggle_model::Problem;
use tokio_postgres::Row;

use crate::coding::Gap;
use crate::counting::{CountWorker, Look, Marginals, Plan, Scanned, Tally, finish};
use crate::database::{Database, DatabaseColumn, DatabaseSession, quoted, text_of};
use crate::{Error, OnMissing, Table};

/// Whether values of a type can be grouped by as they are.
fn comparable(kind: &str) -> bool {
    !["json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"].contains(&kind)
}

/// The statement's own view of the table: `f0`, `f1` … as they are counted, and whether a value is
/// missing where that matters. `$1` are the marks of missing values, `$2` their label.
pub(super) struct TableView<'a> {
    pub(super) database: &'a Database,
    pub(super) plan: &'a Plan,
    /// What follows the table's name.
    pub(super) sample: String,
}

impl TableView<'_> {
    pub(super) fn columns(&self) -> usize {
        self.plan.coded().count()
    }

    pub(super) fn sql(&self) -> String {
        let name = |column: usize| text_of(&format!("r{column}"));
        let labelled = |column: usize| {
            let field = name(column);
            format!("CASE WHEN {field} = ANY($1::text[]) THEN $2::text ELSE {field} END")
        };
        let coded = self.plan.coded().zip(self.plan.gaps()).enumerate();
        let fields = coded.map(|(i, (column, gap))| {
            let value = if gap == Gap::Recorded { name(column) } else { labelled(column) };
            format!("{value} AS f{i}")
        });
        let gap = |&column: &usize| format!("{} = ANY($1::text[])", name(column));
        let gaps: Vec<String> = self.plan.checked.iter().map(gap).collect();
        let gaps = if gaps.is_empty() { "false".into() } else { gaps.join(" OR ") };
        format!(
            "SELECT {}, ({gaps}) AS gap, n, $2::text IS NULL AS never FROM ({}) raw",
            fields.collect::<Vec<_>>().join(", "),
            self.raw()
        )
    }

    /// The values as the database has them, counted before they become text: that is done once for
    /// each combination, not for each record. A sample is taken record by record.
    fn raw(&self) -> String {
        let mut columns: Vec<usize> =
            self.plan.coded().chain(self.plan.checked.iter().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        let value = |&column: &usize| {
            let DatabaseColumn { name, kind, .. } = &self.database.catalog()[column];
            let text = if comparable(kind) { "" } else { "::text" };
            format!("{}{text} AS r{column}", quoted(name))
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        let from = format!("FROM {}{}", self.database.table(), self.sample);
        if !self.sample.is_empty() {
            return format!("SELECT {}, 1::int8 AS n {from}", values.join(", "));
        }
        let keys: Vec<String> = (1..=columns.len()).map(|i| i.to_string()).collect();
        format!("SELECT {}, count(*) AS n {from} GROUP BY {}", values.join(", "), keys.join(", "))
    }

    /// `f0, f1, …`; where records with a gap do not count, they are one group.
    fn fields(&self) -> String {
        let one = |i: usize| match self.plan.missing.policy {
            OnMissing::Value => format!("f{i}"),
            _ => format!("CASE WHEN gap THEN '' ELSE f{i} END"),
        };
        (0..self.columns()).map(one).collect::<Vec<_>>().join(", ")
    }
}

pub(super) fn check(plan: &Plan, database: &Database) -> Result<(), Error> {
    if plan.missing.policy != OnMissing::Unmatched {
        return Ok(());
    }
    let what = "missing values that match nothing cannot be counted within a database";
    let fix = "choose on_missing = \"drop\" or \"value\", or export the table to a file";
    Err(Problem::new(what).file(database.name()).fix(fix).into())
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

/// Returns the number of equal records; an error if a cube cannot count them.
pub(super) fn alike(records: i64, database: &Database) -> Result<u32, Error> {
    let what = "more than 4 billion equal records: more than a cube can count";
    u32::try_from(records).map_err(|_| Problem::new(what).file(database.name()).into())
}

/// Takes rows of fields, gap and count into a worker.
struct Taking<'a, T> {
    worker: CountWorker<T>,
    plan: &'a Plan,
    database: &'a Database,
    rows: u64,
}

impl<T: Tally> Taking<'_, T> {
    fn take(&mut self, row: &Row, columns: usize) -> Result<(), Error> {
        let (gap, records) = (row.get::<_, bool>(columns), row.get::<_, i64>(columns + 1));
        self.rows += 1;
        if !counts(self.plan, gap, records, self.database)? {
            self.worker.dropped += records as u64;
            return Ok(());
        }
        let mut codes = Vec::with_capacity(columns);
        for (i, values) in self.worker.values.iter_mut().enumerate() {
            codes.push(values.code(row.get(i), self.rows));
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
) -> Result<Scanned, Error> {
    let counter = Counter::new(plan.counted.len(), plan.watched.len());
    grouped_into(database, table, plan, memory, counter)
}

/// The same, with anything that takes groups.
pub(crate) fn grouped_into<T: Tally>(
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
    tally: T,
) -> Result<Scanned<T>, Error> {
    let session = DatabaseSession::open(database, false)?;
    grouped_by(&session, database, table, plan, memory, tally)
}

/// The same within a session that is open already.
pub(crate) fn grouped_by<T: Tally>(
    session: &DatabaseSession,
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
    tally: T,
) -> Result<Scanned<T>, Error> {
    check(plan, database)?;
    let view = TableView { database, plan, sample: String::new() };
    let keys: Vec<String> = (1..=view.columns() + 1).map(|i| i.to_string()).collect();
    let sql = format!(
        "SELECT {}, gap, sum(n)::int8 FROM ({}) q GROUP BY {}",
        view.fields(),
        view.sql(),
        keys.join(", ")
    );
    let worker = CountWorker::new(table, plan, tally);
    let mut taking = Taking { worker, plan, database, rows: 0 };
    let (missing, used) = (&plan.missing, AtomicUsize::new(0));
    session.for_each(&sql, &[&missing.marks, &missing.label()], &mut |row| {
        taking.take(row, view.columns())?;
        if taking.rows.is_multiple_of(4096) {
            taking.worker.check_size(memory, &used, u64::from(u32::MAX))?;
        }
        Ok(())
    })?;
    finish(vec![taking.worker], table, plan, 0)
}

/// Reads an overview: every value counted column by column and some records drawn, or the drawn
/// records alone.
pub(crate) fn look(
    database: &Database,
    table: &Table,
    plan: &Plan,
    (look, size, seed): (Look, usize, u64),
) -> Result<Scanned<Marginals>, Error> {
    check(plan, database)?;
    let session = DatabaseSession::open(database, false)?;
    let about = session.about()?;
    let columns = plan.coded().count();
    let worker = CountWorker::new(table, plan, Marginals::new(columns, size, seed));
    let mut taking = Taking { worker, plan, database, rows: 0 };
    let (marks, label) = (&plan.missing.marks, plan.missing.label());
    if look == Look::Whole {
        taking.worker.tally.whole = Some(marginals(&session, &mut taking)?);
    }
    // A tenth more than wanted, because blocks are not equally full; all of a small table.
    let share = if about > 0.0 { 110.0 * size as f64 / about } else { 100.0 };
    let sample = format!(" TABLESAMPLE SYSTEM ({:.6}) REPEATABLE ({seed})", share.min(100.0));
    let view = TableView { database, plan, sample };
    let sql = format!("SELECT {}, gap, n FROM ({}) q", view.fields(), view.sql());
    session.for_each(&sql, &[marks, &label], &mut |row| taking.take(row, columns))?;
    if look == Look::Sample {
        let share = taking.worker.tally.records() as f64 / taking.rows.max(1) as f64;
        taking.worker.tally.believed = Some((about.max(0.0) * share).round() as u64);
    }
    finish(vec![taking.worker], table, plan, 0)
}

/// How many records have each value, all columns in one scan.
fn marginals(
    session: &DatabaseSession,
    taking: &mut Taking<'_, Marginals>,
) -> Result<(u64, Vec<Vec<u64>>), Error> {
    let Taking { plan, database, .. } = *taking;
    let view = TableView { database, plan, sample: String::new() };
    let columns = view.columns();
    let names: Vec<String> = (0..columns).map(|i| format!("f{i}")).collect();
    let sets: Vec<String> = names.iter().map(|name| format!("({name}, gap)")).collect();
    let sql = format!(
        "SELECT {}, gap, sum(n)::int8, GROUPING({}) FROM ({}) q GROUP BY GROUPING SETS ({})",
        names.join(", "),
        names.join(", "),
        view.sql(),
        sets.join(", ")
    );
    let mut counts: Vec<Vec<u64>> = vec![Vec::new(); columns];
    let mut records = vec![0_u64; columns];
    let missing = &plan.missing;
    let values = &mut taking.worker.values;
    session.for_each(&sql, &[&missing.marks, &missing.label()], &mut |row| {
        let (gap, n) = (row.get::<_, bool>(columns), row.get::<_, i64>(columns + 1));
        let grouping: i32 = row.get(columns + 2);
        let column = (0..columns).find(|i| grouping >> (columns - 1 - i) & 1 == 0).unwrap_or(0);
        if !self::counts(plan, gap, n, database)? {
            return Ok(());
        }
        let code = values[column].code(row.get(column), 1) as usize;
        if counts[column].len() <= code {
            counts[column].resize(code + 1, 0);
        }
        counts[column][code] += n as u64;
        records[column] += n as u64;
        Ok(())
    })?;
    Ok((records.first().copied().unwrap_or(0), counts))
}
