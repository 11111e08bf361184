//! What goes wrong with a database is told clearly, and leaves nothing half-made.

use std::time::Duration;

use crate::Census;

#[test]
fn a_wrong_password_is_told_without_telling_it() {
    let census = Census::of(100);
    let output =
        census.command("ask", &["--k", "5"]).env("PGPASSWORD", "wrong-guess").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("password authentication failed") && error.contains(".pgpass"),
        "{error}"
    );
    assert!(!error.contains("wrong-guess"), "{error}");
}

#[test]
fn the_password_file_is_used() {
    let census = Census::of(100);
    let file = census.folder.path().join("pass");
    let line =
        format!("127.0.0.1:{}:*:*:{}\n", census.server.port(), haggle_testkit::postgres::PASSWORD);
    std::fs::write(&file, line).unwrap();
    let mut command = census.command("ask", &["--k", "5"]);
    let output = command.env_remove("PGPASSWORD").env("PGPASSFILE", &file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_missing_right_is_told() {
    let census = Census::of(100);
    let reader = format!("reader_{}", census.table.replace('.', "_"));
    let schema = census.table.split('.').next().unwrap();
    census.sql(&format!(
        "CREATE ROLE {reader} LOGIN PASSWORD '{}'; GRANT USAGE ON SCHEMA {schema} TO {reader}",
        haggle_testkit::postgres::PASSWORD
    ));
    census.write(&reader);
    let error = census.refused("ask", &["--k", "5"]);
    assert!(
        error.contains("permission denied for table adult") && error.contains("ask the owner"),
        "{error}"
    );
    // Who may read but not write can count and predict, and is told when a table is asked for.
    census.sql(&format!("GRANT SELECT ON TABLE_ TO {reader}"));
    census.json("ask", &["--k", "5"]);
    let target = format!("{schema}.mine");
    let error =
        census.refused("publish", &["--k", "5", "--max-suppressed", "50%", "--table", &target]);
    assert!(error.contains("permission denied for schema"), "{error}");
    assert!(!census.exists(&target));
}

#[test]
fn a_dropped_column_is_told() {
    let census = Census::of(100);
    census.sql("ALTER TABLE TABLE_ DROP COLUMN race");
    let error = census.refused("ask", &["--k", "5"]);
    assert!(error.contains("no column 'race'"), "{error}");
    let error = census.refused("instant", &["--k", "5", "--summary", "pg"]);
    assert!(error.contains("no column 'race'"), "{error}");
}

#[test]
fn no_table_and_no_server_are_told() {
    let census = Census::of(100);
    let gone = Census {
        table: "nowhere.adult".into(),
        folder: tempfile::tempdir().unwrap(),
        server: census.server.clone(),
    };
    gone.write(haggle_testkit::postgres::USER);
    let error = gone.refused("ask", &["--k", "5"]);
    assert!(error.contains("does not exist"), "{error}");
    let text = std::fs::read_to_string(census.path()).unwrap();
    let port = census.server.port().to_string();
    std::fs::write(census.path(), text.replace(&format!(":{port}/"), ":1/")).unwrap();
    let error = census.refused("ask", &["--k", "5"]);
    assert!(error.contains("cannot be reached"), "{error}");
}

/// The connection is cut while the database counts.
#[test]
fn a_lost_connection_is_told_and_leaves_nothing() {
    let census = Census::of(100);
    // A table that takes its time: every value is worked out by a function that sleeps.
    census.sql(
        "ALTER TABLE TABLE_ RENAME TO adult_base; \
         CREATE FUNCTION SCHEMA_.slow(text) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT CASE WHEN pg_sleep(0.02) IS NULL THEN NULL ELSE $1 END $$;"
            .replace("SCHEMA_", census.table.split('.').next().unwrap()).as_str(),
    );
    let schema = census.table.split('.').next().unwrap();
    let columns: Vec<String> = Census::columns()
        .iter()
        .map(|name| format!("{schema}.slow(\"{name}\"::text) AS \"{name}\""))
        .collect();
    census.sql(&format!(
        "CREATE VIEW TABLE_ AS SELECT {} FROM {schema}.adult_base",
        columns.join(", ")
    ));
    let target = format!("{schema}.never");
    for args in [
        &["--k", "5", "--max-suppressed", "50%"][..],
        &["--k", "5", "--max-suppressed", "100%", "--table", &target],
    ] {
        let command = if args.contains(&"--table") { "publish" } else { "ask" };
        let mut child = census.command(command, args);
        let child = child
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(700));
        census.sql(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'haggle' AND query LIKE '%{schema}%'"));
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("terminating connection") || error.contains("was lost"), "{error}");
        assert!(!census.exists(&target));
    }
}

/// Records come between counting and publishing: the groups differ, and the draft is taken back.
#[test]
fn a_table_that_changes_between_the_scans_is_noticed() {
    let census = Census::of(1);
    let target = census.table.replace("adult", "late");
    // A trigger-free way to change in between: the publishing transaction waits for a lock.
    let schema = census.table.split('.').next().unwrap().to_owned();
    let lock = format!("BEGIN; CREATE TABLE {target} (x int); SELECT pg_sleep(6); UPDATE {}", "");
    let _ = lock;
    let server = census.server.clone();
    let table = census.table.clone();
    // The name is taken by another transaction for a while: CREATE TABLE AS waits for it, with its
    // view of the data not taken yet.
    let blocked = target.clone();
    let other = std::thread::spawn(move || {
        server.sql(&format!(
            "BEGIN; CREATE TABLE {blocked} (x int); SELECT pg_sleep(8); \
             UPDATE {table} SET age = 90 WHERE age = 37; ROLLBACK; UPDATE {table} SET age = 90 WHERE age = 37"
        ))
    });
    std::thread::sleep(Duration::from_millis(500));
    let args = ["--qi", "age,race,workclass", "--k", "10", "--scheme", "1,1,0", "--table", &target];
    let output = census.output("publish", &args);
    other.join().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    // Either the change came in time to be counted, or it is noticed; a table that does not match
    // what was counted is never left.
    if output.status.success() {
        let least = census.sql(&format!("SELECT min(n) FROM (SELECT count(*) AS n FROM {target} GROUP BY age, race, workclass) g"));
        assert!(least.parse::<u64>().unwrap() >= 10, "{least}");
    } else {
        assert!(error.contains("changed since it was counted"), "{error}");
        assert!(!census.exists(&target));
    }
    let _ = schema;
}
