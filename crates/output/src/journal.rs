//! The journal of a transaction: which temporary files it made, and in the end what becomes of them.
//!
//! One JSON value a line. The process that writes a journal holds a lock on it, so a journal that
//! can be locked belongs to a process that has ended. Names without a folder are in the journal's
//! own.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::append::Append;
use crate::encoded;
use crate::mode::create_private;

/// The version of the journal's format. Version 1 could neither add lines nor wait for anything.
const VERSION: u32 = 2;

/// A line of a journal as it is written; lines may be long, so nothing is copied.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum JournalLine<'a> {
    Version(u32),
    Temporary(#[serde(with = "encoded")] &'a Path),
    Prepared { commit: &'a Commit, event: &'a str },
    Commit(&'a Commit),
}

/// A line of a journal as it is read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum JournalRecord {
    /// The first line.
    Version(u32),
    /// A temporary file that is about to be made.
    Temporary(#[serde(with = "encoded")] PathBuf),
    /// Everything is written, and this is to happen if something outside of these files happened.
    Prepared(PreparedCommit),
    /// The last line: everything is written, and this is to happen.
    Commit(Commit),
}

/// What a complete journal asks for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Commit {
    pub(super) files: Vec<JournalEntry>,
    pub(super) remove: Vec<Removal>,
    #[serde(default)]
    pub(super) append: Vec<Append>,
}

/// What is to happen, and the event that decides on it, as a text for the function that can look it
/// up.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct PreparedCommit {
    pub(super) commit: Commit,
    pub(super) event: String,
}

/// A temporary file and its final place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JournalEntry {
    #[serde(with = "encoded")]
    pub(super) temporary: PathBuf,
    #[serde(with = "encoded")]
    pub(super) path: PathBuf,
    pub(super) sha256: String,
    pub(super) mode: u32,
}

/// An earlier file that nothing replaces.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Removal {
    #[serde(with = "encoded")]
    pub(super) path: PathBuf,
}

/// What a journal says so far.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) temporaries: Vec<PathBuf>,
    /// What is to happen, if the journal is complete.
    pub(super) commit: Option<Commit>,
    /// What is to happen if an event did, where that is not known yet.
    pub(super) prepared: Option<PreparedCommit>,
}

impl Contents {
    /// Whether every file was written.
    fn is_final(&self) -> bool {
        self.commit.is_some() || self.prepared.is_some()
    }
}

/// A journal that this process writes, or one that was left and is now held by this process.
#[derive(Debug)]
pub(super) struct Journal {
    pub(super) path: PathBuf,
    file: File,
}

impl Journal {
    /// A new journal. The caller must keep others from looking for journals of this output: it is
    /// not locked yet when it appears.
    pub(super) fn create(path: PathBuf) -> io::Result<Self> {
        let file = create_private(&path)?;
        let mut journal = Self { path, file };
        // Where a file system has no locks, no other process can lock it, so none removes it.
        let _ = journal.file.try_lock();
        journal.append(&JournalLine::Version(VERSION)).inspect_err(|_| journal.remove())?;
        Ok(journal)
    }

    /// A journal that was left behind; `None` if a living process holds it, or if it is not ours:
    /// what another user's journal asks for is not done in this user's name.
    pub(super) fn left_behind(path: &Path) -> io::Result<Option<Self>> {
        if !path.symlink_metadata()?.is_file() {
            return Ok(None);
        }
        let file = File::options().read(true).write(true).open(path)?;
        let free = file.try_lock().is_ok() && is_own(&file)?;
        Ok(free.then(|| Self { path: path.to_owned(), file }))
    }

    /// Whether a journal is complete and not locked, as far as this user can see.
    pub(super) fn waits(path: &Path) -> bool {
        let Ok(file) = File::open(path) else { return false };
        let free = file.try_lock().is_ok();
        let journal = Self { path: path.to_owned(), file };
        free && journal.contents().is_ok_and(|contents| contents.is_final())
    }

    /// Notes a temporary file before it is made.
    pub(super) fn note(&mut self, temporary: &Path) -> io::Result<()> {
        self.append(&JournalLine::Temporary(temporary))
    }

    /// Makes the journal complete, on the disk. Returns how long it was before.
    pub(super) fn commit(&mut self, commit: &Commit) -> io::Result<u64> {
        self.append_synced(&JournalLine::Commit(commit))
    }

    /// Makes the journal complete but for an event, on the disk.
    pub(super) fn prepare(&mut self, commit: &Commit, event: &str) -> io::Result<()> {
        self.append_synced(&JournalLine::Prepared { commit, event }).map(drop)
    }

    fn append_synced(&mut self, record: &JournalLine<'_>) -> io::Result<u64> {
        let before = self.file.metadata()?.len();
        let written = self.append(record).and_then(|()| self.sync());
        written.inspect_err(|_| {
            let _ = self.shorten(before);
        })?;
        Ok(before)
    }

