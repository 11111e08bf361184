//! The place of an output: what is there already, and the names used while it is written.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use haggle_model::Problem;
use xxhash_rust::xxh3::xxh3_64;

use haggle_model::Error;

/// What is at a path where a file is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Nothing, in a folder that exists.
    Nothing,
    /// Nothing, and its folder does not exist either.
    NoFolder,
    /// A file, or a link that leads to one or nowhere.
    File,
    /// A folder, or a link to one.
    Folder,
    /// A device, a pipe or a socket, or a link to one.
    Special,
}

impl Existing {
    /// Returns what is at this path.
    ///
    /// ```
    /// use haggle_output::Existing;
    /// assert_eq!(Existing::at(".".as_ref()), Existing::Folder);
    /// assert_eq!(Existing::at("no/such/file".as_ref()), Existing::NoFolder);
    /// ```
    pub fn at(path: &Path) -> Self {
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Self::Folder,
            Ok(found) if found.is_file() => Self::File,
            Ok(_) => Self::Special,
            Err(_) if path.symlink_metadata().is_ok() => Self::File,
            Err(_) if folder(path).is_dir() => Self::Nothing,
            Err(_) => Self::NoFolder,
        }
    }
}

/// Refuses a place where no file can be written, or where one would destroy something else.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Err(Problem::new(what).file(path).fix(fix).into());
    match Existing::at(path) {
        Existing::Nothing | Existing::File => Ok(()),
        Existing::Folder => refuse("the output is a folder", "name a file"),
        Existing::Special => refuse("the output is a pipe, a device or a socket", "name a file"),
        Existing::NoFolder => {
            refuse("there is no such folder", "create it, or name a file elsewhere")
        }
    }
}

/// Whether two paths lead to one file, by whatever names or links.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let same_name = || Some(whole(one)? == whole(other)?);
    is_same_inode(one, other).or_else(same_name).unwrap_or(false)
}

/// The whole path of a file, which need not exist yet.
fn whole(path: &Path) -> Option<PathBuf> {
    let absent = || Some(folder(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(absent)
}

#[cfg(unix)]
fn is_same_inode(one: &Path, other: &Path) -> Option<bool> {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| std::fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    Some(inode(one)? == inode(other)?)
}

#[cfg(not(unix))]
fn is_same_inode(_: &Path, _: &Path) -> Option<bool> {
    None
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An output and the names of what is kept next to it while it is written.
#[derive(Debug, Clone)]
pub(super) struct OutputTarget {
    pub(super) path: PathBuf,
    pub(super) folder: PathBuf,
    prefix: String,
}

impl OutputTarget {
    pub(super) fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        let prefix = format!(".haggle-{:016x}", xxh3_64(name.as_encoded_bytes()));
        Self { path: path.to_owned(), folder: folder(path).to_owned(), prefix }
    }

    /// The file whose lock lets one process at a time replace the output.
    pub(super) fn lock(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.prefix))
    }

    /// The name of the n-th temporary file of a transaction.
    pub(super) fn temporary(&self, id: u64, n: usize) -> String {
        format!("{}-{id:016x}-{n}", self.prefix)
    }

    /// The journal of a transaction.
    pub(super) fn journal(&self, id: u64) -> PathBuf {
        self.folder.join(format!("{}-{id:016x}.journal", self.prefix))
    }

    /// Whether anything is kept for this output: by a process that writes it, or by one that died.
    pub(super) fn is_touched(&self) -> bool {
        self.names().is_ok_and(|names| !names.is_empty())
    }

    /// The journals of this output.
    pub(super) fn journals(&self) -> io::Result<Vec<PathBuf>> {
        let is_journal = |path: &PathBuf| path.extension() == Some(OsStr::new("journal"));
        Ok(self.names()?.into_iter().filter(is_journal).collect())
    }

    fn names(&self) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().starts_with(self.prefix.as_bytes()) {
                paths.push(entry.path());
            }
        }
        paths.sort();
        Ok(paths)
    }
}
