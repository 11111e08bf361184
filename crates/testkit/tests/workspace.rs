//! The rules of the workspace itself: which crate may use which, that imports between modules point one
//! way, and that the facade stays small. `deny.toml` says what may come from outside.

pub(crate) mod modules;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use haggle_testkit::process::RunLimited;
use serde_json::Value;

use modules::Modules;

/// Every library, in the order in which they may use each other.
const LIBRARIES: &[&str] = &[
    "haggle-model",
    "haggle-cube",
    "haggle-privacy",
    "haggle-loss",
    "haggle-search",
    "haggle-instant",
    "haggle-inference",
    "haggle-output",
    "haggle-sql",
    "haggle-data",
    "haggle-plot",
    "haggle-api",
    "haggle-project",
    "haggle-engine",
    "haggle-assess",
    "haggle-publish",
    "haggle-report",
];

/// Which crates of the workspace each may use outside its tests; [`LIBRARIES`] before it where the
/// list ends in `..`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("haggle-model", &[]),
    ("haggle-cube", &["haggle-model"]),
    ("haggle-privacy", &["haggle-model", "haggle-cube"]),
    ("haggle-loss", &["haggle-model", "haggle-cube"]),
    ("haggle-search", &["haggle-model", "haggle-cube"]),
    ("haggle-instant", &["haggle-model", "haggle-cube"]),
    ("haggle-inference", &["haggle-model", "haggle-cube", "haggle-privacy", "haggle-loss"]),
    ("haggle-output", &["haggle-model"]),
    ("haggle-sql", &["haggle-model", "haggle-cube", "haggle-output"]),
    ("haggle-data", &["haggle-model", "haggle-cube", "haggle-output", "haggle-sql"]),
    ("haggle-plot", &["haggle-model"]),
    (
        "haggle-api",
        &[
            "haggle-model",
            "haggle-cube",
            "haggle-privacy",
            "haggle-loss",
            "haggle-search",
            "haggle-instant",
        ],
    ),
    ("haggle-project", &[".."]),
    ("haggle-engine", &[".."]),
    ("haggle-assess", &[".."]),
    ("haggle-publish", &[".."]),
    ("haggle-report", &[".."]),
    ("haggle", LIBRARIES),
    ("haggle-server", &["haggle"]),
    ("haggle-cli", &["haggle", "haggle-server"]),
    ("haggle-python", &["haggle", "haggle-server"]),
    ("haggle-testkit", &["haggle-model", "haggle-cube"]),
    (
        "haggle-fuzz",
        &[
            "haggle-model",
            "haggle-cube",
            "haggle-data",
            "haggle",
            "haggle-server",
            "haggle-testkit",
        ],
    ),
];

/// Whether a crate may use another one.
fn may_use(name: &str, rule: &[&str], used: &str) -> bool {
    let position = |name: &str| LIBRARIES.iter().position(|known| *known == name);
    match rule {
        [".."] => position(used).is_some_and(|used| Some(used) < position(name)),
        named => named.contains(&used),
    }
}

/// What cargo knows of the workspace and all that it depends on, without asking the network.
///
/// A fresh checkout has downloaded only what this platform needs; then only that is read. `cargo
/// fetch --locked` brings the rest.
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
        .run_limited();
    let complaint = || String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(output.stdout) } else { Err(complaint()) }
}

/// The platform that cargo builds for by default.
fn host() -> String {
    let output = Command::new(env!("CARGO")).arg("-vV").run_limited();
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

/// The packages of the workspace.
fn ours(metadata: &Value) -> Vec<&Value> {
    let members = metadata["workspace_members"].as_array().expect("a list of members");
    packages(metadata).iter().filter(|package| members.contains(&package["id"])).collect()
}

/// Fails with all of the complaints.
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Calls that wait for a process for as long as it takes; `haggle_testkit::process` has a limit.
const ENDLESS: [&str; 4] =
    [".wait_with_output()", ".wait().unwrap()", ".wait().expect(", ".output()"];

#[test]
fn no_test_waits_for_a_process_without_a_limit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = fs::read_dir(root.join("crates")).expect("a folder of crates").flatten();
    let tests = crates.flat_map(|folder| modules::sources(&folder.path().join("tests")));
    let mut complaints = Vec::new();
    let others = ["crates/testkit/src", "fuzz"].map(|folder| modules::sources(&root.join(folder)));
    for path in tests.chain(others.into_iter().flatten()) {
        let text = fs::read_to_string(&path).expect("a source can be read");
        let is_exempt = path.ends_with("process.rs") || path.ends_with("workspace.rs");
        for call in ENDLESS.iter().filter(|call| !is_exempt && text.contains(**call)) {
            complaints.push(format!("{}: {call}", path.display()));
        }
    }
    assert_none(&complaints);
}

