//! Files written whole or not at all: beside their final place first, then renamed.

use std::io::{ErrorKind, Write};
use std::path::Path;

use haggle_model::Problem;
use tempfile::NamedTempFile;

use crate::Error;

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
    let mut builder = tempfile::Builder::new();
    builder.prefix(".haggle-");
    #[cfg(unix)]
    if readers == Readers::AsUsual {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(Error::io(folder))
}

/// Gives a finished file its final name.
pub(crate) fn persist(file: NamedTempFile, path: &Path) -> Result<(), Error> {
    file.as_file().sync_all().map_err(Error::io(path))?;
    file.persist(path).map_err(|error| Error::io(path)(error.error))?;
    Ok(())
}
