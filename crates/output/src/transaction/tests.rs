//! Transactions that are committed, dropped, refused, prepared and killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use haggle_model::{Error, ErrorKind};
use tempfile::TempDir;

use super::Transaction;
use crate::recover::append;
use crate::{Event, Readers, Recovery, recover, recover_by};

/// How long a test waits for what must not happen.
const SHORT: Duration = Duration::from_millis(100);
/// How long a test waits for what must happen.
const LIMIT: Duration = Duration::from_mins(1);

const OLD: [&str; 2] = ["data.csv: old data", "data.csv.json: old note"];
const NEW: [&str; 2] = ["data.csv: new data", "data.csv.json: new note"];

/// An earlier output of two files, alone in its folder.
struct EarlierOutput {
    folder: TempDir,
    data: PathBuf,
    note: PathBuf,
}

impl EarlierOutput {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [data, note] = ["data.csv", "data.csv.json"].map(|name| folder.path().join(name));
        fs::write(&data, "old data").unwrap();
        fs::write(&note, "old note").unwrap();
        Self { folder, data, note }
    }

    /// Begins a transaction that has written both files.
    fn rewrite(&self) -> Transaction {
        let mut transaction = Transaction::begin(&self.data).unwrap();
        transaction.write(&self.data, b"new data", Readers::AsUsual).unwrap();
        transaction.write(&self.note, b"new note", Readers::Owner).unwrap();
        transaction
    }

    /// Begins a transaction that has written both files and made its journal complete.
    fn rewrite_in_journal(&self) -> Transaction {
        let mut transaction = self.rewrite();
        transaction.journal.commit(&transaction.commit).unwrap();
        transaction
    }

    /// Returns every file of the folder with its content, hidden ones included.
    fn files(&self) -> Vec<String> {
        let entries = self.folder.path().read_dir().unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| described(path)).collect()
    }
}

fn described(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    format!("{name}: {}", content(path))
}

fn content(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Ends a transaction as a killed process does: its locks are released and nothing is removed.
fn kill(mut transaction: Transaction) {
    transaction.committed = true;
    drop(transaction);
}

#[test]
fn a_committed_transaction_replaces_all_files_and_leaves_nothing_else() {
    let output = EarlierOutput::new();
    let stale = output.folder.path().join("stale");
    fs::write(&stale, "").unwrap();
    let mut transaction = output.rewrite();
    transaction.remove(&stale).unwrap();
    assert_eq!((content(&output.data), stale.exists()), ("old data".to_owned(), true));
    transaction.commit().unwrap();
    assert_eq!(output.files(), NEW);
}

#[test]
fn a_file_that_was_staged_and_not_sealed_does_not_stay() {
    let output = EarlierOutput::new();
    let mut transaction = output.rewrite();
    let staged = transaction.stage(&output.folder.path().join("other"), Readers::Owner).unwrap();
    let path = staged.path().to_owned();
    drop(staged);
    assert!(path.exists());
    transaction.commit().unwrap();
    assert_eq!(output.files(), NEW);
}

#[test]
fn a_dropped_transaction_leaves_the_earlier_files_and_nothing_else() {
    let output = EarlierOutput::new();
    let mut transaction = output.rewrite();
    transaction.append(&output.folder.path().join("log"), "line".into()).unwrap();
    transaction.remove(&output.note).unwrap();
    drop(transaction);
    assert_eq!(output.files(), OLD);
}

#[test]
fn a_refused_commit_leaves_the_earlier_files_and_nothing_else() {
    let output = EarlierOutput::new();
    let refuse = || Err(Error::new("the output has changed", "look at it first"));
    let refused = output.rewrite().commit_if(refuse).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::BadInput);
    assert!(refused.to_string().contains("has changed"), "{refused}");
    assert_eq!(output.files(), OLD);
}

#[test]
fn a_missing_folder_is_refused_and_not_created() {
    let output = EarlierOutput::new();
    let elsewhere = output.folder.path().join("none").join("data.csv");
    let mut transaction = output.rewrite();
    let refusals = [
        Transaction::begin(&elsewhere).map(drop),
        transaction.write(&elsewhere, b"", Readers::Owner),
        transaction.append(&elsewhere, "line".into()),
    ];
    for refused in refusals {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().contains(&elsewhere.display().to_string()), "{error}");
    }
    transaction.commit().unwrap();
    assert_eq!(output.files(), NEW, "the other files are still written");
}

#[test]
fn a_kill_before_the_journal_is_complete_is_undone() {
    let output = EarlierOutput::new();
    kill(output.rewrite());
    assert_eq!(content(&output.data), "old data");
    assert_eq!(recover(&output.data).unwrap(), Recovery::Removed);
    assert_eq!(output.files(), OLD);
    assert_eq!(recover(&output.data).unwrap(), Recovery::Nothing);
}

