//! The real binary, run in a temporary folder with files of our own.

#![allow(dead_code)] // each story uses its own part of this

#[cfg(target_os = "linux")]
pub(crate) mod kill;
pub(crate) mod memory;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use haggle_testkit::process::{self, RunLimited};
use haggle_testkit::redacted;
use serde_json::Value;
use tempfile::TempDir;

/// The binary under test.
pub(crate) const HAGGLE: &str = env!("CARGO_BIN_EXE_haggle");

/// A small project that is sound: four records, two quasi-identifiers, one sensitive attribute.
pub(crate) const PEOPLE: &[(&str, &str)] = &[
    (
        "haggle.toml",
        r#"[data]
path = "people.csv"

[[attribute]]
name = "name"
role = "identifier"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = "age.csv"

[[attribute]]
name = "sex"
role = "quasi-identifier"
hierarchy = "sex.csv"

[[attribute]]
name = "disease"
role = "sensitive"
"#,
    ),
    (
        "people.csv",
        "name,age,sex,disease\nAda,34,f,flu\nBea,36,f,asthma\nCid,41,m,flu\nDan,47,m,gout\n",
    ),
    ("age.csv", "34;30-39;*\n36;30-39;*\n41;40-49;*\n47;40-49;*\n"),
    ("sex.csv", "f;*\nm;*\n"),
];

/// What a run of the binary left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    folder: PathBuf,
}

impl Run {
    pub(crate) fn of(output: &Output, folder: &Path) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            folder: folder.to_owned(),
        }
    }

    /// The one line of JSON on the standard output of a run that ended with this code.
    pub(crate) fn json(&self, code: i32) -> Value {
        assert_eq!(self.code, Some(code), "{self:#?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// One JSON value a line.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What a person reads who runs this, for a snapshot: the output, then the errors and notes of a
    /// run that ended with this code.
    pub(crate) fn printed(&self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self.redacted(&format!("{}{}", self.stdout, self.stderr))
    }

    /// The notes on standard error, for a snapshot.
    pub(crate) fn notes(&self) -> String {
        self.redacted(&self.stderr)
    }

    fn redacted(&self, text: &str) -> String {
        let folder = self.folder.to_str().expect("temporary folders have plain names");
        redacted(text, &[(folder, "folder")])
    }

    /// The standard output of a run that went well.
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:#?}");
        &self.stdout
    }
}

/// A temporary folder that haggle is run in.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// A folder with the small sound project.
    pub(crate) fn people() -> Self {
        Self::with(PEOPLE.iter().copied())
    }

    pub(crate) fn with<'a, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (&'a str, B)>) -> Self {
        let folder = Self::empty();
        for (name, content) in files {
            folder.write(name, content);
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file, with the folders on the way; a name that ends in a slash is a folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.file(name);
        if name.ends_with('/') {
            std::fs::create_dir_all(path).unwrap();
            return;
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Replaces a text in a file that contains it.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = String::from_utf8(self.read(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from:?}");
        self.write(name, text.replace(from, to));
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(HAGGLE);
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn haggle(&self, arguments: &[&str]) -> Run {
        Run::of(&self.command(arguments).run_limited(), self.path())
    }

    /// Runs the binary with something on standard input.
    pub(crate) fn haggle_reading(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that fails early may close its end; that is its answer.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::of(&process::output(child), self.path())
    }

    /// Runs a line in the shell, with `haggle` where a user would have it.
    pub(crate) fn shell(&self, line: &str) -> Run {
        self.shell_by(&["sh", "-c"], line)
    }

    /// Runs a line in a shell in which a pipe fails with any of its commands.
    pub(crate) fn strict_shell(&self, line: &str) -> Run {
        self.shell_by(&["bash", "-o", "pipefail", "-c"], line)
    }

    fn shell_by(&self, shell: &[&str], line: &str) -> Run {
        let binaries = Path::new(HAGGLE).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).arg(line).current_dir(self.path());
        command.env("PATH", format!("{}:{path}", binaries.display()));
        Run::of(&command.run_limited(), self.path())
    }

    /// Everything in the folder: names, and the content of files.
    pub(crate) fn listing(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        list(self.path(), &mut found);
        found
    }

    /// The answer to an `ask`, without how long it took.
    pub(crate) fn answer(&self, arguments: &[&str]) -> Value {
        let run = self.haggle(&[&["ask"], arguments, &["--json"]].concat());
        let code = run.code.unwrap_or(2);
        assert!(code < 2, "{run:#?}");
        untimed(run.json(code))
    }
}

fn list(folder: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, found);
        }
        let content = path.is_file().then(|| std::fs::read(&path).unwrap());
        found.insert(path, content);
    }
}

impl Folder {
    /// What haggle keeps while it writes: temporary files, journals and locks.
    pub(crate) fn kept_by_haggle(&self) -> Vec<PathBuf> {
        let hidden = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".haggle-"))
        };
        self.listing().into_keys().filter(hidden).collect()
    }
}

/// An answer without how long it took.
pub(crate) fn untimed(mut answer: Value) -> Value {
    answer.as_object_mut().expect("an answer is an object").remove("micros");
    answer
}

/// The scheme of the first relaxation of a kind that is possible; null if none is.
pub(crate) fn offered<'a>(answer: &'a Value, kind: &str) -> &'a Value {
    let relaxations = answer["relaxations"].as_array().expect("an answer lists relaxations");
    let is_meant = |one: &&Value| one["kind"] == kind && one["offer"].is_object();
    relaxations.iter().find(is_meant).map_or(&Value::Null, |one| &one["offer"])
}

/// Whether a value holds at least what is expected: objects may have more fields.
pub(crate) fn holds(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => expected
            .iter()
            .all(|(key, value)| found.get(key).is_some_and(|found| holds(found, value))),
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| holds(f, e))
        }
        _ => found == expected,
    }
}