    /// Takes back what was written since the journal had this length.
    pub(super) fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.sync()
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    fn append(&mut self, record: &JournalLine<'_>) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// What the journal says. A last line that is not whole was never written.
    pub(super) fn contents(&self) -> io::Result<Contents> {
        let mut text = Vec::new();
        (&self.file).seek(SeekFrom::Start(0))?;
        (&self.file).read_to_end(&mut text)?;
        let mut contents = Contents::default();
        let lines = text.split(|&byte| byte == b'\n');
        for record in lines.map_while(|line| serde_json::from_slice(line).ok()) {
            match record {
                JournalRecord::Version(1..=VERSION) => {}
                JournalRecord::Version(newer) => return Err(unknown(newer)),
                JournalRecord::Temporary(path) => contents.temporaries.push(path),
                JournalRecord::Prepared(prepared) => contents.prepared = Some(prepared),
                JournalRecord::Commit(commit) => contents.commit = Some(commit),
            }
        }
        Ok(contents)
    }

    /// The folder that names without one are in.
    pub(super) fn folder(&self) -> &Path {
        super::target::folder(&self.path)
    }

    /// Removes the journal, once nothing that it lists is left.
    pub(super) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn unknown(version: u32) -> io::Error {
    let what = format!(
        "an unfinished output has a journal of version {version}, and this haggle knows up to {VERSION}"
    );
    io::Error::new(ErrorKind::Unsupported, what)
}

/// Whether a file belongs to the user whom this process runs as.
#[cfg(unix)]
fn is_own(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(file.metadata()?.uid() == tempfile::tempfile()?.metadata()?.uid())
}

#[cfg(not(unix))]
fn is_own(_: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn journal(folder: &TempDir) -> Journal {
        Journal::create(folder.path().join("out.journal")).unwrap()
    }

    /// What a transaction with one file, one removal and one line asks for.
    fn commit() -> Commit {
        let entry = JournalEntry {
            temporary: ".temporary".into(),
            path: "out.csv".into(),
            sha256: "00".into(),
            mode: 0o600,
        };
        Commit {
            files: vec![entry],
            remove: vec![Removal { path: "old.csv".into() }],
            append: vec![Append { path: "log".into(), line: "line".into() }],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder);
        let temporaries = [".temporary", "100%\nodd"].map(PathBuf::from);
        for temporary in &temporaries {
            journal.note(temporary).unwrap();
        }
        journal.prepare(&commit(), "row 7").unwrap();
        let contents = journal.contents().unwrap();
        assert_eq!(contents.temporaries, temporaries);
        assert!(contents.commit.is_none());
        assert_eq!(contents.prepared.unwrap().event, "row 7");
        journal.commit(&commit()).unwrap();
        let read = journal.contents().unwrap().commit.unwrap();
        assert_eq!(format!("{read:?}"), format!("{:?}", commit()));
    }

    #[test]
    fn half_a_last_line_was_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = journal(&folder);
        journal.note(Path::new(".temporary")).unwrap();
        let before = journal.commit(&commit()).unwrap();
        let whole = journal.file.metadata().unwrap().len() - 1; // without the end of the line
        for length in (before..whole).rev() {
            journal.file.set_len(length).unwrap();
            let contents = journal.contents().unwrap();
            assert!(!contents.is_final(), "{} of {} bytes", length - before, whole - before);
            assert_eq!(contents.temporaries.len(), 1);
        }
    }

    #[test]
    fn earlier_versions_are_read_and_later_ones_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.journal");
        let asked = r#"{"commit":{"files":[],"remove":[{"path":"old.csv"}]}}"#;
        let read = |version: u32| {
            fs::write(&path, format!("{{\"version\":{version}}}\n{asked}\n")).unwrap();
            Journal::left_behind(&path).unwrap().unwrap().contents()
        };
        let commit = read(1).unwrap().commit.unwrap();
        assert_eq!(commit.remove[0].path, Path::new("old.csv"));
        assert!(commit.append.is_empty());
        let error = read(VERSION + 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().contains(&format!("version {}", VERSION + 1)), "{error}");
    }

    #[test]
    fn a_journal_is_left_behind_once_its_process_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        for is_complete in [false, true] {
            let mut journal = journal(&folder);
            let path = journal.path.clone();
            if is_complete {
                journal.commit(&commit()).unwrap();
            }
            assert!(Journal::left_behind(&path).unwrap().is_none());
            assert!(!Journal::waits(&path));
            drop(journal);
            assert_eq!(Journal::waits(&path), is_complete);
            Journal::left_behind(&path).unwrap().unwrap().remove();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_journal_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let left = journal(&folder).path;
        let link = folder.path().join("link.journal");
        std::os::unix::fs::symlink(&left, &link).unwrap();
        assert!(Journal::left_behind(&link).unwrap().is_none());
        assert!(Journal::left_behind(&left).unwrap().is_some());
    }
}
