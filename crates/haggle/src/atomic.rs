//! Files written whole or not at all: beside their final place first, then renamed.

#[cfg(unix)]
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

use haggle_model::Problem;
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

use crate::Error;

/// A temporary file of this age was locked long ago, if anybody still writes it.
#[cfg(unix)]
const SETTLED: Duration = Duration::from_mins(1);

/// Writes a file: afterwards there is the old one or the new one, never half of one.
pub(crate) fn write(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Error> {
    let mut file = beside(path, readers)?;
    file.write_all(bytes).map_err(Error::io(path))?;
    persist(file, path)
}

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Only its owner: the file tells of the microdata.
    Owner,
    /// Whoever the user's umask lets read new files.
    AsUsual,
}

/// Writes a file that must be new, unless `force` allows to write over an old one.
pub(crate) fn write_new(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    if force {
        return write(path, bytes, Readers::AsUsual);
    }
    let mut file = beside(path, Readers::AsUsual)?;
    file.write_all(bytes).map_err(Error::io(path))?;
    file.as_file().sync_all().map_err(Error::io(path))?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(already_there(path)),
        Err(error) => Err(Error::io(path)(error.error)),
    }
}

/// A file that must not be written over.
pub(crate) fn already_there(path: &Path) -> Error {
    let what = "there is a file of this name already, and it was not touched";
    let fix = "name another with -o, or write over it with --force";
    Problem::new(what).file(path).fix(fix).into()
}

/// An empty temporary file in the folder of `path`; it goes away unless it is persisted.
pub(crate) fn beside(path: &Path, readers: Readers) -> Result<NamedTempFile, Error> {
    if path.is_dir() {
        return Err(Problem::new("the output is a folder")
            .file(path)
            .fix("name a file with -o")
            .into());
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = prefix(path);
    remove_left_behind(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    if readers == Readers::AsUsual {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder).map_err(Error::io(folder))?;
    // Locked as long as it is written, so that others can tell it from one left behind. Where a
    // file system knows no locks, nobody can lock it, and nobody removes it.
    #[cfg(unix)]
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// What the names of temporary files for this path begin with.
fn prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    format!(".haggle-{:016x}-", xxh3_64(name.as_encoded_bytes()))
}

/// Removes what processes that were killed left of earlier files of the same name. A process that
/// still writes holds a lock; a file that is very new may be about to be locked.
#[cfg(unix)]
fn remove_left_behind(folder: &Path, prefix: &str) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|e| e.file_name().to_string_lossy().starts_with(prefix)) {
        let old =
            |file: &File| file.metadata()?.modified()?.elapsed().map_err(std::io::Error::other);
        let abandoned = File::options()
            .write(true)
            .open(entry.path())
            .is_ok_and(|file| old(&file).is_ok_and(|age| age > SETTLED) && file.try_lock().is_ok());
        if abandoned {
            // Somebody else may have removed it; that is as good.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(unix))]
fn remove_left_behind(_: &Path, _: &str) {}

/// Gives a finished file its final name.
pub(crate) fn persist(file: NamedTempFile, path: &Path) -> Result<(), Error> {
    file.as_file().sync_all().map_err(Error::io(path))?;
    file.persist(path).map_err(|error| Error::io(path)(error.error))?;
    Ok(())
}
