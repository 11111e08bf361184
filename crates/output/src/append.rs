//! Lines added to private files that several processes add to, such as a record of events.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::encoded;
use crate::guard::lock;
use crate::mode::PRIVATE;
use crate::target::folder;

/// A line that goes to the end of a file. It differs from every other line there, so that a second
/// attempt can see whether it was added.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Append {
    #[serde(with = "encoded")]
    pub(super) path: PathBuf,
    /// Without its end.
    pub(super) line: String,
}

impl Append {
    /// Adds the line unless it is there already; this is idempotent. A folder that was removed
    /// needs no line.
    pub(super) fn complete(&self, home: &Path) -> io::Result<()> {
        let path = home.join(&self.path);
        if !folder(&path).is_dir() {
            return Ok(());
        }
        let mut file = open_private(&path)?;
        lock(&file)?;
        let (mut end, mut is_there, mut is_ended) = (0, false, true);
        for_each_line(&file, &mut |line, ended| {
            end += line.len() as u64 + u64::from(ended);
            is_there |= line == self.line.as_bytes();
            is_ended = ended;
        })?;
        let before = if is_ended { "" } else { "\n" };
        if is_there {
            file.sync_all()
        } else {
            add(&mut file, end, &format!("{before}{}", self.line))
        }
    }
}

/// Adds a line after the last whole one; a failure never leaves half a line.
fn add(file: &mut File, end: u64, line: &str) -> io::Result<()> {
    file.set_len(end)?;
    let added = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_all());
    if added.is_err() {
        file.set_len(end)?;
    }
    added
}

/// Calls `visit` for the whole lines of a file that transactions add to, while no process adds one.
///
/// ```
/// use haggle_output::{Transaction, visit_lines};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("events.jsonl");
/// let mut transaction = Transaction::begin(&path)?;
/// transaction.append(&path, "{\"id\":1}".into())?;
/// transaction.commit()?;
/// let mut lines = 0;
/// visit_lines(&path, &mut |line| {
///     assert_eq!(line, b"{\"id\":1}");
///     lines += 1;
/// })?;
/// assert_eq!(lines, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn visit_lines(path: &Path, visit: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let file = File::open(path)?;
    file.lock_shared()?;
    for_each_line(&file, &mut |line, _| visit(line))
}

/// Calls `visit` with every line, and whether it has an end. One line at a time is in memory. Half a
/// line at the end, left by a process that was killed, is skipped.
fn for_each_line(mut file: &File, visit: &mut dyn FnMut(&[u8], bool)) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        line.pop();
        visit(&line, true);
    }
    if is_object(&line) {
        visit(&line, false);
    }
    Ok(())
}

/// Whether a line without an end is a whole object, as an editor leaves it: no part of one is.
fn is_object(line: &[u8]) -> bool {
    line.starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// Opens a file for its owner alone.
fn open_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = options.mode(PRIVATE).open(path)?;
        file.set_permissions(std::fs::Permissions::from_mode(PRIVATE))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line() -> Append {
        Append { path: "log".into(), line: "line".into() }
    }

    #[test]
    fn a_line_is_added_once_after_the_last_whole_one() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        for (before, after) in [
            ("", "line\n"),
            ("first\n", "first\nline\n"),
            ("first\nli", "first\nline\n"),
            ("first\nline", "first\nline\n"),
            ("line\nlast\n", "line\nlast\n"),
            ("lines\n", "lines\nline\n"),
        ] {
            fs::write(&log, before).unwrap();
            for _ in 0..3 {
                line().complete(folder.path()).unwrap();
            }
            assert_eq!(fs::read_to_string(&log).unwrap(), after, "before: {before:?}");
        }
    }

    #[test]
    fn a_whole_last_line_without_an_end_stays() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let line = Append { path: "log".into(), line: "{\"id\":2}".into() };
        for (before, after) in [
            ("{\"id\":1}", "{\"id\":1}\n{\"id\":2}\n"),
            ("{\"id\":1}\n{\"id\":", "{\"id\":1}\n{\"id\":2}\n"),
            ("{\"id\":1}\n{\"id\":2}", "{\"id\":1}\n{\"id\":2}"),
        ] {
            fs::write(&log, before).unwrap();
            for _ in 0..3 {
                line.complete(folder.path()).unwrap();
            }
            assert_eq!(fs::read_to_string(&log).unwrap(), after, "before: {before:?}");
            let mut lines = Vec::new();
            visit_lines(&log, &mut |line| lines.push(line.to_vec())).unwrap();
            assert_eq!(lines, [b"{\"id\":1}".to_vec(), b"{\"id\":2}".to_vec()], "{before:?}");
        }
    }

    #[test]
    fn a_folder_that_has_gone_needs_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        line().complete(&gone).unwrap();
        assert!(!gone.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_lines_is_made_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, "").unwrap();
        fs::set_permissions(&log, fs::Permissions::from_mode(0o644)).unwrap();
        line().complete(folder.path()).unwrap();
        assert_eq!(fs::metadata(&log).unwrap().permissions().mode() & 0o777, PRIVATE);
    }
}
