//! A first project for a table in a database, and servers that are restarted.

use std::process::{Command, Output};

use haggle_testkit::postgres::{PASSWORD, USER};
use haggle_testkit::process::RunLimited;
use insta::assert_snapshot;

use crate::database::Census;

fn init(census: &Census, arguments: &[&str]) -> Output {
    let folder = census.folder.path();
    std::fs::create_dir_all(folder.join("new")).unwrap();
    let mut command = Command::new(crate::database::HAGGLE);
    command.arg("init").args(arguments).env("PGPASSWORD", PASSWORD);
    command.current_dir(folder.join("new")).run_limited()
}

#[test]
fn init_writes_a_project_for_a_table() {
    let census = Census::of(10);
    let url = census.server.url(USER);
    let output = init(&census, &[&url, "--table", &census.table]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("after reading 3,257 records and 15 columns"), "{said}");
    let file = census.folder.path().join("new/haggle.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(&format!("url = \"{url}\"\ntable = \"{}\"\n", census.table)), "{text}");
    assert!(!text.contains(PASSWORD) && !text.contains("path ="), "{text}");
    let check = Command::new(crate::database::HAGGLE)
        .args(["ask", file.to_str().unwrap(), "--k", "5", "--json"])
        .env("PGPASSWORD", PASSWORD)
        .run_limited();
    assert!(check.status.code().is_some_and(|code| code < 2), "{check:?}");
}

#[test]
fn init_refuses_what_would_be_written_or_is_not_named() {
    let census = Census::of(400);
    let url = census.server.url(USER);
    let refused = |arguments: &[&str]| {
        let output = init(&census, arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!error.contains(PASSWORD), "{error}");
        assert!(!census.folder.path().join("new/haggle.toml").exists());
        census.redacted(&error)
    };
    let secret = url.replace(USER, &format!("{USER}:{PASSWORD}"));
    assert_snapshot!(refused(&[&secret, "--table", &census.table]), @r"
    error: the url holds a password, which would be written into the project
        fix: leave it out of the url, and set PGPASSWORD or add a line to ~/.pgpass
    ");
    assert_snapshot!(refused(&[&url]), @r"
    error: this is a database, and no table is named
        fix: add --table SCHEMA.NAME
    ");
    assert_snapshot!(refused(&["people.csv", "--table", "x"]), @r"
    error: --table names a table of a database, and this is not the url of one
        fix: write postgres://user@host/database --table SCHEMA.NAME
    ");
}
