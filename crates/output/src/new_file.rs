//! One file that is written whole, and replaces another one only if that is allowed.

use std::path::Path;

use haggle_model::{Error, ErrorKind, Problem, Remedy};

use super::{Existing, Readers, Transaction};

/// A file that is to be written.
///
/// ```
/// use haggle_output::{NewFile, Readers};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("front.svg");
/// let picture = NewFile { path: &path, noun: "picture", replaces: false };
/// picture.write(b"<svg/>", Readers::AsUsual)?;
/// assert!(picture.check().is_err());
/// assert!(NewFile { replaces: true, ..picture }.check().is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NewFile<'a> {
    /// Where it goes.
    pub path: &'a Path,
    /// What it is called in messages.
    pub noun: &'a str,
    /// Whether it may replace a file.
    pub replaces: bool,
}

impl NewFile<'_> {
    /// Whether the file can be written, to be asked before long work.
    pub fn check(&self) -> Result<(), Error> {
        let would_be = |what: &str| (format!("the {} would be {what}", self.noun), "name a file");
        let (what, fix) = match Existing::at(self.path) {
            Existing::Folder => would_be("a folder"),
            Existing::Special => would_be("a pipe or a device"),
            Existing::NoFolder => {
                let problem = Problem::new("there is no such folder").of_kind(ErrorKind::NotFound);
                return Err(problem.file(self.path).fix("create it, or name another file").into());
            }
            Existing::File if !self.replaces => {
                let what = "there is a file of this name already, and it was not touched";
                let problem = Problem::new(what).of_kind(ErrorKind::Conflict).file(self.path);
                return Err(problem.fix(Remedy::AllowReplacing).into());
            }
            Existing::Nothing | Existing::File => return Ok(()),
        };
        Err(Problem::new(what).file(self.path).fix(fix).into())
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, bytes: &[u8], readers: Readers) -> Result<(), Error> {
        self.check()?;
        let mut transaction = Transaction::begin(self.path)?;
        transaction.write(self.path, bytes, readers)?;
        transaction.commit_if(|| self.check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_needs_a_folder_that_is_there_and_is_no_folder_itself() {
        let here = std::env::temp_dir();
        let check = |path: &Path| NewFile { path, noun: "report", replaces: true }.check();
        assert!(check(&here.join("no-such-report.html")).is_ok());
        for (path, what) in [
            (here.clone(), "the report would be a folder"),
            (here.join("no-such-folder/r.md"), "no such folder"),
        ] {
            let error = check(&path).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn another_file_is_replaced_only_where_that_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.json");
        std::fs::write(&path, "old").unwrap();
        let file = NewFile { path: &path, noun: "report", replaces: false };
        let refused = file.write(b"new", Readers::AsUsual).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Conflict, "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        NewFile { replaces: true, ..file }.write(b"new", Readers::AsUsual).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }
}
