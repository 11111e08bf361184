//! Several files written as one: all of them replace their predecessors, or none does.
//!
//! The journal is locked while its process lives, and a lock for each output orders commits. So
//! recovery, with which every transaction begins, knows what to do with a journal that nobody
//! holds: a complete one is carried out, an incomplete one undone. A transaction that waits for an
//! outside event, such as the commit of a database, is prepared first; recovery then asks whether
//! the event happened.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::append::Append;
use crate::guard::LockFile;
use crate::journal::{Commit, Contents, Journal, JournalEntry, Removal};
use crate::mode::{Readers, create_private};
use crate::recover::{Event, append, complete, discard, lock_folders, settle, sync_folders};
use crate::sha256_of;
use crate::target::{self, OutputTarget, folder};
use haggle_model::Error;

/// Files under way to their final places. Dropped without [`commit`](Self::commit), it leaves
/// nothing.
///
/// ```
/// use haggle_output::{Readers, Transaction};
/// let folder = tempfile::tempdir()?;
/// let (data, note) = (folder.path().join("data.csv"), folder.path().join("data.csv.json"));
/// let mut transaction = Transaction::begin(&data)?;
/// transaction.write(&data, b"age\n*\n", Readers::AsUsual)?;
/// transaction.write(&note, b"{}", Readers::AsUsual)?;
/// assert!(!data.exists() && !note.exists());
/// transaction.commit()?;
/// assert!(data.exists() && note.exists());
/// assert_eq!(folder.path().read_dir()?.count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Transaction {
    target: OutputTarget,
    id: u64,
    journal: Journal,
    temporaries: Vec<PathBuf>,
    commit: Commit,
    /// Whether the journal says what is to happen, so that it must stay until that is done.
    committed: bool,
}

/// A temporary file of a transaction, which only its owner can read.
#[derive(Debug)]
pub struct Staged {
    file: File,
    path: PathBuf,
    entry: JournalEntry,
}

