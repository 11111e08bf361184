//! A server that is killed while it publishes leaves a whole publication or none.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use haggle_testkit::process;
use serde_json::json;
use tempfile::TempDir;

use crate::common::Folder;
use crate::common::kill::{count_kill, fraction, killed_at, print_kills, random_kills, was_killed};
use crate::serve::Served;

/// Asks for a publication into the project's folder and waits until the connection ends.
fn publish(served: &Served) -> String {
    let body = json!({"privacy": {"k-anonymity": 2}, "scheme": [1, 0], "output": "out.csv"});
    let mut answer = Vec::new();
    // A killed server ends the connection in whatever way.
    let _ = served.begin("POST", "/api/publish", &body.to_string()).read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The next command finds a whole publication or none, and leaves nothing over.
fn assert_whole_or_absent(folder: &Folder) -> bool {
    let run = folder.haggle(&["verify", "out.csv", "--k", "2", "--json"]);
    let published = folder.file("out.csv").exists();
    if published {
        assert_eq!(run.json(0)["manifest_matches"], true);
    }
    assert_eq!(folder.file("out.csv.manifest.json").exists(), published);
    let recorded = std::fs::read_to_string(folder.file("publications.jsonl")).unwrap_or_default();
    assert_eq!(recorded.lines().count(), usize::from(published), "{recorded}");
    assert_eq!(folder.kept_by_haggle(), Vec::<std::path::PathBuf>::new());
    for name in ["out.csv", "out.csv.manifest.json", "publications.jsonl"] {
        let _ = std::fs::remove_file(folder.file(name));
    }
    published
}

#[test]
fn a_server_killed_at_a_system_call_leaves_a_whole_publication_or_none() {
    let folder = Folder::people();
    let project = folder.path().to_str().unwrap();
    let mut outcomes = [0, 0];
    // Only calls on what is published count: the server writes files of its own when it starts.
    let lock = ".haggle-d9a6e955467ca281.lock"; // of out.csv
    let whole = folder.path().canonicalize().unwrap();
    let names = ["out.csv", "out.csv.manifest.json", "publications.jsonl", lock];
    let names = names.map(|name| whole.join(name));
    let paths = [&[whole], &names[..]].concat();
    for call in ["rename", "chmod", "fsync", "unlink", "flock"] {
        for n in 1.. {
            let mut tracer = killed_at(call, n, &paths);
            tracer.stdout(Stdio::piped());
            let served = Served::start_by(tracer, &home(), &["serve", project]);
            let done = publish(&served).contains("\"done\":{");
            if !done {
                count_kill();
            }
            end(served);
            outcomes[usize::from(assert_whole_or_absent(&folder))] += 1;
            if done {
                break;
            }
        }
    }
    print_kills("servers that publish, by system call");
    assert!(outcomes.iter().all(|&n| n > 0), "{outcomes:?}");
}

/// Ends the traced server, which would outlive its tracer, and then the tracer.
fn end(served: Served) {
    let tracer = served.child.id();
    let children = format!("/proc/{tracer}/task/{tracer}/children");
    for child in std::fs::read_to_string(children).unwrap_or_default().split_whitespace() {
        let _ = Command::new("kill").args(["-KILL", child]).stderr(Stdio::null()).status();
    }
    drop(served);
}

/// A place for the temporary files of a server.
fn home() -> Arc<TempDir> {
    Arc::new(tempfile::tempdir().unwrap())
}

#[test]
fn a_server_killed_at_any_moment_leaves_a_whole_publication_or_none() {
    let folder = Folder::people();
    let project = folder.path().to_str().unwrap();
    let start = Instant::now();
    publish(&Served::start(&["serve", project]));
    let took = start.elapsed().min(Duration::from_secs(1));
    assert_whole_or_absent(&folder);
    for n in 0..random_kills(5) {
        let mut served = Served::start(&["serve", project]);
        let body = json!({"privacy": {"k-anonymity": 2}, "scheme": [1, 0], "output": "out.csv"});
        let _answer = served.begin("POST", "/api/publish", &body.to_string());
        std::thread::sleep(took.mul_f64(fraction(n)));
        served.child.kill().unwrap();
        was_killed(process::wait(&mut served.child));
        assert_whole_or_absent(&folder);
    }
    print_kills("servers that publish, at random");
}
