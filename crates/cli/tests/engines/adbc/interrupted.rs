//! Queries that are stopped midway: by Ctrl-C, by the death of haggle, and by the death of the server.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use haggle_testkit::spark;

use haggle_testkit::process;

use super::project::{TwoProjects, records_in};
use crate::table::TestTable;

/// A table that takes the engine a minute to count, not longer: Sail counts on after an interruption,
/// and while it does, may not come to release the session.
const LONG: &str = "query = \"SELECT CAST(a.id % 7 AS STRING) AS age, CAST(b.id % 5 AS STRING) AS race, \
                    'x' AS workclass, 'y' AS `hours-per-week` FROM range(100000000) a CROSS JOIN \
                    range(20) b\"";

/// A table that is counted in seconds, and takes longer to be shuffled and written.
const LARGE: &str = "query = \"SELECT CAST(id % 7 AS STRING) AS age, CAST(id % 5 AS STRING) AS race \
                     FROM range(20000000)\"";

/// A project on what a query generates.
fn generated(query: &str) -> TwoProjects {
    let projects = TwoProjects::adult();
    let project = TestTable::adult();
    projects.write_engine(query, &project);
    let attribute =
        |name: &str, role: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n");
    projects.edit_engine(|text| {
        let (data, _) = text.split_once("[[attribute]]").unwrap();
        let attributes = [("age", "quasi-identifier"), ("race", "quasi-identifier")];
        format!("{data}{}", attributes.map(|(name, role)| attribute(name, role)).concat())
    });
    projects
}

fn start(projects: &TwoProjects) -> Child {
    let mut ask = projects.command("ask", &["--k", "2"]);
    let child = ask.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Long enough for the query to be under way; if it is not yet, it is stopped all the same.
    std::thread::sleep(Duration::from_secs(2));
    child
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Whether the server stops working.
fn is_idle_again() -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_mins(1) {
        let before = cpu_ticks();
        std::thread::sleep(Duration::from_secs(1));
        if cpu_ticks() - before < 20 {
            return true;
        }
    }
    false
}

/// The processor time of the server so far, in ticks.
fn cpu_ticks() -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", OWN.process())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

static OWN: std::sync::LazyLock<haggle_testkit::sail::ConnectServer> =
    std::sync::LazyLock::new(super::start);

#[test]
fn ctrl_c_cancels_the_query_and_ends_the_program() {
    let projects = generated(LONG);
    projects.edit_engine(|text| text.replace(&super::CLUSTER.url(), &OWN.url()));
    let child = start(&projects);
    signal(&child, "-INT");
    let output = process::output(child);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(output.stdout.is_empty() && said.is_empty(), "{said}");
    assert!(are_sessions_released(), "a session is left: {}", OWN.log());
    // Sail finishes what it has begun, although it has removed the session of the statement.
    assert!(spark::python().is_none() || is_idle_again(), "the engine goes on working");
}

#[test]
fn ctrl_c_during_a_publication_leaves_nothing_behind() {
    let projects = generated(LARGE);
    let folder = projects.folder.path();
    let target = folder.join("published");
    let to = format!("parquet:{}", target.display());
    let before = names_in(folder);
    let mut publish = projects.command("publish", &["--k", "2", "-o", &to, "--manifest", "m.json"]);
    let mut child = publish.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("Columns, with the records") {
        line.clear();
        let read = || said.read_line(&mut line).unwrap();
        let bytes = process::within_limit(child.id(), process::LIMIT, read);
        assert_ne!(bytes, 0, "it ended before it published");
    }
    std::thread::sleep(Duration::from_secs(1)); // so that it is writing
    signal(&child, "-INT");
    let output = process::output(child);
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert_eq!(output.status.code(), Some(130), "{rest}");
    assert!(!rest.contains("error") && !rest.contains("warning"), "{rest}");
    let left: Vec<_> = names_in(folder).into_iter().filter(|name| !before.contains(name)).collect();
    let is_empty = |path: &Path| !path.exists() || records_in(path).is_empty();
    assert!(is_empty(&target), "records that were not proved");
    assert!(left.iter().all(|name| name == "published"), "{left:?}");
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Whether Sail removes every session that it created; Spark writes nothing about them.
fn are_sessions_released() -> bool {
    let count = |what: &str| OWN.log().matches(what).count();
    let start = Instant::now();
    while start.elapsed() < Duration::from_mins(5) {
        let (created, removed) = (count("creating session"), count("removing session"));
        if created == removed && (created > 0 || spark::python().is_some()) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    false
}

#[test]
fn a_server_that_dies_midway_is_reported() {
    let server = super::start();
    let projects = generated(LONG);
    projects.edit_engine(|text| text.replace(&super::CLUSTER.url(), &server.url()));
    let child = start(&projects);
    drop(server);
    let output = process::output(child);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the connection to the database was lost"), "{said}");
}
