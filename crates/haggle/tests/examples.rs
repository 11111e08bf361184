//! Every example program runs, and prints what it says it prints.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Each example, and words of its output.
const EXAMPLES: [(&str, &[&str]); 8] = [
    ("accept_relaxation", &["k = 7", "or suppress 55 records under scheme [2,1,1]"]),
    ("hierarchy_rules", &["scheme [", "visit: 2026-", " becomes 2026\n"]),
    ("negotiate", &["scheme [1,1,0] suppresses 170", "Suppression: scheme [2,1,1] suppresses 55"]),
    ("own_privacy_model", &["scheme [", "no guess is right more often than 0.9"]),
    ("pareto_to_csv", &["k,lm,suppressed,", "30162,1,0,9,4 2 3"]),
    ("progress_and_cancel", &["3600 schemes", "cancelled"]),
    ("publish_and_verify", &["keeps its promise: true", "1000-anonymous: false"]),
    ("several_models", &["lowest scheme: [", "t-closeness", "least loss: ["]),
];

/// The folder of compiled examples, next to that of this test.
fn folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples")
}

/// Builds the examples where only this test was built; `cargo test` builds them by itself.
fn build_if_missing() {
    if EXAMPLES.iter().all(|(name, _)| folder().join(name).is_file()) {
        return;
    }
    let arguments = ["build", "--workspace", "--examples", "--quiet"];
    let status = Command::new(env!("CARGO")).args(arguments).status().unwrap();
    assert!(status.success(), "the examples are not built");
}

#[test]
fn every_example_runs_and_prints_what_it_shows() {
    build_if_missing();
    for (name, words) in EXAMPLES {
        let output = Command::new(folder().join(name)).output();
        let output = output.unwrap_or_else(|error| panic!("{name} was not built: {error}"));
        let printed = String::from_utf8_lossy(&output.stdout);
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {failed}");
        for word in words {
            assert!(printed.contains(word), "{name} does not print '{word}':\n{printed}");
        }
    }
}

#[test]
fn every_example_is_listed_here() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = std::fs::read_dir(sources).unwrap().map(|file| file.unwrap().path());
    let mut names: Vec<String> =
        files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, EXAMPLES.map(|(name, _)| name));
}
