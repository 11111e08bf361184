//! What `--memory` bounds where the data is in a database, as the operating system sees it.

use std::io::Read;
use std::process::{Command, Stdio};

use haggle_testkit::postgres::{PASSWORD, USER};
use tempfile::TempDir;
use wait4::Wait4;

use super::{HAGGLE, server};

const MB: u64 = 1 << 20;

/// A project on a table of a million records, each of them a group of its own.
fn distinct_groups() -> TempDir {
    let server = server();
    server.sql(
        "ALTER ROLE owner SET work_mem = '256MB'; \
         CREATE TABLE groups AS SELECT i % 100 AS a, i / 100 % 100 AS b, i / 10000 AS c, \
         i * 7 % 13 AS s FROM generate_series(0, 999999) AS i; ANALYZE groups;",
    );
    let folder = tempfile::tempdir().unwrap();
    let quasi = |name: &str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [5, 20] }}\n"
        )
    };
    let attributes: String = ["a", "b", "c"].map(quasi).concat();
    let project = format!(
        "[data]\nurl = \"{}\"\ntable = \"groups\"\n{attributes}\
         [[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n",
        server.url(USER)
    );
    std::fs::write(folder.path().join("haggle.toml"), project).unwrap();
    folder
}

/// The exit code, the error stream and the peak of resident memory in megabytes.
fn measured(folder: &TempDir, args: &str) -> (Option<i32>, String, u64) {
    let mut child = Command::new(HAGGLE)
        .args(args.split(' '))
        .env("PGPASSWORD", PASSWORD)
        .env("RAYON_NUM_THREADS", "2")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = String::new();
    child.stderr.as_mut().unwrap().read_to_string(&mut errors).unwrap();
    let ended = child.wait4().unwrap();
    (ended.status.code(), errors, ended.rusage.maxrss / MB)
}

#[test]
fn counting_a_million_groups_of_a_database_stays_within_the_limit_or_is_refused() {
    let folder = distinct_groups();
    for (args, megabytes, answers) in
        [("ask . --k 5 --l 2 --max-suppressed 5%", 200, true), ("ask . --k 5", 20, false)]
    {
        let (code, errors, peak) = measured(&folder, &format!("{args} --memory {megabytes}MB"));
        println!("{args:<40} {code:?} {peak:>5} MB of {megabytes} MB");
        assert!(peak <= megabytes * 5 / 4 + 64, "{args} took {peak} MB: {errors}");
        assert_eq!(code, Some(if answers { 0 } else { 2 }), "{args}: {errors}");
        assert!(answers || errors.contains("memory") && errors.contains("fix:"), "{errors}");
    }
}
