//! Counting within the database: only groups and their counts come over the wire.

use haggle_cube::{Counted, Counter, Part};
use haggle_model::{Problem, QuasiIdentifier, Scheme};
use tokio_postgres::Row;

use super::{Database, Session, quoted};
use crate::coding::{Gap, Values};
use crate::overview::Marginals;
use crate::scan::{Tally, Worker, finish, watched_code};
use crate::{Error, Look, OnMissing, Plan, Scanned, Table};

/// A column's value as files would have it: text without blanks around it, nothing if missing.
pub(super) fn field(name: &str) -> String {
    text_of(&quoted(name))
}

/// The same of a column as SQL has it.
pub(super) fn text_of(column: &str) -> String {
    format!("btrim(coalesce({column}::text, ''), E' \\t\\r\\n')")
}

/// The statement's own view of the table: `f0`, `f1` … as they are counted, and whether a value is
/// missing where that matters. `$1` are the marks of missing values, `$2` what stands for them.
struct View<'a> {
    database: &'a Database,
    table: &'a Table,
    plan: &'a Plan,
    /// What follows the table's name.
    sample: String,
}

impl View<'_> {
    fn columns(&self) -> usize {
        self.plan.coded().count()
    }

    fn sql(&self) -> String {
        let name = |column: usize| field(&self.table.columns()[column]);
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
            "SELECT {}, ({gaps}) AS gap, $2::text IS NULL AS never FROM {}{}",
            fields.collect::<Vec<_>>().join(", "),
            self.database.table(),
            self.sample
        )
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

fn check(plan: &Plan, database: &Database) -> Result<(), Error> {
    if plan.missing.policy != OnMissing::Unmatched {
        return Ok(());
    }
    let what = "missing values that match nothing cannot be counted within a database";
    let fix = "choose on_missing = \"drop\" or \"value\", or export the table to a file";
    Err(Problem::new(what).file(database.name()).fix(fix).into())
}

/// Whether some records count; an error if a missing value is one.
fn counts(plan: &Plan, gap: bool, records: i64, database: &Database) -> Result<bool, Error> {
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

/// Takes rows of fields, gap and count into a worker.
struct Taking<'a, T> {
    worker: Worker<T>,
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
        let records = u32::try_from(records).map_err(|_| {
            let what = "more than 4 billion records alike: more than a cube can count";
            Error::from(Problem::new(what).file(self.database.name()))
        })?;
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
    let session = Session::open(database, false)?;
    grouped_by(&session, database, table, plan, memory)
}

/// The same within a session that is open already.
pub(crate) fn grouped_by(
    session: &Session,
    database: &Database,
    table: &Table,
    plan: &Plan,
    memory: usize,
) -> Result<Scanned, Error> {
    check(plan, database)?;
    let view = View { database, table, plan, sample: String::new() };
    let keys: Vec<String> = (1..=view.columns() + 1).map(|i| i.to_string()).collect();
    let sql = format!(
        "SELECT {}, gap, count(*) FROM ({}) q GROUP BY {}",
        view.fields(),
        view.sql(),
        keys.join(", ")
    );
    let counter = Counter::new(plan.counted.len(), plan.watched.len());
    let worker = Worker::new(table, plan, counter);
    let mut taking = Taking { worker, plan, database, rows: 0 };
    let missing = &plan.missing;
    session.for_each(&sql, &[&missing.marks, &missing.label()], &mut |row| {
        taking.take(row, view.columns())?;
        if taking.rows.is_multiple_of(4096) {
            taking.worker.check_size(memory, u64::from(u32::MAX))?;
        }
        Ok(())
    })?;
    finish(vec![taking.worker], table, plan, 0)
}

/// What a cheap look tells: every value counted column by column and some records drawn, or the
/// drawn records alone.
pub(crate) fn look(
    database: &Database,
    table: &Table,
    plan: &Plan,
    (look, size, seed): (Look, usize, u64),
) -> Result<Scanned<Marginals>, Error> {
    check(plan, database)?;
    let session = Session::open(database, false)?;
    let about = session.about()?;
    let columns = plan.coded().count();
    let worker = Worker::new(table, plan, Marginals::new(columns, size, seed));
    let mut taking = Taking { worker, plan, database, rows: 0 };
    let (marks, label) = (&plan.missing.marks, plan.missing.label());
    if look == Look::Whole {
        taking.worker.tally.whole = Some(marginals(&session, &mut taking, table)?);
    }
    // A tenth more than wanted, because blocks are not equally full; all of a small table.
    let share = if about > 0.0 { 110.0 * size as f64 / about } else { 100.0 };
    let sample = format!(" TABLESAMPLE SYSTEM ({:.6}) REPEATABLE ({seed})", share.min(100.0));
    let view = View { database, table, plan, sample };
    let sql = format!("SELECT {}, gap, 1::int8 FROM ({}) q", view.fields(), view.sql());
    session.for_each(&sql, &[marks, &label], &mut |row| taking.take(row, columns))?;
    if look == Look::Sample {
        let share = taking.worker.tally.records() as f64 / taking.rows.max(1) as f64;
        taking.worker.tally.believed = Some((about.max(0.0) * share).round() as u64);
    }
    finish(vec![taking.worker], table, plan, 0)
}

