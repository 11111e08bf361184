//! Interrupted transactions that are whole, damaged, undecided or of another version.

use std::fs;
use std::path::{Path, PathBuf};

use haggle_model::ErrorKind;
use tempfile::TempDir;

use super::{Event, Recovery, recover, recover_by};
use crate::target::OutputTarget;
use crate::{Readers, Transaction};

/// Leaves a transaction that is prepared for an event; returns its temporary files.
fn interrupt(output: &Path, event: &str, content: &str, paths: &[&PathBuf]) -> Vec<PathBuf> {
    let mut transaction = Transaction::begin(output).unwrap();
    let mut temporaries = Vec::new();
    for path in paths {
        let staged = transaction.stage(path, Readers::Owner).unwrap();
        temporaries.push(staged.path().to_owned());
        transaction.fill(staged, content.as_bytes()).unwrap();
    }
    transaction.prepare(event).unwrap();
    temporaries
}

fn happened(_: &str) -> Event {
    Event::Happened
}

/// Returns every file of a folder with its content, hidden ones included.
fn files(folder: &TempDir) -> Vec<String> {
    let described = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        format!("{name}: {}", fs::read_to_string(&path).unwrap())
    };
    let entries = folder.path().read_dir().unwrap();
    let mut files: Vec<String> = entries.map(|entry| described(entry.unwrap().path())).collect();
    files.sort();
    files
}

#[test]
fn one_damaged_file_undoes_the_whole_transaction() {
    let damages: [fn(&Path); 2] = [
        |temporary| fs::write(temporary, "other").unwrap(),
        |temporary| fs::remove_file(temporary).unwrap(),
    ];
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        let [data, note] = ["data", "note"].map(|name| folder.path().join(name));
        fs::write(&data, "old").unwrap();
        let temporaries = interrupt(&data, "event", "new", &[&data, &note]);
        damage(&temporaries[1]);
        assert_eq!(recover_by(&data, &happened).unwrap(), Recovery::Removed);
        assert_eq!(files(&folder), ["data: old"]);
    }
}

#[test]
fn files_of_other_folders_are_put_in_place_unless_their_folder_has_gone() {
    let (own, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, copy) = (own.path().join("data"), other.path().join("copy"));
    interrupt(&data, "event", "new", &[&data, &copy]);
    assert_eq!(recover_by(&data, &happened).unwrap(), Recovery::Completed);
    assert_eq!(files(&own), ["data: new"]);
    assert_eq!(files(&other), ["copy: new"]);
    interrupt(&data, "event", "newer", &[&data, &copy]);
    other.close().unwrap();
    assert_eq!(recover_by(&data, &happened).unwrap(), Recovery::Completed);
    assert_eq!(files(&own), ["data: newer"]);
}

#[test]
fn of_several_outcomes_the_one_that_needs_most_attention_is_reported() {
    for (one, other, reported) in [
        (Event::Failed, Event::Failed, Recovery::Removed),
        (Event::Failed, Event::Happened, Recovery::Completed),
        (Event::Happened, Event::Unknown, Recovery::Interrupted),
        (Event::Failed, Event::Unknown, Recovery::Interrupted),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let [data, note] = ["data", "note"].map(|name| folder.path().join(name));
        interrupt(&data, "one", "new", &[&data]);
        interrupt(&data, "other", "new", &[&note]);
        let decide = |event: &str| if event == "one" { one } else { other };
        assert_eq!(recover_by(&data, &decide).unwrap(), reported, "{one:?}, {other:?}");
        assert_eq!(data.exists(), one == Event::Happened, "{one:?}, {other:?}");
        assert_eq!(note.exists(), other == Event::Happened, "{one:?}, {other:?}");
    }
}

#[test]
fn a_journal_of_a_later_version_is_an_error_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let journal = OutputTarget::of(&data).journal(7);
    fs::write(&journal, "{\"version\":99}\n{\"temporary\":\"kept\"}\n").unwrap();
    fs::write(folder.path().join("kept"), "").unwrap();
    let error = recover(&data).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("version 99"), "{error}");
    assert!(journal.exists() && folder.path().join("kept").exists());
    assert!(Transaction::begin(&data).is_err(), "no transaction begins next to it");
}

#[test]
fn where_no_transaction_was_begun_nothing_is_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let [data, missing] = ["data", "none/data"].map(|name| folder.path().join(name));
    fs::write(OutputTarget::of(&data).lock(), "").unwrap();
    for output in [data, missing] {
        assert_eq!(recover(&output).unwrap(), Recovery::Nothing, "{}", output.display());
    }
    assert!(files(&folder).is_empty(), "the lock of a dead process is removed");
}
