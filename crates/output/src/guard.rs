//! Locks between processes, as files that exist only while they are needed.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::mode::create_private;

/// An exclusive lock. Its file is removed when the lock is released.
#[derive(Debug)]
pub(super) struct LockFile {
    path: PathBuf,
    _file: File,
}

impl LockFile {
    /// Waits for the lock. The previous holder removed its file, so a waiter checks whether what it
    /// locked is still the file of that name.
    pub(super) fn take(path: PathBuf) -> io::Result<Self> {
        loop {
            let file = match create_private(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => open_existing(&path)?,
                file => Some(file?),
            };
            let Some(file) = file else { continue };
            lock(&file)?;
            if is_at(&file, &path)? {
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Removed while it is locked, so no other process holds this name.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The lock file of another process, unless it has just gone.
fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match path.symlink_metadata() {
        Ok(found) if !found.is_file() => {
            return Err(io::Error::other("there is something other than a lock file here"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    match File::options().read(true).write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        file => file.map(Some),
    }
}

/// Where a file system has no locks, there is no exclusion.
pub(super) fn lock(file: &File) -> io::Result<()> {
    match file.lock() {
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(()),
        locked => locked,
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let mine = file.metadata()?;
    match path.symlink_metadata() {
        Ok(found) => Ok((mine.dev(), mine.ino()) == (found.dev(), found.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// How long a test waits for what must not happen.
    const SHORT: Duration = Duration::from_millis(100);
    /// How long a test waits for what must happen.
    const LIMIT: Duration = Duration::from_mins(1);

    /// Takes a lock in a thread, so that no test waits without a limit.
    fn taken(path: &Path) -> Receiver<io::Result<LockFile>> {
        let (send, receive) = mpsc::channel();
        let path = path.to_owned();
        thread::spawn(move || send.send(LockFile::take(path)));
        receive
    }

    #[test]
    fn a_lock_is_exclusive_and_its_file_goes_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = taken(&path).recv_timeout(LIMIT).unwrap().unwrap();
        let waiting = taken(&path);
        assert!(matches!(waiting.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout)));
        drop(first);
        let second = waiting.recv_timeout(LIMIT).unwrap().unwrap();
        assert!(path.exists());
        drop(second);
        assert!(!path.exists());
    }

    #[test]
    fn a_lock_that_cannot_be_created_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("taken")).unwrap();
        for (name, kind) in [("taken", ErrorKind::Other), ("none/lock", ErrorKind::NotFound)] {
            let error = taken(&folder.path().join(name)).recv_timeout(LIMIT).unwrap().unwrap_err();
            assert_eq!(error.kind(), kind, "{name}: {error}");
        }
    }
}
