//! The commands in `README.md` and in the book give the output that the pages show.
//!
//! A `console` block holds commands after `$ ` and what each prints. A line `…` stands for any lines,
//! `…` at the end of a line for the rest of it. Times are not compared. The commands of a page run in
//! one folder with the files of `examples/clinic`; `make manual` writes outputs without `…` anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use haggle_testkit::process::RunLimited;

use crate::common::{Folder, HAGGLE};

/// A command of a page and the lines that it should print.
struct Shown {
    command: String,
    /// The lines of the page with its output.
    output: std::ops::Range<usize>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages below a folder, in a fixed order.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages.extend(self::pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// The commands in the `console` blocks of a page.
fn commands(lines: &[&str]) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let (mut inside, mut continues) = (false, false);
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            inside = *line == "```console";
        } else if inside && (continues || line.starts_with("$ ")) {
            let part = line.strip_prefix("$ ").unwrap_or(line);
            match shown.last_mut().filter(|_| continues) {
                Some(command) => command.command += part,
                None => shown.push(Shown { command: part.to_owned(), output: 0..0 }),
            }
            shown.last_mut().unwrap().output = number + 1..number + 1;
            continues = line.ends_with('|');
        } else if inside {
            shown.last_mut().expect("a block begins with a command").output.end = number + 1;
        }
    }
    shown
}

/// A folder with the files of the example.
fn clinic() -> Folder {
    let folder = Folder::empty();
    let example = root().join("examples/clinic");
    fs::copy(example.join("patients.csv"), folder.path().join("patients.csv")).unwrap();
    folder
}

/// What a command prints, on both streams.
fn printed(folder: &Folder, command: &str) -> String {
    let bin = Path::new(HAGGLE).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let run = Command::new("sh")
        .args(["-c", &format!("{{ {command} ; }} 2>&1")])
        .env("PATH", format!("{}:{path}", bin.display()))
        .current_dir(folder.path())
        .run_limited();
    String::from_utf8(run.stdout).unwrap()
}

/// A line without the times in it.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let unit = |word: &&str| ["µs", "ms", "s"].contains(&word.trim_end_matches(['.', ',']));
    let is_time = |at: usize| words.get(at + 1).is_some_and(unit) || unit(&words[at]);
    let kept = words.iter().enumerate().map(|(at, word)| if is_time(at) { "#" } else { word });
    let kept = kept.collect::<Vec<_>>().join(" ");
    match kept.split_once("\"micros\":") {
        Some((before, after)) => before.to_owned() + after.trim_start_matches(char::is_numeric),
        None => kept,
    }
}

fn is_like(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (timeless(shown.trim_end()), timeless(printed.trim_end()));
    match shown.strip_suffix('…') {
        Some(start) => printed.starts_with(start),
        None => shown == printed,
    }
}

/// Whether what a page shows is what was printed.
fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        ([line, rest @ ..], _) if line.trim() == "…" => {
            (0..=printed.len()).any(|skipped| agrees(rest, &printed[skipped..]))
        }
        ([line, rest @ ..], [first, others @ ..]) => is_like(line, first) && agrees(rest, others),
        _ => false,
    }
}

/// A page after its commands were run.
#[derive(Default)]
struct Checked {
    /// The page with the outputs that were printed, where they can be written.
    written: String,
    /// What can be written.
    outdated: Vec<String>,
    /// What a person must correct, because the page shows a part of it.
    wrong: Vec<String>,
}

impl Checked {
    fn copy(&mut self, lines: &[&str]) {
        for line in lines {
            self.written += line;
            self.written += "\n";
        }
    }

    /// Compares an output with what the page shows.
    fn compare(&mut self, shown: &[&str], printed: &[&str], complaint: String) {
        let is_whole = !shown.iter().any(|line| line.ends_with('…'));
        if agrees(shown, printed) {
            self.copy(shown);
        } else if is_whole {
            self.copy(printed);
            self.outdated.push(complaint);
        } else {
            self.copy(shown);
            self.wrong.push(complaint);
        }
    }
}

/// Runs the commands of a page.
fn checked(page: &Path) -> Checked {
    let text = fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (mut checked, mut copied) = (Checked::default(), 0);
    let folder = clinic();
    for Shown { command, output } in commands(&lines) {
        let printed = printed(&folder, &command);
        let complaint = format!("{}: $ {command}\n{printed}", page.display());
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        checked.copy(&lines[copied..output.start]);
        checked.compare(&lines[output.clone()], &printed, complaint);
        copied = output.end;
    }
    checked.copy(&lines[copied..]);
    checked
}

#[test]
fn commands_print_what_the_pages_show() {
    let pages = [vec![root().join("README.md")], pages(&root().join("docs"))].concat();
    let mut complaints = Vec::new();
    for page in &pages {
        let Checked { written, outdated, wrong } = checked(page);
        complaints.extend(wrong);
        if std::env::var_os("HAGGLE_WRITE_MANUAL").is_none() {
            complaints.extend(outdated);
        } else if !outdated.is_empty() {
            fs::write(page, written).unwrap();
        }
    }
    assert!(complaints.is_empty(), "make manual writes what it can:\n{}", complaints.join("\n"));
}
