//! Errors of a database are reported clearly, and leave nothing half-made.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use haggle_testkit::postgres::PASSWORD;
use haggle_testkit::process::{self, RunLimited};
use haggle_testkit::titled;
use insta::{allow_duplicates, assert_snapshot};

use crate::database::Census;

#[test]
fn a_wrong_password_is_reported_but_not_printed() {
    let census = Census::of(100);
    let output =
        census.command("ask", &["--k", "5"]).env("PGPASSWORD", "wrong-guess").run_limited();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(!error.contains("wrong-guess"), "{error}");
    assert_snapshot!(census.redacted(&error), @r#"
    error: postgres://127.0.0.1:[port]/postgres table [table]: the database refuses the user
        fix: set PGUSER and PGPASSWORD, or add a line to ~/.pgpass
    "#);
}

#[test]
fn the_password_file_is_used() {
    let census = Census::of(100);
    let file = census.folder.path().join("pass");
    let line =
        format!("127.0.0.1:{}:*:*:{}\n", census.server.port(), haggle_testkit::postgres::PASSWORD);
    std::fs::write(&file, line).unwrap();
    let ask = |mode: u32| {
        std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        let mut command = census.command("ask", &["--k", "5"]);
        let output = command.env_remove("PGPASSWORD").env("PGPASSFILE", &file).run_limited();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for mode in [0o600, 0o400] {
        let (answered, error) = ask(mode);
        assert!(answered && error.is_empty(), "{error}");
    }
    // As libpq does, what others can read is not used.
    for mode in [0o644, 0o640, 0o604, 0o620] {
        let (answered, error) = ask(mode);
        assert!(!answered && !error.contains(PASSWORD), "{mode:o}: {error}");
        let error = census.redacted(&error).replace(&format!("{mode:04o}"), "[mode]");
        allow_duplicates!(assert_snapshot!(error, @r#"
    warning: the password file [folder]/pass is ignored: others can read or write it; set its permissions to 0600
    error: postgres://127.0.0.1:[port]/postgres table [table]: the database cannot be reached (invalid configuration: password missing)
        fix: check host, port and user, and that the server runs
    "#));
    }
}

#[test]
fn a_missing_right_is_reported() {
    let census = Census::of(100);
    let reader = format!("reader_{}", census.table.replace('.', "_"));
    let schema = census.table.split('.').next().unwrap();
    census.sql(&format!(
        "CREATE ROLE {reader} LOGIN PASSWORD '{}'; GRANT USAGE ON SCHEMA {schema} TO {reader}",
        haggle_testkit::postgres::PASSWORD
    ));
    census.write(&reader);
    assert_snapshot!(census.refused("ask", &["--k", "5"]), @r#"
    error: postgres://127.0.0.1:[port]/postgres table [table]: the database refuses: permission denied for table adult
        fix: ask the owner for the right, or use another user
    "#);
    // A user who may read but not write can count and predict, and gets an error for a table.
    census.sql(&format!("GRANT SELECT ON TABLE_ TO {reader}"));
    census.json("ask", &["--k", "5"]);
    let target = format!("{schema}.mine");
    let error =
        census.refused("publish", &["--k", "5", "--max-suppressed", "50%", "--table", &target]);
    assert_snapshot!(error, @r#"
    error: postgres://127.0.0.1:[port]/postgres table [table]: the database refuses: permission denied for schema [schema]
        fix: ask the owner for the right, or use another user
    "#);
    assert!(!census.exists(&target));
}

#[test]
fn a_dropped_column_is_reported() {
    let census = Census::of(100);
    census.sql("ALTER TABLE TABLE_ DROP COLUMN race");
    for (command, args) in
        [("ask", &["--k", "5"][..]), ("instant", &["--k", "5", "--summary", "pg"])]
    {
        allow_duplicates!(assert_snapshot!(census.refused(command, args), @r#"
    error: [folder]/haggle.toml:38: the data has no column 'race'
        fix: its columns are: age, workclass, fnlwgt, education, education-num, marital-status, occupation, relationship, sex, capital-gain, capital-loss, hours-per-week, native-country, salary-class
    "#));
    }
}

#[test]
fn a_missing_table_and_a_missing_server_are_reported() {
    let census = Census::of(100);
    let gone = Census {
        table: "nowhere.adult".into(),
        folder: tempfile::tempdir().unwrap(),
        server: census.server.clone(),
    };
    gone.write(haggle_testkit::postgres::USER);
    assert_snapshot!(gone.refused("ask", &["--k", "5"]), @r#"
    error: postgres://127.0.0.1:[port]/postgres table [table]: the database refuses: schema "[schema]" does not exist
        fix: check `table` in the project: schema.name
    "#);
    let text = std::fs::read_to_string(census.path()).unwrap();
    let port = census.server.port().to_string();
    std::fs::write(census.path(), text.replace(&format!(":{port}/"), ":1/")).unwrap();
    assert_snapshot!(census.refused("ask", &["--k", "5"]), @r#"
    error: postgres://127.0.0.1:1/postgres table [table]: the database cannot be reached (error connecting to server: Connection refused (os error 111))
        fix: check host, port and user, and that the server runs
    "#);
}

/// The table as a view, with something in place of its age.
fn behind_a_view(census: &Census, age: &str, filter: &str) {
    let schema = census.table.split('.').next().unwrap();
    let column = |name: &String| match name.as_str() {
        "age" => format!("{age} AS age"),
        name => format!("\"{name}\""),
    };
    let columns: Vec<String> = Census::columns().iter().map(column).collect();
    census.sql(&format!(
        "ALTER TABLE TABLE_ RENAME TO adult_base; \
         CREATE VIEW TABLE_ AS SELECT {} FROM {schema}.adult_base WHERE {filter}",
        columns.join(", ")
    ));
}

/// A table whose records take the database a second each, in a statement that is like the text in the
/// table `slow` of its schema.
fn slow() -> Census {
    let census = Census::of(400);
    let schema = census.table.split('.').next().unwrap();
    census.sql(&format!("CREATE TABLE {schema}.slow AS SELECT ''::text AS statement"));
    behind_a_view(
        &census,
        &format!(
            "CASE WHEN current_query() LIKE (SELECT statement FROM {schema}.slow) \
             AND pg_sleep(1) IS NULL THEN 0 ELSE age END"
        ),
        "true",
    );
    census
}

/// The first Ctrl-C cancels what the database does, and ends the program.
#[test]
fn ctrl_c_cancels_the_statement_and_leaves_nothing() {
    let census = slow();
    let schema = census.table.split('.').next().unwrap();
    let target = format!("{schema}.never");
    let rest = ["--max-suppressed", "100%", "--scheme", "3,4,3,2,2,3", "--table", &target];
    let publish = [&["--k", "10"], &rest[..]].concat();
    for (command, args, at) in
        [("ask", &["--k", "5"][..], "%btrim%"), ("publish", &publish, "CREATE TABLE%")]
    {
        census.sql(&format!("UPDATE {schema}.slow SET statement = '{at}'"));
        let mut child = census.command(command, args);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let running = format!(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{}' \
             AND state = 'active' AND query LIKE '{at}'",
            census.table
        );
        let start = Instant::now();
        while census.sql(&running) == "0" {
            assert!(start.elapsed() < Duration::from_mins(1), "it never came to {at}");
            std::thread::sleep(Duration::from_millis(50));
        }
        let interrupt = ["-INT", &child.id().to_string()];
        assert!(Command::new("kill").args(interrupt).status().unwrap().success());
        let output = process::output(child);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{error}");
        assert!(!error.contains("error:"), "{error}");
        assert_eq!(census.sql(&running), "0", "the database goes on");
        assert!(!census.exists(&target));
    }
}

/// The connection is cut while the database counts, and while it writes.
#[test]
fn a_lost_connection_is_reported_and_leaves_nothing() {
    // The statement that is to be cut is never done before.
    let census = slow();
    let schema = census.table.split('.').next().unwrap();
    let text = std::fs::read_to_string(census.path()).unwrap();
    let own = format!("application_name={}", census.table);
    let named = text.replace(&own, &format!("application_name=cut_{schema}"));
    std::fs::write(census.path(), named).unwrap();
    let target = format!("{schema}.never");
    let rest = ["--max-suppressed", "100%", "--scheme", "3,4,3,2,2,3", "--table", &target];
    let publish = [&["--k", "10"], &rest[..]].concat();
    for (command, args, at) in
        [("ask", &["--k", "5"][..], "%btrim%"), ("publish", &publish, "CREATE TABLE%")]
    {
        census.sql(&format!("UPDATE {schema}.slow SET statement = '{at}'"));
        let mut child = census.command(command, args);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let cut = format!(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
             WHERE application_name = 'cut_{schema}' AND state = 'active' AND query LIKE '{at}'"
        );
        let start = Instant::now();
        while census.sql(&cut) == "0" {
            assert!(start.elapsed() < Duration::from_mins(1), "it never came to {at}");
            std::thread::sleep(Duration::from_millis(50));
        }
        let output = process::output(child);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("terminating connection") || error.contains("was lost"), "{error}");
        assert!(!census.exists(&target));
    }
}

const THREE: [&str; 6] = ["--qi", "age,race,workclass", "--k", "10", "--scheme", "1,1,0"];

/// Only who writes sees the change, so it comes after the count: the draft is taken back.
#[test]
fn a_table_that_changes_between_the_scans_is_noticed() {
    let writes = "current_setting('transaction_read_only') = 'off'";
    let fewer = format!("NOT ({writes} AND age = 37)");
    let moved = format!("CASE WHEN {writes} AND age = 37 THEN 90 ELSE age END");
    let unknown = format!("CASE WHEN {writes} AND age = 37 THEN 999 ELSE age END");
    let boxes = ["--qi", "age,race,workclass", "--k", "10", "--strategy", "mondrian"];
    let cases = [
        ("scheme, fewer", "age", fewer.as_str(), &THREE[..]),
        ("scheme, moved", &moved, "true", &THREE),
        ("scheme, unknown", &unknown, "true", &THREE),
        ("boxes, fewer", "age", &fewer, &boxes),
        ("boxes, moved", &moved, "true", &boxes),
        ("boxes, unknown", &unknown, "true", &boxes),
    ];
    assert_snapshot!(titled(cases.map(|(title, age, filter, how)| {
        let census = Census::of(10);
        behind_a_view(&census, age, filter);
        let target = census.table.replace("adult", "late");
        let error = census.refused("publish", &[how, &["--table", &target]].concat());
        assert!(!census.exists(&target));
        (title, error)
    })));
}

/// A change is also noticed where the records are streamed into a file.
#[test]
fn a_change_before_streaming_is_noticed() {
    let census = Census::of(10);
    behind_a_view(&census, "age", "NOT (current_query() LIKE 'COPY%' AND age = 37)");
    let error = census.refused("publish", &[&THREE[..], &["-o", "late.csv"]].concat());
    assert!(error.contains("changed") || error.contains("does not keep the promise"), "{error}");
    assert!(!census.folder.path().join("late.csv").exists());
}
