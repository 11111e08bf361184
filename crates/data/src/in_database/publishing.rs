//! Publishing within the database: mapping tables joined to the table, all in one transaction that
//! is committed only once what was written has been proved. Values that are recoded on their own have a
//! mapping each; where they depend on each other, their recorded codes lead to a table of combinations.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use haggle_cube::Counter;
use haggle_model::{ANY, Problem, Recoder};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::counting::grouped_by;
use super::scheme::unknown;
use crate::counting::{Plan, Scanned};
use crate::database::{Database, DatabaseSession, qualified, quoted, text_of};
use crate::{Error, Input, OnMissing, PublishedColumns, RecordRecoding, Suppress, Table};
use haggle_output::Event;

/// A publication into a table of the same database.
#[derive(Debug)]
pub struct InDatabase<'a> {
    /// What is published.
    pub publication: &'a RecordRecoding<'a>,
    /// The names of the published columns.
    pub names: &'a [String],
    /// The table to be made.
    pub target: &'a str,
    /// Whether records are put into a random order.
    pub shuffled: bool,
}

/// A table that was written and can still be rolled back: it is not visible to others before it is
/// committed, and dropping it leaves nothing behind.
pub struct TableDraft {
    session: DatabaseSession,
    written: u64,
    table: Table,
    name: PathBuf,
}

impl TableDraft {
    /// Writes the table of a publication.
    pub fn write(table: &Table, what: &InDatabase<'_>) -> Result<Self, Error> {
        let Some(database) = table.database() else {
            let problem = Problem::new("the data is not in a database").file(table.input().name());
            return Err(problem.fix("publish into a file instead").into());
        };
        let target = qualified(what.target).ok_or_else(|| {
            Problem::new("this is not a name of a table")
                .fix("write schema.name, such as public.adult_k10")
        })?;
        let session = DatabaseSession::open(database, true)?;
        if let Some(begin) = database.begin_snapshot() {
            session.run(begin)?;
        }
        prepare(&session, what.publication)?;
        let sql = format!("CREATE TABLE {target} AS {}", select(database, table, what));
        let written = session.execute(&sql, &[])?;
        check(&session, &target, what, database)?;
        let seen = database.with_table(target, Vec::new());
        let columns = session.columns_of(&seen)?;
        let seen = database.with_table(seen.table().to_owned(), columns);
        let table = Table::open(Input::database(seen), &crate::CsvOptions::default())?;
        Ok(Self { session, written, name: database.name().to_owned(), table })
    }

    /// How many records were written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The written table; only [`scan`](Self::scan) can read it yet.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Counts what was written, as the transaction sees it.
    pub fn scan(&self, plan: &Plan, memory: usize) -> Result<Scanned, Error> {
        let database = self.table.database().expect("a draft is in a database");
        let counter = Counter::new(plan.counted.len(), plan.watched.len());
        grouped_by(&self.session, database, &self.table, plan, memory, counter)
    }

    /// Returns how many of its records are unique over these columns.
    pub fn unique(&self, columns: &[String]) -> Result<u64, Error> {
        let database = self.table.database().expect("a draft is in a database");
        let columns: Vec<String> = columns.iter().map(|name| text_of(&quoted(name))).collect();
        let sql = format!(
            "SELECT count(*) FROM (SELECT 1 FROM {} GROUP BY {} HAVING count(*) = 1) alone",
            database.table(),
            columns.join(", ")
        );
        let rows = self.session.rows(&sql, &[])?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    }

    /// Returns an event by which [`Database::happened`] can later decide whether this draft was
    /// committed.
    pub fn event(&self) -> Result<String, Error> {
        let sql = "SELECT txid_current(), $1::text::regclass::oid";
        let table = self.table.database().expect("a draft is in a database").table();
        let rows = self.session.rows(sql, &[&table])?;
        let event = CommitEvent { transaction: rows[0].get(0), table: rows[0].get(1) };
        Ok(serde_json::to_string(&event).expect("numbers can be written"))
    }