/// How many records have each value, all columns in one scan.
fn marginals(
    session: &Session,
    taking: &mut Taking<'_, Marginals>,
    table: &Table,
) -> Result<(u64, Vec<Vec<u64>>), Error> {
    let Taking { plan, database, .. } = *taking;
    let view = View { database, table, plan, sample: String::new() };
    let columns = view.columns();
    let names: Vec<String> = (0..columns).map(|i| format!("f{i}")).collect();
    let sets: Vec<String> = names.iter().map(|name| format!("({name}, gap)")).collect();
    let sql = format!(
        "SELECT {}, gap, count(*), GROUPING({}) FROM ({}) q GROUP BY GROUPING SETS ({})",
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

/// The groups of a scheme: the values' general codes are joined to the table, and the database
/// groups by them.
pub(crate) fn count(
    database: &Database,
    table: &Table,
    plan: &Plan,
    attributes: &[QuasiIdentifier],
    scheme: &Scheme,
) -> Result<Counted, Error> {
    check(plan, database)?;
    let session = Session::open(database, false)?;
    let view = View { database, table, plan, sample: String::new() };
    let (quasi, columns) = (attributes.len(), view.columns());
    let (mut joins, mut keys, mut maps) = (String::new(), Vec::new(), Vec::new());
    for (i, (attribute, &level)) in attributes.iter().zip(scheme.levels()).enumerate() {
        let hierarchy = &attribute.hierarchy;
        let labels = (0..hierarchy.len(0.into()) as u32).map(|c| hierarchy.label(c, 0.into()));
        let labels: Vec<String> = labels.map(str::to_owned).collect();
        let codes: Vec<i32> = hierarchy.ancestors(level).iter().map(|&c| c.cast_signed()).collect();
        let (a, b) = (3 + 2 * i, 4 + 2 * i);
        joins += &format!(
            " LEFT JOIN unnest(${a}::text[], ${b}::int4[]) AS m{i}(v, c) ON m{i}.v = q.f{i}"
        );
        keys.push(format!("CASE WHEN gap AND {} THEN 0 ELSE m{i}.c END", drops(plan)));
        maps.push((labels, codes));
    }
    keys.extend(
        (quasi..columns)
            .map(|i| format!("CASE WHEN gap AND {} THEN '' ELSE f{i} END", drops(plan))),
    );
    let by: Vec<String> = (1..=columns + 1).map(|i| i.to_string()).collect();
    let sql = format!(
        "SELECT {}, gap, count(*) FROM ({}) q{joins} GROUP BY {}",
        keys.join(", "),
        view.sql(),
        by.join(", ")
    );
    let (marks, label) = (&plan.missing.marks, plan.missing.label());
    let mut parameters: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> = vec![marks, &label];
    for (labels, codes) in &maps {
        parameters.push(labels);
        parameters.push(codes);
    }
    let mut counter = Counter::new(quasi, plan.watched.len());
    let mut values = vec![Values::default(); columns - quasi];
    session.for_each(&sql, &parameters, &mut |row| {
        let (gap, records) = (row.get::<_, bool>(columns), row.get::<_, i64>(columns + 1));
        if !counts(plan, gap, records, database)? {
            return Ok(());
        }
        let mut codes = Vec::with_capacity(columns);
        for (i, attribute) in attributes.iter().enumerate() {
            let code: Option<i32> = row.get(i);
            codes.push(code.ok_or_else(|| unknown(database, &attribute.name))? as u32);
        }
        for (i, values) in values.iter_mut().enumerate() {
            codes.push(values.code(row.get(quasi + i), 1));
        }
        counter.add_many(&codes, records as u32);
        Ok(())
    })?;
    let names = plan.watched.iter().map(|&column| table.columns()[column].clone());
    let watched: Vec<haggle_model::Watched> = names
        .zip(&values)
        .map(|(name, values)| haggle_model::Watched { name, values: values.dictionary.sorted() })
        .collect();
    let domains = attributes.iter().zip(scheme.levels()).map(|(a, &level)| a.hierarchy.len(level));
    let domains: Vec<usize> = domains.collect();
    let own = values.iter().zip(&watched).map(|(values, watched)| {
        let codes = values.dictionary.values();
        codes.filter_map(|value| watched_code(&watched.values, value)).collect()
    });
    let general = domains.iter().map(|&size| (0..size as u32).collect());
    let recode = general.chain(own).collect();
    Ok(Counted::of(&domains, watched, &[Part { counter, recode }]))
}

fn drops(plan: &Plan) -> bool {
    plan.missing.policy != OnMissing::Value
}

/// A value turned up that nobody knew of.
pub(super) fn unknown(database: &Database, attribute: &str) -> Error {
    let what = format!(
        "'{attribute}' has a value that its hierarchy or the summary does not know: the table \
         changed, or its statistics are old"
    );
    let fix = "run ANALYZE on the table or use --summary histogram; add values to the hierarchy";
    Problem::new(what).file(database.name()).fix(fix).into()
}
