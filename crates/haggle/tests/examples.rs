//! Every example program runs, and prints what it says it prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use haggle_testkit::process::RunLimited;
use haggle_testkit::{redacted, titled};
use insta::assert_snapshot;

const EXAMPLES: [&str; 8] = [
    "accept_relaxation",
    "hierarchy_rules",
    "negotiate",
    "own_privacy_model",
    "pareto_to_csv",
    "progress_and_cancel",
    "publish_and_verify",
    "several_models",
];

/// The folder of compiled examples, next to that of this test.
fn folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples")
}

/// Builds the examples where only this test was built; `cargo test` builds them by itself.
fn build_if_missing() {
    if EXAMPLES.iter().all(|name| folder().join(name).is_file()) {
        return;
    }
    let arguments = ["build", "--workspace", "--examples", "--quiet"];
    let built = Command::new(env!("CARGO")).args(arguments).run_limited();
    assert!(built.status.success(), "the examples are not built");
}

#[test]
fn every_example_runs_and_prints_what_it_shows() {
    build_if_missing();
    let printed = EXAMPLES.map(|name| {
        let output = Command::new(folder().join(name)).run_limited();
        let printed = String::from_utf8_lossy(&output.stdout);
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {failed}");
        // How far work had come when it was cancelled differs.
        let lines = printed.lines().filter(|line| !line.starts_with("done after "));
        (name, redacted(&lines.collect::<Vec<_>>().join("\n"), &[]))
    });
    assert_snapshot!(titled(printed));
}

#[test]
fn every_example_is_listed_here() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = std::fs::read_dir(sources).unwrap().map(|file| file.unwrap().path());
    let mut names: Vec<String> =
        files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, EXAMPLES);
}