    /// Makes the table visible to all.
    pub fn commit(self) -> Result<(), Error> {
        self.session.run("COMMIT")
    }
}

/// How long a server may take to end the transaction of a client that died.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A transaction of the database and the table that it makes.
#[derive(Debug, Serialize, Deserialize)]
struct CommitEvent {
    transaction: i64,
    table: u32,
}

impl Database {
    /// Whether a draft of this database was committed. The server forgets transactions in time;
    /// then the draft was committed if its table is there.
    pub fn happened(&self, event: &str) -> Result<Event, Error> {
        let Ok(CommitEvent { transaction, table }) = serde_json::from_str(event) else {
            return Ok(Event::Unknown);
        };
        let session = DatabaseSession::open(self, false)?;
        let start = Instant::now();
        loop {
            let event = look_up(&session, transaction, table)?;
            if event != Event::Unknown || start.elapsed() > COMMIT_TIMEOUT {
                return Ok(event);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Asks the server once.
fn look_up(session: &DatabaseSession, transaction: i64, table: u32) -> Result<Event, Error> {
    let sql = "SELECT CASE WHEN $1 < txid_snapshot_xmax(txid_current_snapshot()) \
               THEN txid_status($1) END, EXISTS (SELECT FROM pg_class WHERE oid = $2)";
    let rows = session.rows(sql, &[&transaction, &table])?;
    Ok(match (rows[0].get::<_, Option<&str>>(0), rows[0].get(1)) {
        (Some("committed"), _) | (None, true) => Event::Happened,
        (Some("in progress"), _) => Event::Unknown,
        _ => Event::Failed,
    })
}

impl std::fmt::Debug for TableDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Draft").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The mapping tables and the failing groups, as temporary tables of this transaction.
fn prepare(session: &DatabaseSession, publication: &RecordRecoding<'_>) -> Result<(), Error> {
    let recoder = &publication.recoder;
    for position in 0..recoder.attributes() {
        let (values, codes, labels) = mapping(recoder, position);
        let name = format!("pg_temp.haggle_map_{position}");
        session.run(&format!(
            "CREATE TEMPORARY TABLE haggle_map_{position} (v text, c int4, label text) ON COMMIT DROP"
        ))?;
        let sql =
            format!("INSERT INTO {name} SELECT * FROM unnest($1::text[], $2::int4[], $3::text[])");
        session.execute(&sql, &[&values, &codes, &labels])?;
    }
    combinations(session, recoder)?;
    for (i, mapping) in mapped(publication) {
        session.run(&format!(
            "CREATE TEMPORARY TABLE haggle_shown_{i} (v text, label text) ON COMMIT DROP"
        ))?;
        let (values, labels): (Vec<&str>, Vec<&str>) =
            mapping.iter().map(|(value, label)| (value.as_ref(), label.as_ref())).unzip();
        let sql =
            format!("INSERT INTO haggle_shown_{i} SELECT * FROM unnest($1::text[], $2::text[])");
        session.execute(&sql, &[&values, &labels])?;
    }
    failing(session, publication)
}

fn mapped<'a>(
    publication: &'a RecordRecoding<'_>,
) -> impl Iterator<Item = (usize, &'a FxHashMap<Box<str>, Box<str>>)> {
    publication.columns.iter().enumerate().filter_map(|(i, column)| match column {
        PublishedColumns::Mapped { mapping, .. } => Some((i, mapping)),
        _ => None,
    })
}

/// How many combinations are sent at once.
const BATCH_COMBINATIONS: usize = 10_000;

/// What becomes of each recorded combination, where values depend on each other: recorded codes,
/// published codes and labels.
fn combinations(session: &DatabaseSession, recoder: &Recoder<'_>) -> Result<(), Error> {
    let Some(combinations) = recoder.combinations() else { return Ok(()) };
    let all: Vec<(&[u32], &[u32])> = combinations.collect();
    let attributes = 0..recoder.attributes();
    let columns = |prefix: &str, kind: &str| {
        let column = |i: usize| format!("{prefix}{i} {kind}");
        attributes.clone().map(column).collect::<Vec<_>>().join(", ")
    };
    session.run(&format!(
        "CREATE TEMPORARY TABLE haggle_combination ({}, {}, {}) ON COMMIT DROP",
        columns("r", "int4"),
        columns("c", "int4"),
        columns("label", "text")
    ))?;
    let kinds = ["int4", "int4", "text"];
    let arrays = (0..3 * attributes.len()).map(|i| (i + 1, kinds[i / attributes.len()]));
    let arrays: Vec<String> = arrays.map(|(i, kind)| format!("${i}::{kind}[]")).collect();
    let sql = format!("INSERT INTO haggle_combination SELECT * FROM unnest({})", arrays.join(", "));
    for some in all.chunks(BATCH_COMBINATIONS) {
        let recorded = |i: usize| some.iter().map(|one| one.0[i].cast_signed()).collect();
        let published = |i: usize| some.iter().map(|one| one.1[i].cast_signed()).collect();
        let label = |i: usize| some.iter().map(|one| recoder.label(i, one.1[i])).collect();
        let codes: Vec<Vec<i32>> =
            attributes.clone().map(recorded).chain(attributes.clone().map(published)).collect();
        let labels: Vec<Vec<&str>> = attributes.clone().map(label).collect();
        let mut parameters: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> =
            codes.iter().map(|column| column as _).collect();
        parameters.extend(
            labels.iter().map(|column| column as &(dyn tokio_postgres::types::ToSql + Sync)),
        );
        session.execute(&sql, &parameters)?;
    }
    session.run("ANALYZE haggle_combination")
}

/// Recorded values with their published codes and labels.
type Mapping = (Vec<String>, Vec<i32>, Vec<String>);

/// What becomes of the values of an attribute. Where that depends on the others, each has its recorded
/// code, by which its combination is found.
fn mapping(recoder: &Recoder<'_>, position: usize) -> Mapping {
    let hierarchy = recoder.hierarchy(position);
    let recorded = 0..hierarchy.len(0.into()) as u32;
    let value = |code: u32| hierarchy.label(code, 0.into()).to_owned();
    let values: Vec<String> = recorded.clone().map(value).collect();
    let Some(codes) = recoder.map(position) else {
        return (values.clone(), recorded.map(u32::cast_signed).collect(), values);
    };
    let labels = codes.iter().map(|&code| recoder.label(position, code).to_owned());
    let signed = codes.iter().map(|&code| code.cast_signed());
    (values, signed.collect(), labels.collect())
}

fn failing(session: &DatabaseSession, publication: &RecordRecoding<'_>) -> Result<(), Error> {
    let attributes = publication.recoder.attributes();
    let columns: Vec<String> = (0..attributes).map(|i| format!("c{i} int4")).collect();
    session.run(&format!(
        "CREATE TEMPORARY TABLE haggle_failing ({}) ON COMMIT DROP",
        columns.join(", ")
    ))?;
    let groups: Vec<&Box<[u32]>> = publication.failing.iter().collect();
    let column = |i: usize| groups.iter().map(|codes| codes[i].cast_signed()).collect::<Vec<i32>>();
    let columns: Vec<Vec<i32>> = (0..attributes).map(column).collect();
    let arrays: Vec<String> = (1..=attributes).map(|i| format!("${i}::int4[]")).collect();
    let sql = format!("INSERT INTO haggle_failing SELECT * FROM unnest({})", arrays.join(", "));
    let parameters: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> =
        columns.iter().map(|column| column as _).collect();
    session.execute(&sql, &parameters)?;
    session.run("ANALYZE haggle_failing")
}

/// A text as SQL.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The published records.
fn select(database: &Database, table: &Table, what: &InDatabase<'_>) -> String {
    let RecordRecoding { columns, suppress, checked, missing, .. } = what.publication;
    let name = |column: usize| format!("t.{}", quoted(&table.columns()[column]));
    let field = |column: usize| text_of(&name(column));
    let marks: Vec<String> = missing.marks.iter().map(|mark| literal(mark)).collect();
    let marks = format!("ARRAY[{}]::text[]", marks.join(", "));
    let is_gap = |column: usize| format!("{} = ANY({marks})", field(column));
    let gaps: Vec<String> = checked.iter().map(|&column| is_gap(column)).collect();
    let gap = if gaps.is_empty() { "false".into() } else { format!("({})", gaps.join(" OR ")) };
    let value = |column: usize| {
        let label = literal(missing.label());
        format!("CASE WHEN {} THEN {label} ELSE {} END", is_gap(column), field(column))
    };
    // As text where missing is a value of its own, so that every mark is written the same.
    let written = |column: usize| {
        let is_value = missing.policy == OnMissing::Value && checked.contains(&column);
        if is_value { value(column) } else { name(column) }
    };
    // The published code and label of an attribute.
    let together = what.publication.recoder.combinations().is_some();
    let code = |i: usize| if together { format!("b.c{i}") } else { format!("m{i}.c") };
    let label = |i: usize| if together { format!("b.label{i}") } else { format!("m{i}.label") };
    let (mut joins, mut same, mut combined) = (String::new(), Vec::new(), Vec::new());
    let mut shown = Vec::new();
    for (i, (published, title)) in columns.iter().zip(what.names).enumerate() {
        let expression = match published {
            PublishedColumns::Copied(column) => written(*column),
            PublishedColumns::Recoded { column, position } => {
                joins += &format!(
                    " LEFT JOIN haggle_map_{position} m{position} ON m{position}.v = {}",
                    value(*column)
                );
                combined.push(format!("b.r{position} = m{position}.c"));
                same.push(format!("f.c{position} = {}", code(*position)));
                let label = label(*position);
                format!("CASE WHEN f.c0 IS NULL THEN {label} ELSE {} END", literal(ANY))
            }
            PublishedColumns::Mapped { column, .. } => {
                joins +=
                    &format!(" LEFT JOIN haggle_shown_{i} s{i} ON s{i}.v = {}", value(*column));
                format!("coalesce(s{i}.label, {})", value(*column))
            }
            PublishedColumns::Flag => "f.c0 IS NOT NULL".into(),
            // Groups are counted record by record, which only files are.
            PublishedColumns::Group => "NULL".into(),
        };
        shown.push(format!("{expression} AS {}", quoted(title)));
    }
    if together {
        joins += &format!(" LEFT JOIN haggle_combination b ON {}", combined.join(" AND "));
    }
    let dropped = if *suppress == Suppress::Drop { " AND f.c0 IS NULL" } else { "" };
    let complete =
        if missing.policy == OnMissing::Value { "true".into() } else { format!("NOT {gap}") };
    let order = if what.shuffled { " ORDER BY random()" } else { "" };
    format!(
        "SELECT {} FROM {} t{joins} LEFT JOIN haggle_failing f ON {} WHERE {complete}{dropped}{order}",
        shown.join(", "),
        database.table(),
        same.join(" AND ")
    )
}

/// Checks that every recoded value was known.
fn check(
    session: &DatabaseSession,
    target: &str,
    what: &InDatabase<'_>,
    database: &Database,
) -> Result<(), Error> {
    for (published, title) in what.publication.columns.iter().zip(what.names) {
        if !matches!(published, PublishedColumns::Recoded { .. }) {
            continue;
        }
        let sql = format!("SELECT 1 FROM {target} WHERE {} IS NULL LIMIT 1", quoted(title));
        if session.rows(&sql, &[])?.is_empty() {
            continue;
        }
        if what.publication.recoder.combinations().is_some() {
            let changed = Problem::new("the data changed since it was counted");
            let fix = "publish again; nothing was written";
            return Err(changed.file(database.name()).fix(fix).into());
        }
        return Err(unknown(database, title));
    }
    Ok(())
}
