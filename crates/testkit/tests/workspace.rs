//! The rules of the workspace itself: who may use whom, which licences, from where, how often.

mod licence;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// The libraries of the workspace, below the facade.
const LIBRARIES: &[&str] = &[
    "haggle-model",
    "haggle-cube",
    "haggle-privacy",
    "haggle-loss",
    "haggle-search",
    "haggle-instant",
    "haggle-inference",
    "haggle-data",
];

/// Which crates of the workspace each may use outside its tests.
const MAY_USE: &[(&str, &[&str])] = &[
    ("haggle-model", &[]),
    ("haggle-cube", &["haggle-model"]),
    ("haggle-privacy", &["haggle-model", "haggle-cube"]),
    ("haggle-loss", &["haggle-model", "haggle-cube"]),
    ("haggle-search", &["haggle-model", "haggle-cube"]),
    (
        "haggle-instant",
        &["haggle-model", "haggle-cube", "haggle-privacy", "haggle-loss", "haggle-search"],
    ),
    (
        "haggle-inference",
        &["haggle-model", "haggle-cube", "haggle-privacy", "haggle-loss", "haggle-search"],
    ),
    ("haggle-data", &["haggle-model", "haggle-cube"]),
    ("haggle", LIBRARIES),
    ("haggle-server", &["haggle"]),
    ("haggle-cli", &["haggle", "haggle-server"]),
    ("haggle-python", &["haggle"]),
    ("haggle-testkit", &["haggle-model", "haggle-cube"]),
];

/// Crates that cost too much to be built in two incompatible versions.
const HEAVY: &[&str] = &[
    "arrow-array",
    "axum",
    "clap_builder",
    "csv",
    "hashbrown",
    "hyper",
    "parquet",
    "proptest",
    "pyo3",
    "rand",
    "rayon-core",
    "regex-automata",
    "rustix",
    "rustls",
    "serde",
    "serde_json",
    "tokio",
    "toml",
    "windows-sys",
];

/// What cargo knows of the workspace and all that it depends on, without asking the network.
///
/// A fresh checkout has downloaded only what this platform needs; then only that is looked at.
/// `cargo fetch --locked` brings the rest.
fn metadata() -> Value {
    let all = cargo_metadata(&[]);
    let platform = || cargo_metadata(&["--filter-platform", &host()]);
    let json = all.or_else(|_| platform()).unwrap_or_else(|why| {
        panic!(
            "cargo metadata failed; does Cargo.lock fit (cargo check), and is everything \
             downloaded (cargo fetch --locked)?\n{why}"
        )
    });
    serde_json::from_slice(&json).expect("cargo metadata writes JSON")
}

fn cargo_metadata(more: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be started");
    let complaint = || String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(output.stdout) } else { Err(complaint()) }
}

/// The platform that cargo builds for unless it is told otherwise.
fn host() -> String {
    let output = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo can be started");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names its host").into()
}

fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().expect("a list of packages")
}

fn text<'a>(package: &'a Value, key: &str) -> Option<&'a str> {
    package[key].as_str()
}

fn name(package: &Value) -> &str {
    text(package, "name").expect("a package has a name")
}

fn version(package: &Value) -> &str {
    text(package, "version").expect("a package has a version")
}

/// The packages of the workspace, and then all others.
fn split(metadata: &Value) -> (Vec<&Value>, Vec<&Value>) {
    let members = metadata["workspace_members"].as_array().expect("a list of members");
    packages(metadata).iter().partition(|package| members.contains(&package["id"]))
}

/// Fails with all of the complaints.
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn crates_use_each_other_only_as_designed() {
    let metadata = metadata();
    let (ours, _) = split(&metadata);
    let names: BTreeSet<&str> = ours.iter().map(|package| name(package)).collect();
    let mut complaints = Vec::new();
    for package in ours {
        let name = name(package);
        let Some((_, may_use)) = MAY_USE.iter().find(|(known, _)| *known == name) else {
            complaints.push(format!("{name} is new: say in this test which crates it may use"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = text(dependency, "name").expect("a dependency has a name");
            let for_tests = text(dependency, "kind") == Some("dev");
            if names.contains(used) && !for_tests && !may_use.contains(&used) {
                complaints.push(format!(
                    "{name} depends on {used}, but may use only {may_use:?}{}",
                    if used == "haggle-testkit" { "; make it a dev-dependency" } else { "" }
                ));
            }
        }
    }
    assert_none(&complaints);
}

#[test]
fn every_dependency_has_a_licence_that_we_can_meet() {
    let metadata = metadata();
    let (ours, others) = split(&metadata);
    let complaint = |package: &&Value| {
        let (name, version) = (name(package), version(package));
        let Some(licence) = text(package, "license") else {
            return Some(format!("{name} {version} states no licence"));
        };
        match licence::is_met(licence) {
            Ok(true) => None,
            Ok(false) => {
                Some(format!("{name} {version}: '{licence}' is not on the list of licences"))
            }
            Err(why) => Some(format!("{name} {version}: '{licence}' cannot be read: {why}")),
        }
    };
    assert_none(&ours.iter().chain(&others).filter_map(complaint).collect::<Vec<_>>());
    assert!(others.len() > 20, "only {} dependencies were looked at", others.len());
}

#[test]
fn every_dependency_comes_from_the_registry() {
    let metadata = metadata();
    let (_, others) = split(&metadata);
    let complaint = |package: &&Value| match text(package, "source") {
        Some("registry+https://github.com/rust-lang/crates.io-index") => None,
        Some(source) => Some(format!("{} {} comes from {source}", name(package), version(package))),
        None => Some(format!(
            "{} {} is a folder outside the workspace",
            name(package),
            version(package)
        )),
    };
    assert_none(&others.iter().filter_map(complaint).collect::<Vec<_>>());
}

#[test]
fn heavy_crates_are_built_once() {
    let metadata = metadata();
    let mut versions: BTreeMap<&str, BTreeMap<String, &str>> = BTreeMap::new();
    for package in packages(&metadata) {
        let line = compatible_with(version(package));
        versions.entry(name(package)).or_default().insert(line, version(package));
    }
    let twice = |heavy: &&str| {
        let lines = versions.get(heavy).filter(|lines| lines.len() > 1)?;
        let found: Vec<&str> = lines.values().copied().collect();
        let (first, last) = (found[0], found[found.len() - 1]);
        Some(format!(
            "{heavy} is built in incompatible versions {found:?}; `cargo tree --workspace -i \
             {heavy}@{first}` and `@{last}` show for whom"
        ))
    };
    assert_none(&HEAVY.iter().filter_map(twice).collect::<Vec<_>>());
}

/// The part of a version that all compatible ones share: up to the first number that is not 0.
fn compatible_with(version: &str) -> String {
    let mut shared = Vec::new();
    for number in version.split(['.', '-', '+']).take(3) {
        shared.push(number);
        if number != "0" {
            break;
        }
    }
    shared.join(".")
}

#[test]
fn versions_are_compatible_up_to_the_first_number_that_counts() {
    let lines = ["1.2.3", "1.9.0", "0.17.1", "0.0.4", "2.0.0-rc.1"].map(compatible_with);
    assert_eq!(lines, ["1", "1", "0.17", "0.0.4", "2"]);
}