impl Staged {
    /// Where it is until the transaction is committed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to be written.
    pub fn writer(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

impl Transaction {
    /// A transaction whose main file is `output`. What processes that were killed left of the same
    /// output is completed or removed first.
    pub fn begin(output: &Path) -> Result<Self, Error> {
        target::check(output)?;
        let target = OutputTarget::of(output);
        let id = rand::random();
        let begun = || {
            let _guard = LockFile::take(target.lock())?;
            settle(&target, &|_| Event::Unknown)?;
            Journal::create(target.journal(id))
        };
        let journal = begun().map_err(Error::io(output))?;
        let (temporaries, commit) = (Vec::new(), Commit::default());
        Ok(Self { target, id, journal, temporaries, commit, committed: false })
    }

    /// An empty temporary file in the folder of `path`, its final place.
    pub fn stage(&mut self, path: &Path, readers: Readers) -> Result<Staged, Error> {
        target::check(path)?;
        self.try_stage(path, readers).map_err(Error::io(path))
    }

    fn try_stage(&mut self, path: &Path, readers: Readers) -> io::Result<Staged> {
        let name = self.target.temporary(self.id, self.temporaries.len());
        let path = self.noted(path)?;
        let entry = JournalEntry {
            temporary: path.with_file_name(name),
            path,
            sha256: String::new(),
            mode: readers.mode(),
        };
        self.journal.note(&entry.temporary)?;
        self.temporaries.push(entry.temporary.clone());
        let path = self.target.folder.join(&entry.temporary);
        Ok(Staged { file: create_private(&path)?, path, entry })
    }

    /// A path as the journal notes it: just the name in its own folder.
    fn noted(&self, path: &Path) -> io::Result<PathBuf> {
        let name = path.file_name().unwrap_or_default();
        let other = folder(path).canonicalize()?;
        let own = other == self.target.folder.canonicalize()?;
        Ok(if own { name.into() } else { other.join(name) })
    }

    /// Takes a temporary file whose content is final and has this SHA-256.
    pub fn seal(&mut self, staged: Staged, sha256: String) -> Result<(), Error> {
        staged.file.sync_all().map_err(Error::io(&self.target.path))?;
        self.commit.files.push(JournalEntry { sha256, ..staged.entry });
        Ok(())
    }

    /// Adds a file with this content.
    pub fn write(&mut self, path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Error> {
        let staged = self.stage(path, readers)?;
        self.fill(staged, bytes)
    }

    /// Gives a temporary file its content.
    pub fn fill(&mut self, staged: Staged, bytes: &[u8]) -> Result<(), Error> {
        let path = self.target.folder.join(&staged.entry.path);
        (&staged.file).write_all(bytes).map_err(Error::io(&path))?;
        self.seal(staged, sha256_of(bytes))
    }

    /// Removes an earlier file that no file of this transaction replaces.
    pub fn remove(&mut self, path: &Path) -> Result<(), Error> {
        let path = self.noted(path).map_err(Error::io(path))?;
        self.commit.remove.push(Removal { path });
        Ok(())
    }

    /// Adds a line to the end of a private file when the transaction is committed. The line must
    /// differ from every other line of the file.
    pub fn append(&mut self, path: &Path, line: String) -> Result<(), Error> {
        target::check(path)?;
        self.probe(path).map_err(Error::io(path))?;
        let path = self.noted(path).map_err(Error::io(path))?;
        self.commit.append.push(Append { path, line });
        Ok(())
    }

    /// Fails if no line can be added to a file.
    fn probe(&mut self, path: &Path) -> io::Result<()> {
        if path.symlink_metadata().is_ok() {
            return File::options().append(true).open(path).map(drop);
        }
        let staged = self.try_stage(path, Readers::Owner)?;
        std::fs::remove_file(staged.path())
    }

    /// Makes the transaction one that is committed if and only if something outside of its files
    /// happens, which comes next. If this process ends before it is committed,
    /// [`recover_by`](super::recover_by) is asked whether this event happened.
    pub fn prepare(&mut self, event: &str) -> Result<(), Error> {
        let prepared = self.journal.prepare(&self.commit, event).and_then(|()| {
            self.committed = true;
            sync_folders(&self.target.folder, &self.commit)
        });
        prepared.map_err(Error::io(&self.target.path))
    }

    /// Puts all files in place.
    pub fn commit(self) -> Result<(), Error> {
        self.commit_if(|| Ok(()))
    }

    /// Puts all files in place, unless `check` refuses to replace what is there: while it runs and
    /// until all is done, no other transaction of the same output changes anything.
    pub fn commit_if<E: From<Error>>(
        mut self,
        check: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let output = self.target.path.clone();
        let _guard = LockFile::take(self.target.lock()).map_err(Error::io(&output))?;
        check()?;
        for entry in &self.commit.files {
            target::check(&self.target.folder.join(&entry.path))?;
        }
        Ok(self.try_commit().map_err(Error::io(&output))?)
    }

    fn try_commit(&mut self) -> io::Result<()> {
        let home = self.target.folder.clone();
        let guards = lock_folders(&self.temporaries)?;
        let before = self.journal.commit(&self.commit)?;
        sync_folders(&home, &self.commit)?;
        // If there is no room for a line, everything stays as it was.
        append(&home, &self.commit)
            .or_else(|error| self.journal.shorten(before).and(Err(error)))?;
        self.committed = true;
        complete(&home, &self.commit)?;
        self.discard();
        drop(guards);
        self.journal.remove();
        Ok(())
    }
}

impl Transaction {
    /// Removes the temporary files that are not in their places: once committed, those that were
    /// not sealed.
    fn discard(&mut self) {
        let temporaries = std::mem::take(&mut self.temporaries);
        discard(&self.target.folder, &Contents { temporaries, ..Contents::default() });
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        // Once committed, the journal says what is left to do.
        if !self.committed {
            self.discard();
            self.journal.remove();
        }
    }
}

#[cfg(test)]
mod tests;
