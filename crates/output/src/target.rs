//! The place of an output: what is there already, and the names used while it is written.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use haggle_model::{ErrorKind, Problem};
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

/// The longest name of a file in bytes, on every file system that is in common use.
const LONGEST_NAME: usize = 255;

/// Refuses a place where no file can be written, or where one would destroy something else.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let refuse = |what: &str, fix: &str| Problem::new(what).file(path).fix(fix);
    // A file can be staged under another name and then not be renamed to this one.
    if path.file_name().is_some_and(|name| name.len() > LONGEST_NAME) {
        return Err(refuse("the name of the file is too long", "name a shorter one").into());
    }
    let problem = match Existing::at(path) {
        Existing::Nothing | Existing::File => return Ok(()),
        Existing::Folder => refuse("the output is a folder", "name a file"),
        Existing::Special => refuse("the output is a pipe, a device or a socket", "name a file"),
        Existing::NoFolder => {
            refuse("there is no such folder", "create it, or name a file elsewhere")
                .of_kind(ErrorKind::NotFound)
        }
    };
    Err(problem.into())
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

#[cfg(test)]
mod tests {
    use std::fs;

    use haggle_model::ErrorKind;

    use super::*;

    #[test]
    fn only_a_file_or_nothing_in_a_folder_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        for (name, existing, refused) in [
            ("new", Existing::Nothing, None),
            ("file", Existing::File, None),
            (".", Existing::Folder, Some("is a folder")),
            ("none/new", Existing::NoFolder, Some("no such folder")),
            ("file/new", Existing::NoFolder, Some("no such folder")),
        ] {
            let path = folder.path().join(name);
            assert_eq!(Existing::at(&path), existing, "{name}");
            let Some(refused) = refused else {
                check(&path).unwrap();
                continue;
            };
            let error = check(&path).unwrap_err();
            let is_missing = existing == Existing::NoFolder;
            let kind = if is_missing { ErrorKind::NotFound } else { ErrorKind::BadInput };
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(refused), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_what_they_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        for (target, existing) in [
            ("no such file", Existing::File),
            (".", Existing::Folder),
            ("/dev/null", Existing::Special),
        ] {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(target, &link).unwrap();
            assert_eq!(Existing::at(&link), existing, "{target}");
            fs::remove_file(link).unwrap();
        }
    }

    #[test]
    fn one_file_is_recognized_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        for name in ["file", "other"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::hard_link(folder.path().join("file"), folder.path().join("link")).unwrap();
        for (one, other, same) in [
            ("file", "inner/../file", true),
            ("file", "link", cfg!(unix)),
            ("file", "other", false),
            ("new", "inner/../new", true),
            ("new", "inner/new", false),
            ("new", "none/new", false),
        ] {
            let [first, second] = [one, other].map(|name| folder.path().join(name));
            assert_eq!(is_same_file(&first, &second), same, "{one} and {other}");
        }
    }
}
