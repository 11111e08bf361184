//! SQL that haggle writes or runs, on real engines: PostgreSQL, DuckDB and Sail. What they publish is
//! compared record by record with what haggle itself publishes into a file.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

mod adbc;
mod dbt;
mod table;

use std::path::Path;
use std::sync::LazyLock;

use haggle_testkit::effort::is_long;
use haggle_testkit::postgres::Server;
use haggle_testkit::sail::{self, ConnectServer};
use insta::assert_snapshot;

use crate::common::Folder;
use table::{Engine, Outcome, TestTable};

static POSTGRES: LazyLock<Server> = LazyLock::new(Server::start);
static SAIL: LazyLock<ConnectServer> = LazyLock::new(sail::start);

const ENGINES: [Engine; 3] = [Engine::PostgreSql, Engine::DuckDb, Engine::Sail];

/// Publishes the same into a file and by a script, and compares the records.
fn same_as_file(folder: &Folder, table: &TestTable, engine: Engine, number: usize, args: &[&str]) {
    let (file, script) = (format!("{engine:?}-{number}.csv"), format!("{engine:?}-{number}.sql"));
    let publish = ["publish", table.project()];
    let file_report =
        folder.haggle(&[&publish[..], args, &["-o", &file, "--json"]].concat()).json(0);
    let expected = table::records_of_csv(&folder.path().join(&file));
    let (from, to) = (table.name_in(engine, number), format!("out_{number}_{}", table.id()));
    let sql = ["--sql", engine.dialect(), "--sql-from", &from, "--sql-to", &to, "-o", &script];
    let report = folder.haggle(&[&publish[..], args, &sql, &["--json"]].concat()).json(0);
    assert_eq!(report["records"], file_report["records"], "{args:?}");
    let text = std::fs::read_to_string(folder.path().join(&script)).unwrap();
    match engine.run(folder.path(), table, &from, &text, &to, &[]) {
        Outcome::Published(found) => {
            assert_eq!(found.len(), expected.len(), "{engine:?} {args:?}");
            let differs = found.iter().zip(&expected).find(|(a, b)| a != b);
            assert!(differs.is_none(), "{engine:?} {args:?}: {differs:?}");
        }
        Outcome::Failed { error, .. } => panic!("{engine:?} {args:?}: {error}"),
    }
}

const QI: [&str; 2] = ["--qi", "age,race,workclass"];

#[test]
fn engines_publish_the_records_that_a_file_has() {
    let folder = Folder::empty();
    let table = TestTable::adult();
    let cases: [&[&str]; 5] = [
        &["--k", "10", "--scheme", "1,1,0"],
        &["--k", "10", "--scheme", "1,0,1", "--suppress", "star", "--flag", "starred"],
        &["--k", "5", "--l", "3", "--max-suppressed", "5%"],
        &["--k", "10", "--strategy", "mondrian"],
        &["--k", "5", "--privacy", "t-closeness:t=0.4,on=hours-per-week", "--scheme", "3,1,1"],
    ];
    for (place, engine) in ENGINES.into_iter().enumerate() {
        // Stars and boxes by every engine, the others by one, where not all are tried.
        let tried = |number: &usize| {
            is_long() || [1, 3].contains(number) || number % ENGINES.len() == place
        };
        for (number, args) in cases.iter().enumerate().filter(|(number, _)| tried(number)) {
            same_as_file(&folder, &table, engine, number, &[&QI[..], args].concat());
        }
    }
}

/// Nulls, blanks, quotes, unicode, numbers and dates; names and labels that try to be SQL.
#[test]
fn hostile_names_values_and_labels_mean_themselves() {
    let folder = Folder::empty();
    let table = TestTable::hostile(folder.path());
    for engine in ENGINES {
        for (number, args) in [
            &["--k", "3", "--max-suppressed", "100%"][..],
            &["--k", "2", "--l", "2", "--max-suppressed", "100%", "--suppress", "star"],
            &["--k", "3", "--strategy", "mondrian"],
        ]
        .iter()
        .enumerate()
        {
            same_as_file(&folder, &table, engine, number + 10, args);
        }
    }
}

