//! A dbt model and its test, run by dbt itself on DuckDB.

use std::path::Path;
use std::process::{Command, Output};

use haggle_testkit::process::RunLimited;

use crate::common::Folder;
use crate::table::{Engine, Outcome, TestTable, records_of_csv};

fn dbt(project: &Path, command: &str) -> Output {
    let program =
        std::env::var_os("HAGGLE_DBT").expect("HAGGLE_DBT names dbt; `make test` installs it");
    Command::new(program)
        .args(["--no-use-colors", command, "--project-dir", ".", "--profiles-dir", "."])
        .current_dir(project)
        .env("DO_NOT_TRACK", "1")
        .env("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
        .run_limited()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The model makes the records that a file has, and its test fails once the promise does not hold.
#[test]
fn a_dbt_model_publishes_the_same_and_its_test_notices_a_broken_promise() {
    let folder = Folder::empty();
    let table = TestTable::adult();
    let project = folder.path().join("dbt");
    let args = ["--qi", "age,race,workclass", "--k", "10", "--l", "3", "--scheme", "1,1,0"];
    let publish = [&["publish", "demo:adult"], &args[..]].concat();
    folder.haggle(&[&publish[..], &["-o", "file.csv"]].concat()).text();
    let sql = ["--sql", "duckdb", "--dbt", "--sql-from", "adult", "--sql-to", "adult_k10"];
    folder.haggle(&[&publish[..], &sql, &["-o", "dbt"]].concat()).text();
    let model = project.join("models/adult_k10.sql");
    assert!(model.exists() && project.join("tests/adult_k10_keeps_its_promise.sql").exists());
    std::fs::write(
        project.join("dbt_project.yml"),
        "name: census\nversion: '1.0'\nprofile: census\nmodel-paths: [models]\ntest-paths: [tests]\n",
    )
    .unwrap();
    std::fs::write(
        project.join("profiles.yml"),
        "census:\n  target: dev\n  outputs:\n    dev:\n      type: duckdb\n      path: census.duckdb\n",
    )
    .unwrap();
    let database = project.join("census.duckdb");
    Engine::fill_duckdb(&database, folder.path(), &table, "adult");
    let run = dbt(&project, "run");
    assert!(run.status.success(), "{}", said(&run));
    let test = dbt(&project, "test");
    assert!(test.status.success(), "{}", said(&test));
    let Outcome::Published(found) = Engine::read_duckdb(&database, folder.path(), "adult_k10", &[])
    else {
        panic!("it is there")
    };
    assert!(found == records_of_csv(&folder.path().join("file.csv")), "other records");
    // Nine records of a group of their own.
    let more = "INSERT INTO adult_k10 SELECT * REPLACE ('new' AS age) FROM adult_k10 LIMIT 9";
    Engine::read_duckdb(&database, folder.path(), "adult_k10", &[more.into()]);
    let test = dbt(&project, "test");
    assert!(!test.status.success() && said(&test).contains("ERROR=1"), "{}", said(&test));
}
