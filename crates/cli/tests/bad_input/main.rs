//! Whatever is wrong with what is given: the error says what, where and what to do; nothing else
//! is printed, and nothing is left behind.

#[path = "../common/mod.rs"]
mod common;

mod arguments;
mod data;
mod hierarchies;
mod lattice_files;
mod outputs;
mod project;
mod requests;
mod sensitive;

use common::{Folder, PEOPLE, Run};

/// One thing that is wrong: files in the folder, the arguments, and what the error must say.
struct Case {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    arguments: Vec<&'static str>,
    expected: Vec<&'static str>,
}

/// A case in an empty folder.
fn bare(name: &'static str, arguments: &[&'static str], expected: &[&'static str]) -> Case {
    let (arguments, expected) = (arguments.to_vec(), expected.to_vec());
    Case { name, files: Vec::new(), arguments, expected }
}

/// A case in the folder of the sound project.
fn case(name: &'static str, arguments: &[&'static str], expected: &[&'static str]) -> Case {
    let files = PEOPLE.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())).collect();
    Case { files, ..bare(name, arguments, expected) }
}

impl Case {
    /// The same with one file written differently, or one more.
    fn file(mut self, name: &'static str, content: impl Into<Vec<u8>>) -> Self {
        self.files.retain(|(other, _)| *other != name);
        self.files.push((name, content.into()));
        self
    }

    /// The same with a text in a file replaced.
    fn edit(mut self, name: &str, from: &str, to: &str) -> Self {
        let found = self.files.iter_mut().find(|(other, _)| *other == name);
        let (_, content) = found.expect("the sound project has this file");
        let text = String::from_utf8(content.clone()).expect("the sound project is text");
        assert!(text.contains(from), "{}: {name} has no {from:?}", self.name);
        *content = text.replace(from, to).into_bytes();
        self
    }

    /// The same without a file.
    fn without(mut self, name: &str) -> Self {
        self.files.retain(|(other, _)| *other != name);
        self
    }

    fn check(&self) -> Result<(), String> {
        let folder = Folder::with(self.files.iter().map(|(name, bytes)| (*name, bytes)));
        let before = folder.listing();
        let run = folder.haggle(&self.arguments);
        let mut faults = faults(&run, &self.expected);
        if folder.listing() != before {
            faults.push("the folder is not as it was before".into());
        }
        if faults.is_empty() {
            return Ok(());
        }
        Err(format!("{}: {}\n{}", self.name, faults.join("; "), run.stderr))
    }
}

/// What is wrong with how something wrong was reported.
fn faults(run: &Run, expected: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut demand = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    demand(run.code == Some(2), format!("the exit code is {:?}", run.code));
    demand(run.stdout.is_empty(), format!("the output is not empty: {}", run.stdout));
    demand(run.stderr.starts_with("error: "), "the error does not begin with 'error: '".into());
    demand(
        run.stderr.contains("fix: ") || run.stderr.contains("try '--help'"),
        "the error says nothing of what to do".into(),
    );
    for panic in ["panicked", "RUST_BACKTRACE", "unwrap()"] {
        demand(!run.stderr.contains(panic), format!("the error says {panic}"));
    }
    for fragment in expected {
        demand(run.stderr.contains(fragment), format!("the error does not say {fragment:?}"));
    }
    faults
}

/// Checks every case and reports all that fail.
fn refused(cases: impl IntoIterator<Item = Case>) {
    let failed: Vec<String> = cases.into_iter().filter_map(|case| case.check().err()).collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn the_sound_project_is_sound() {
    let folder = Folder::people();
    assert_eq!(folder.haggle(&["check", "."]).code, Some(0));
    assert_eq!(folder.haggle(&["ask", ".", "--k", "2"]).code, Some(0));
}
