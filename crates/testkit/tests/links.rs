//! Links of the documentation: every relative link, anchor and named path exists, and every page of
//! the book can be reached from its index.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::workspace::modules::sources;

/// Folders that hold no documentation of the project.
const SKIPPED: &[&str] = &["target", "node_modules", "dist", ".git"];

/// Pages whose paths in code spans must exist, counted from the root of the repository.
const NAMING_PATHS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// What is built, so that it need not exist.
const BUILT: &[&str] = &["web/dist"];

fn root() -> PathBuf {
    normal(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// The path without `.` and `..`, without asking the file system.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => (),
            Component::ParentDir => drop(normal.pop()),
            other => normal.push(other),
        }
    }
    normal
}

/// All Markdown files below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut pages = Vec::new();
    for path in entries.map(|entry| entry.expect("the entry can be read").path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !SKIPPED.contains(&name) {
            pages.extend(self::pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

fn text(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|why| panic!("{}: {why}", page.display()))
}

/// The lines outside fenced code, each with its number.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// A line without its code spans, and the spans themselves.
fn split_code(line: &str) -> (String, Vec<&str>) {
    let parts: Vec<&str> = line.split('`').collect();
    let plain = parts.iter().step_by(2).copied().collect::<Vec<_>>().join("code");
    (plain, parts.into_iter().skip(1).step_by(2).collect())
}

/// The targets of the links and images in a line, inline or as a definition (`[name]: target`).
fn targets(line: &str) -> Vec<String> {
    let (plain, _) = split_code(line);
    let inline = plain.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let defined = plain.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
    inline.chain(defined.map(|(_, target)| target.trim())).map(str::to_owned).collect()
}

fn is_external(target: &str) -> bool {
    ["http://", "https://", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

/// The anchor that a heading gets: lower case, blanks as hyphens, without punctuation.
fn anchor(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let letters = heading.trim().to_lowercase().replace(['`', '*'], "");
    letters.chars().filter(kept).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The anchors of a page; a heading that occurs again gets a number.
fn anchors(page: &Path) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(&text(page)).filter(|(_, line)| line.starts_with('#')) {
        let first = anchor(line.trim_start_matches('#'));
        let again = (1..).map(|number| format!("{first}-{number}"));
        let all = std::iter::once(first.clone()).chain(again);
        let free = all.into_iter().find(|anchor| !anchors.contains(anchor));
        anchors.extend(free);
    }
    anchors
}

/// Where a relative link leads, and to which anchor.
fn destination(page: &Path, target: &str) -> (PathBuf, Option<String>) {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.parent().expect("a page is in a folder");
    let file = if file.is_empty() { page.to_owned() } else { normal(&folder.join(file)) };
    (file, Some(anchor.to_owned()).filter(|anchor| !anchor.is_empty()))
}

/// What is wrong with a relative link, if anything.
fn fault(page: &Path, target: &str) -> Option<&'static str> {
    let (file, anchor) = destination(page, target);
    match anchor {
        _ if !file.exists() => Some("does not exist"),
        Some(anchor) if !anchors(&file).contains(&anchor) => Some("has no such heading"),
        _ => None,
    }
}

/// The relative links of a page, each with its line.
fn links(page: &Path) -> Vec<(usize, String)> {
    let text = text(page);
    let found = prose(&text)
        .flat_map(|(line, words)| targets(words).into_iter().map(move |target| (line, target)));
    found.filter(|(_, target)| !is_external(target)).collect()
}

fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap_or(page).display().to_string()
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_relative_link_and_anchor_exists() {
    let mut complaints = Vec::new();
    let mut followed = 0;
    for page in pages(&root()) {
        for (line, target) in links(&page) {
            followed += 1;
            let fault = fault(&page, &target);
            complaints.extend(fault.map(|why| format!("{}:{line}: {target} {why}", name(&page))));
        }
    }
    assert_none(&complaints);
    assert!(followed > 50, "only {followed} links were found");
}

#[test]
fn every_page_of_the_book_is_reached_from_its_index() {
    let docs = root().join("docs");
    let mut reached = BTreeSet::from([docs.join("README.md")]);
    let mut to_read = vec![docs.join("README.md")];
    while let Some(page) = to_read.pop() {
        for (_, target) in links(&page) {
            let (to, _) = destination(&page, &target);
            let new = if to.is_dir() { pages(&to) } else { vec![to] };
            let is_page =
                |path: &PathBuf| path.is_file() && path.extension().is_some_and(|e| e == "md");
            let new = new.into_iter().filter(is_page);
            to_read.extend(new.filter(|page| reached.insert(page.clone())));
        }
    }
    let lost = pages(&docs).into_iter().filter(|page| !reached.contains(page));
    assert_none(&lost.map(|page| format!("no page leads to {}", name(&page))).collect::<Vec<_>>());
}

#[test]
fn every_path_that_the_pages_for_contributors_name_exists() {
    let folders = ["crates/", "web/", "docs/", "fuzz/", "data/", "examples/", ".github/"];
    let is_path = |word: &&str| {
        let is_written = !BUILT.contains(word) && !word.contains([' ', '*', '<']);
        is_written && folders.iter().any(|folder| word.starts_with(folder))
    };
    let mut complaints = Vec::new();
    for page in NAMING_PATHS {
        let text = text(&root().join(page));
        for (line, words) in prose(&text) {
            let (_, spans) = split_code(words);
            let missing = spans.into_iter().filter(is_path);
            let missing = missing.filter(|path| !root().join(path).exists());
            complaints.extend(missing.map(|path| format!("{page}:{line}: {path} does not exist")));
        }
    }
    assert_none(&complaints);
}

/// Whether a source defines this function for this type: `Type::function`.
fn defines(source: &str, owner: &str, function: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let names = |line: &str, name: &str| line.split(|c| !is_word(c)).any(|word| word == name);
    let opens = |line: &&str| ["impl", "trait", "pub trait"].iter().any(|o| line.starts_with(o));
    let declares = |line: &str| {
        let (_, after) = line.split_once("fn ")?;
        after.strip_prefix(function)?.chars().next().filter(|next| !is_word(*next))
    };
    source.lines().filter(opens).any(|line| names(line, owner))
        && source.lines().any(|line| declares(line).is_some())
}

#[test]
fn every_function_that_the_architecture_names_exists() {
    let sources: Vec<String> =
        sources(&root().join("crates")).iter().map(|file| text(file)).collect();
    let architecture = text(&root().join("ARCHITECTURE.md"));
    let (mut named, mut complaints) = (0, Vec::new());
    for (line, words) in prose(&architecture) {
        for span in split_code(words).1 {
            let Some((owner, function)) = span.split_once("::") else { continue };
            let is_method = owner.starts_with(char::is_uppercase)
                && function.chars().all(|c| c.is_lowercase() || c == '_');
            if is_method {
                named += 1;
                if !sources.iter().any(|source| defines(source, owner, function)) {
                    complaints.push(format!("ARCHITECTURE.md:{line}: {span} does not exist"));
                }
            }
        }
    }
    assert!(named > 5, "only {named} functions were found");
    assert_none(&complaints);
    assert!(defines("impl Visit for CountWorker {\n    fn record(", "CountWorker", "record"));
    assert!(!defines("impl Visit for CountWorker {\n    fn record(", "Worker", "record"));
    assert!(!defines("impl Visit for CountWorker {\n    fn recorded(", "CountWorker", "record"));
}

#[test]
fn a_broken_link_is_noticed() {
    let index = root().join("README.md");
    assert_eq!(fault(&index, "docs/no-such-page.md"), Some("does not exist"));
    assert_eq!(fault(&index, "#no-such-heading"), Some("has no such heading"));
    assert_eq!(fault(&index, "SECURITY.md#what-is-promised"), None);
    assert_eq!(targets("see [a](b.md#c), `[d](e.md)` and ![f](g.png)"), ["b.md#c", "g.png"]);
    assert_eq!(anchor(" What is replaced, and `how`?"), "what-is-replaced-and-how");
}
