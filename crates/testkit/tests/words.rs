//! The project is written in plain technical English: phrases of `words.txt` do not occur in the
//! sources, the documentation and the page.
//!
//! `HAGGLE_WORDS=crates/model,docs` checks only these folders and files.

use std::fs;
use std::path::{Path, PathBuf};

/// The list of phrases and exceptions; its format is described at its beginning.
const LIST: &str = include_str!("words.txt");

/// Kinds of files that people read.
const EXTENSIONS: &[&str] = &["rs", "md", "ts", "svelte", "js", "css", "html", "toml", "txt"];

/// A phrase and its replacement.
struct Phrase {
    phrase: &'static str,
    instead: &'static str,
}

/// A phrase that one file may use, for a reason.
#[derive(Debug)]
struct Exception {
    file: &'static str,
    phrase: &'static str,
}

/// Parses the list. An exception must have a reason.
fn list() -> (Vec<Phrase>, Vec<Exception>) {
    let (mut phrases, mut exceptions) = (Vec::new(), Vec::new());
    for line in LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(exception) = line.strip_prefix("except ") {
            exceptions.push(exception_of(exception));
        } else {
            let (phrase, instead) = line.split_once(" => ").expect("PHRASE => REPLACEMENT");
            phrases.push(Phrase { phrase, instead });
        }
    }
    (phrases, exceptions)
}

fn exception_of(line: &'static str) -> Exception {
    let parts: Vec<&str> = line.split(" | ").collect();
    let [file, phrase, reason] = parts[..] else { panic!("FILE | PHRASE | REASON: {line}") };
    assert!(!reason.trim().is_empty(), "an exception has a reason: {line}");
    Exception { file, phrase }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources of all crates, the documentation, the page, and the two pages at the root.
fn places() -> Vec<String> {
    let crates = fs::read_dir(root().join("crates")).expect("there are crates");
    let sources = crates.filter_map(Result::ok).map(|folder| folder.file_name());
    let sources = sources.map(|name| format!("crates/{}/src", name.to_string_lossy()));
    let others = ["docs", "web/src", "README.md", "ARCHITECTURE.md"].map(String::from);
    sources.chain(others).collect()
}

/// Collects the files below a folder that people read.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder can be read");
        entries.filter_map(Result::ok).for_each(|entry| collect(&entry.path(), files));
    } else if path.extension().is_some_and(|e| EXTENSIONS.iter().any(|&known| e == known)) {
        files.push(path.to_owned());
    }
}

/// The files to check, relative to the root, sorted.
fn files() -> Vec<String> {
    let mut files = Vec::new();
    for place in places() {
        collect(&root().join(place), &mut files);
    }
    let relative = |file: &PathBuf| {
        let file = file.strip_prefix(root()).expect("below the root");
        file.to_string_lossy().replace('\\', "/")
    };
    let mut files: Vec<String> = files.iter().map(relative).filter(|file| is_asked(file)).collect();
    files.sort();
    files
}

/// Whether a file is among those that the environment variable restricts the check to.
fn is_asked(file: &str) -> bool {
    match std::env::var("HAGGLE_WORDS") {
        Ok(asked) => asked.split(',').any(|folder| file.starts_with(folder.trim())),
        Err(_) => true,
    }
}

/// Whether a line contains a phrase as whole words.
fn contains(line: &str, phrase: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let bounded = |at: usize| {
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        let before_it = [before.chars().next_back(), phrase.chars().next()];
        let after_it = [phrase.chars().next_back(), after.chars().next()];
        [before_it, after_it].iter().all(|sides| !sides.iter().all(|&side| is_word(side)))
    };
    line.match_indices(phrase).any(|(at, _)| bounded(at))
}

/// The phrases of a line, without those that are part of a longer one that it contains, too.
fn found<'p>(line: &str, phrases: &'p [Phrase]) -> Vec<&'p Phrase> {
    let here: Vec<&Phrase> = phrases.iter().filter(|p| contains(line, p.phrase)).collect();
    let is_part = |phrase: &Phrase| {
        here.iter()
            .any(|p| p.phrase.len() > phrase.phrase.len() && p.phrase.contains(phrase.phrase))
    };
    here.iter().copied().filter(|phrase| !is_part(phrase)).collect()
}

#[test]
fn sources_documentation_and_page_use_plain_words() {
    let (phrases, exceptions) = list();
    let mut hits = Vec::new();
    for file in files() {
        let text = fs::read_to_string(root().join(&file)).expect("a text file");
        for (number, line) in text.lines().enumerate() {
            for Phrase { phrase, instead } in found(line, &phrases) {
                let excepted = |e: &Exception| e.file == file && e.phrase == *phrase;
                if !exceptions.iter().any(excepted) {
                    hits.push(format!("{file}:{}: {phrase} → {instead}", number + 1));
                }
            }
        }
    }
    assert!(hits.is_empty(), "{} phrases to replace:\n{}", hits.len(), hits.join("\n"));
}

#[test]
fn every_exception_is_still_needed() {
    let unneeded = |exception: &Exception| {
        let text = fs::read_to_string(root().join(exception.file)).unwrap_or_default();
        !text.lines().any(|line| contains(line, exception.phrase))
    };
    let unneeded: Vec<Exception> = list().1.into_iter().filter(unneeded).collect();
    assert!(unneeded.is_empty(), "remove from words.txt: {unneeded:?}");
}

#[test]
fn phrases_are_matched_as_whole_words_with_their_case() {
    assert!(contains("/// It is told.", "told") && contains("is told", "is told"));
    assert!(!contains("untold", "told") && !contains("told_apart", "told"));
    assert!(contains("x.told()", "told()") && !contains("x.retold()", "told()"));
    assert!(contains("Whoever asks", "Whoever") && !contains("whoever asks", "Whoever"));
    let (phrases, _) = list();
    let named: Vec<&str> = found("what is told here", &phrases).iter().map(|p| p.phrase).collect();
    assert_eq!(named, ["is told"], "the longest phrase is reported");
}