/// A table that is not what was counted: the script fails, and the target is not there.
#[test]
fn a_script_on_changed_data_fails_and_shows_nothing() {
    let folder = Folder::empty();
    let table = TestTable::adult();
    let publish = [&["publish", "demo:adult", "--k", "10", "--scheme", "1,1,0"], &QI[..]].concat();
    for engine in ENGINES {
        let quote = if engine == Engine::Sail { '`' } else { '"' };
        let column = format!("{quote}age{quote}");
        for (number, change) in ["age <> 37", "39 AND 37", "unknown"].iter().enumerate() {
            let (from, to) = (table.name_in(engine, number + 20), format!("changed_{number}"));
            let script = format!("{engine:?}-{number}.sql");
            let sql = [
                "--sql",
                engine.dialect(),
                "--sql-from",
                "changed_view",
                "--sql-to",
                &to,
                "-o",
                &script,
            ];
            folder.haggle(&[&publish[..], &sql].concat()).text();
            let age = match number {
                0 => column.clone(),
                1 => format!("CASE WHEN {column} = 37 THEN 77 ELSE {column} END"),
                _ => format!("CASE WHEN {column} = 37 THEN 999 ELSE {column} END"),
            };
            let filter = if number == 0 { format!("{column} <> 37") } else { "1 = 1".into() };
            let others: Vec<String> = table
                .columns()
                .filter(|name| *name != "age")
                .map(|name| format!("{quote}{name}{quote}"))
                .collect();
            let kind = if engine == Engine::Sail { "TEMPORARY VIEW" } else { "VIEW" };
            let view = format!(
                "CREATE OR REPLACE {kind} changed_view AS SELECT {age} AS {column}, {} FROM {from} WHERE {filter}",
                others.join(", ")
            );
            let text = std::fs::read_to_string(folder.path().join(&script)).unwrap();
            let before = [view];
            match engine.run(folder.path(), &table, &from, &text, &to, &before) {
                Outcome::Failed { error, is_there } => {
                    assert!(!is_there, "{engine:?} {change}: {error}");
                    let why =
                        if number == 2 { "not known to its hierarchy" } else { "the data changed" };
                    assert!(error.contains(why), "{engine:?} {change}: {error}");
                }
                Outcome::Published(_) => panic!("{engine:?}: {change} was not noticed"),
            }
        }
    }
}

/// The error of a run that was refused; the account of the columns may come before it.
fn refusal(run: &crate::common::Run) -> String {
    assert_eq!(run.code, Some(2), "{run:?}");
    let notes = run.notes();
    notes[notes.find("error: ").expect("it is refused")..].to_owned()
}

#[test]
fn what_is_written_is_reported_and_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::empty();
    let publish = [&["publish", "demo:adult", "--k", "10", "--scheme", "1,1,0"], &QI[..]].concat();
    let written = folder.haggle(&[&publish[..], &["--sql", "trino", "-o", "recode.sql"]].concat());
    assert_snapshot!(written.text(), @r"
    Wrote recode.sql (keep it secret).
    Nothing is published yet. Run in the database, it publishes 29,992 records and suppresses 170 records.
    Columns dropped: fnlwgt, education, education-num, marital-status, occupation, relationship, sex, capital-gain, native-country.
    Its last statements will prove k-anonymity 10.
    haggle keeps no record of this publication and writes no manifest for it.
    ");
    let mode = |path: &str| Path::new(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder.path().join("recode.sql").to_str().unwrap()), 0o600);
    let again = folder.haggle(&[&publish[..], &["--sql", "trino", "-o", "recode.sql"]].concat());
    assert_snapshot!(refusal(&again), @r"
    error: recode.sql: there is a file of this name already, and it is not an earlier publication
        fix: name another file, or allow this one to be replaced
        flags: --force replaces the file
    ");
    let unknown = folder.haggle(&[&publish[..], &["--sql", "oracle", "-o", "x.sql"]].concat());
    assert_snapshot!(refusal(&unknown), @r"
    error: there is no SQL dialect 'oracle'
        fix: choose from: bigquery, clickhouse, databricks, duckdb, postgresql, redshift, snowflake, spark, trino
    ");
    assert!(!folder.path().join("x.sql").exists());
}