#[test]
fn a_kill_after_the_journal_is_complete_is_carried_out() {
    for renamed in 0..=2 {
        let output = EarlierOutput::new();
        let transaction = output.rewrite_in_journal();
        for entry in &transaction.commit.files[..renamed] {
            let [from, to] = [&entry.temporary, &entry.path].map(|p| output.folder.path().join(p));
            fs::rename(from, to).unwrap();
        }
        kill(transaction);
        assert_eq!(recover(&output.data).unwrap(), Recovery::Completed, "{renamed} renamed");
        assert_eq!(output.files(), NEW, "{renamed} renamed");
        assert_eq!(recover(&output.data).unwrap(), Recovery::Nothing);
    }
}

#[test]
fn the_next_transaction_settles_what_a_killed_one_left() {
    let output = EarlierOutput::new();
    kill(output.rewrite_in_journal());
    drop(Transaction::begin(&output.data).unwrap());
    assert_eq!(output.files(), NEW);
    kill(output.rewrite());
    drop(Transaction::begin(&output.data).unwrap());
    assert_eq!(output.files(), NEW);
}

#[test]
fn a_line_is_added_once_however_often_it_is_recovered() {
    for added_before in [false, true] {
        let output = EarlierOutput::new();
        let log = output.folder.path().join("log");
        fs::write(&log, "first\n").unwrap();
        let mut transaction = output.rewrite();
        transaction.append(&log, "second".into()).unwrap();
        transaction.journal.commit(&transaction.commit).unwrap();
        if added_before {
            append(output.folder.path(), &transaction.commit).unwrap();
        }
        let journal = transaction.journal.path.clone();
        let text = fs::read(&journal).unwrap();
        kill(transaction);
        for _ in 0..3 {
            // As if the process that recovered was killed before it removed the journal.
            fs::write(&journal, &text).unwrap();
            assert_eq!(recover(&output.data).unwrap(), Recovery::Completed);
        }
        assert_eq!(content(&log), "first\nsecond\n", "added before: {added_before}");
    }
}

#[test]
fn a_prepared_transaction_is_decided_by_its_event() {
    for (event, recovery, files) in
        [(Event::Happened, Recovery::Completed, NEW), (Event::Failed, Recovery::Removed, OLD)]
    {
        let output = EarlierOutput::new();
        let mut transaction = output.rewrite();
        transaction.prepare("row 7").unwrap();
        drop(transaction);
        assert_eq!(recover(&output.data).unwrap(), Recovery::Interrupted);
        assert_eq!(content(&output.data), "old data", "nothing is decided yet");
        let decide = |name: &str| if name == "row 7" { event } else { Event::Unknown };
        assert_eq!(recover_by(&output.data, &decide).unwrap(), recovery);
        assert_eq!(output.files(), files);
    }
}

#[test]
fn recovery_does_not_touch_a_living_transaction() {
    let output = EarlierOutput::new();
    let transaction = output.rewrite();
    assert_eq!(recover(&output.data).unwrap(), Recovery::Nothing);
    transaction.commit().unwrap();
    assert_eq!(output.files(), NEW);
}

#[test]
fn commits_of_one_output_wait_for_each_other() {
    let output = EarlierOutput::new();
    let first = output.rewrite();
    let mut second = Transaction::begin(&output.data).unwrap();
    second.write(&output.data, b"later data", Readers::AsUsual).unwrap();
    let (send, committed) = mpsc::channel();
    let begin_second = || {
        thread::spawn(move || send.send(second.commit().is_ok()));
        assert_eq!(committed.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
        Ok::<(), Error>(())
    };
    first.commit_if(begin_second).unwrap();
    assert_eq!(committed.recv_timeout(LIMIT), Ok(true));
    assert_eq!(output.files(), ["data.csv: later data", "data.csv.json: new note"]);
}

#[cfg(unix)]
#[test]
fn temporary_files_are_private_and_final_ones_as_asked() {
    let output = EarlierOutput::new();
    let usual = mode(&output.data);
    let transaction = output.rewrite();
    let entries = output.folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let is_hidden = |path: &PathBuf| ![&output.data, &output.note].contains(&path);
    let hidden: Vec<PathBuf> = entries.filter(is_hidden).collect();
    assert_eq!(hidden.len(), 3, "a journal and two temporary files: {hidden:?}");
    for path in &hidden {
        assert_eq!(mode(path), 0o600, "{}", path.display());
    }
    transaction.commit().unwrap();
    assert_eq!((mode(&output.data), mode(&output.note)), (usual, 0o600));
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A file is staged under a name of its own, so the length of its final name is checked before.
#[test]
fn a_name_that_no_file_can_have_is_refused_before_anything_is_written() {
    let output = EarlierOutput::new();
    let long = output.folder.path().join("x".repeat(256));
    let before = std::fs::read_dir(output.folder.path()).unwrap().count();
    let mut transaction = output.rewrite();
    for refused in [
        Transaction::begin(&long).map(drop),
        transaction.write(&long, b"", Readers::Owner),
        transaction.append(&long, "line".into()),
    ] {
        let error = refused.unwrap_err();
        assert!(error.to_string().contains("too long"), "{error}");
    }
    drop(transaction);
    assert_eq!(std::fs::read_dir(output.folder.path()).unwrap().count(), before);
}
