//! Whatever is wrong with what is given: the error says what, where and what to do; nothing else
//! is printed, and nothing is left behind.

mod arguments;
mod data;
mod hierarchies;
mod lattice_files;
mod outputs;
mod project;
mod requests;
mod sensitive;

use crate::common::{Folder, PEOPLE, Run};
use haggle_testkit::titled;

/// One thing that is wrong: files in the folder and the arguments.
struct Case {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    arguments: Vec<&'static str>,
}

/// A case in an empty folder.
fn bare(name: &'static str, arguments: &[&'static str]) -> Case {
    Case { name, files: Vec::new(), arguments: arguments.to_vec() }
}

/// A case in the folder of the sound project.
fn case(name: &'static str, arguments: &[&'static str]) -> Case {
    let files = PEOPLE.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())).collect();
    Case { files, ..bare(name, arguments) }
}

impl Case {
    /// Replaces or adds one file.
    fn file(mut self, name: &'static str, content: impl Into<Vec<u8>>) -> Self {
        self.files.retain(|(other, _)| *other != name);
        self.files.push((name, content.into()));
        self
    }

    /// Replaces a text in a file.
    fn edit(mut self, name: &str, from: &str, to: &str) -> Self {
        let found = self.files.iter_mut().find(|(other, _)| *other == name);
        let (_, content) = found.expect("the sound project has this file");
        let text = String::from_utf8(content.clone()).expect("the sound project is text");
        assert!(text.contains(from), "{}: {name} has no {from:?}", self.name);
        *content = text.replace(from, to).into_bytes();
        self
    }

    /// Removes a file.
    fn without(mut self, name: &str) -> Self {
        self.files.retain(|(other, _)| *other != name);
        self
    }

    /// The error, which leaves the folder as it was.
    fn error(&self) -> String {
        let folder = Folder::with(self.files.iter().map(|(name, bytes)| (*name, bytes)));
        let before = folder.listing();
        let error = error(&folder.haggle(&self.arguments));
        assert!(folder.listing() == before, "{} changes the folder", self.title());
        error
    }

    fn title(&self) -> String {
        let command = format!("haggle {}", self.arguments.join(" "));
        let is_said = self.name.is_empty() || self.arguments.contains(&self.name);
        if is_said { command } else { format!("{}: {command}", self.name.replace('\n', " ")) }
    }
}

/// The error of a run, which printed nothing else and says what to do.
fn error(run: &Run) -> String {
    let error = run.printed(2);
    assert!(run.stdout.is_empty(), "{run:#?}");
    assert!(error.starts_with("error: "), "{run:#?}");
    assert!(error.contains("fix: ") || error.contains("try '--help'"), "{run:#?}");
    for panic in ["panicked", "RUST_BACKTRACE", "unwrap()"] {
        assert!(!error.contains(panic), "{run:#?}");
    }
    error
}

/// The errors of all cases, for a snapshot; repeated ones once.
fn refused(cases: impl IntoIterator<Item = Case>) -> String {
    let mut errors: Vec<_> = cases.into_iter().map(|case| (case.title(), case.error())).collect();
    errors.dedup();
    titled(errors)
}

#[test]
fn the_sound_project_is_sound() {
    let folder = Folder::people();
    assert_eq!(folder.haggle(&["check", "."]).code, Some(0));
    assert_eq!(folder.haggle(&["ask", ".", "--k", "2"]).code, Some(0));
}