#[test]
fn crates_use_each_other_only_as_designed() {
    let metadata = metadata();
    let ours = ours(&metadata);
    let names: BTreeSet<&str> = ours.iter().map(|package| name(package)).collect();
    let mut complaints = Vec::new();
    for package in ours {
        let name = name(package);
        let Some((_, rule)) = MAY_USE.iter().find(|(known, _)| *known == name) else {
            complaints.push(format!("{name} is new: say in this test which crates it may use"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = text(dependency, "name").expect("a dependency has a name");
            let for_tests = text(dependency, "kind") == Some("dev");
            if names.contains(used) && !for_tests && !may_use(name, rule, used) {
                complaints.push(format!(
                    "{name} depends on {used}, but may use only {rule:?}{}",
                    if used == "haggle-testkit" { "; make it a dev-dependency" } else { "" }
                ));
            }
        }
    }
    assert_none(&complaints);
}

/// What a registry shows of a crate: texts, and lists of one to five words.
const SHOWN: [&str; 3] = ["description", "license", "repository"];
const LISTED: [&str; 2] = ["categories", "keywords"];

#[test]
fn every_manifest_says_what_a_registry_shows() {
    let metadata = metadata();
    let mut complaints = Vec::new();
    for package in ours(&metadata) {
        let is_listed = |field: &&str| {
            package[*field].as_array().is_some_and(|list| (1..=5).contains(&list.len()))
        };
        let unsaid = SHOWN.iter().filter(|field| text(package, field).is_none_or(str::is_empty));
        let unlisted = LISTED.iter().filter(|field| !is_listed(field));
        let missing = unsaid.chain(unlisted);
        complaints.extend(missing.map(|field| format!("{} lacks {field}", name(package))));
    }
    assert_none(&complaints);
}

/// Dependencies of tests point in circles, so they have no version and are left out of packages.
#[test]
fn crates_that_can_be_published_depend_on_versions_of_each_other() {
    let metadata = metadata();
    let mut complaints = Vec::new();
    for package in ours(&metadata).into_iter().filter(|package| package["publish"].is_null()) {
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let for_tests = text(dependency, "kind") == Some("dev");
            let has_version = text(dependency, "req") != Some("*");
            if dependency["path"].is_string() && has_version == for_tests {
                let need = if for_tests { "name no version" } else { "name a version" };
                complaints.push(format!("{}: {need} of {}", name(package), name(dependency)));
            }
        }
    }
    assert_none(&complaints);
}

/// What the last column of a crate's row in the architecture's table should say.
fn column(rule: &[&str]) -> String {
    let short = |name: &&str| name.trim_start_matches("haggle-").to_owned();
    match rule {
        [] => "–".into(),
        [".."] => "all above".into(),
        all if all == LIBRARIES => "all above".into(),
        named => named.iter().map(short).collect::<Vec<_>>().join(", "),
    }
}

#[test]
fn the_table_of_crates_in_the_architecture_says_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("there is a page");
    let mut complaints = Vec::new();
    for (name, rule) in MAY_USE {
        let short = name.trim_start_matches("haggle-");
        let folder = if short == "fuzz" { short.into() } else { format!("crates/{short}") };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{folder}` |")));
        let expected = format!("| {} |", column(rule));
        if root.join(&folder).exists() && !row.is_some_and(|row| row.ends_with(&expected)) {
            complaints.push(format!("the row of {folder} should end in {expected}"));
        }
    }
    assert_none(&complaints);
}

/// The facade only re-exports and draws.
const MOST_LINES_OF_THE_FACADE: usize = 800;

/// The folders of all crates.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = fs::read_dir(root.join("crates")).expect("there are crates");
    let crates = entries.map(|entry| entry.expect("a folder can be listed").path());
    crates.chain([root.join("fuzz")]).filter(|path| path.join("Cargo.toml").exists()).collect()
}

fn folder_name(path: &Path) -> String {
    path.file_name().expect("a folder has a name").to_string_lossy().into_owned()
}

#[test]
fn no_modules_of_a_crate_import_each_other() {
    let mut complaints = Vec::new();
    let mut modules = 0;
    for folder in crates() {
        let found = Modules::of(&folder.join("src"));
        modules += found.len();
        for cycle in found.cycles() {
            complaints.push(format!("{}: {}", folder_name(&folder), cycle.join(", ")));
        }
    }
    assert!(modules > 500, "only {modules} modules were found");
    assert_none(&complaints);
}

#[test]
fn the_facade_stays_small() {
    let lines = |file: PathBuf| fs::read_to_string(file).expect("source is text").lines().count();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../haggle/src");
    let all: usize = modules::sources(&source).into_iter().map(lines).sum();
    assert!(all > 0 && all <= MOST_LINES_OF_THE_FACADE, "the facade has {all} lines of source");
}

/// The commands of the command line, by their files.
fn commands() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/src/commands");
    let files = fs::read_dir(folder).expect("the command line has commands");
    let paths = files.map(|entry| entry.expect("the entry can be read").path());
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    paths.filter(|path| path.is_file()).filter_map(stem).collect()
}

/// The flags and commands in the text literals of some code.
fn flags_and_commands(code: &str, commands: &[String]) -> Vec<String> {
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join(" ").replace("\\\"", "").replace("'\"'", "");
    let is_flag = |word: &str| {
        word.strip_prefix("--").is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    };
    let mut named = Vec::new();
    for text in code.split('"').skip(1).step_by(2) {
        let words = text.split([' ', '`', '(']).filter(|word| !["", "\\"].contains(word));
        let words: Vec<&str> =
            words.map(|word| word.trim_end_matches([',', '.', ';', ':'])).collect();
        named.extend(words.iter().filter(|word| is_flag(word)).map(|flag| (*flag).to_owned()));
        let is_command =
            |pair: &&[&str]| pair[0] == "haggle" && commands.iter().any(|c| c == pair[1]);
        named.extend(words.windows(2).filter(is_command).map(|pair| pair.join(" ")));
    }
    named
}

#[test]
fn messages_of_libraries_do_not_name_flags_or_commands() {
    let commands = commands();
    let mut complaints = Vec::new();
    let is_library = |folder: &PathBuf| {
        !["cli", "server", "python", "testkit", "fuzz"].contains(&folder_name(folder).as_str())
    };
    for folder in crates().into_iter().filter(is_library) {
        for file in modules::sources(&folder.join("src")) {
            let text = fs::read_to_string(&file).expect("source is text");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let named = flags_and_commands(code, &commands).into_iter();
            complaints.extend(named.map(|one| format!("{}: {one}", file.display())));
        }
    }
    let code = "let fix = \"say \\\"--k\\\" or \\\n        `--l 5`\"; // not \"--qi\"";
    assert_eq!(flags_and_commands(code, &commands), ["--k", "--l"]);
    let code = "(\"ask anew: `haggle \\\n build PROJECT`\", \"this haggle reads up to 3\")";
    assert_eq!(flags_and_commands(code, &commands), ["haggle build"]);
    assert_none(&complaints);
}

/// Whether a file holds a test, or a folder a file that does.
fn has_test(path: &Path) -> bool {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("the folder can be read");
        return entries.filter_map(Result::ok).any(|entry| has_test(&entry.path()));
    }
    let is_case = path.extension().is_some_and(|ending| ending == "case");
    is_case || fs::read_to_string(path).is_ok_and(|text| text.contains("#[test]"))
}

#[test]
fn every_test_that_the_security_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("there is a security page");
    let is_path = |word: &&str| word.contains("/tests") || word.contains("/src/");
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_path).collect();
    let missing = named.iter().filter(|test| !has_test(&root.join("crates").join(test)));
    assert_none(&missing.map(|test| format!("{test} holds no test")).collect::<Vec<_>>());
    assert!(named.len() > 10, "only {} tests are named", named.len());
}
