//! Lines added to private files that several processes add to, such as a record of events.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::encoded;
use super::guard::lock;
use super::mode::PRIVATE;
use super::target::folder;

/// A line that goes to the end of a file. It differs from every other line there, so that it can
/// be told whether it was added already.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Append {
    #[serde(with = "encoded")]
    pub(super) path: PathBuf,
    /// Without its end.
    pub(super) line: String,
}

impl Append {
    /// Adds the line unless it is there already; all of this can be done again. A folder that has
    /// gone needs no line.
    pub(super) fn complete(&self, home: &Path) -> io::Result<()> {
        let path = home.join(&self.path);
        if !folder(&path).is_dir() {
            return Ok(());
        }
        let mut file = open_private(&path)?;
        lock(&file)?;
        let text = whole_lines(&mut file)?;
        if text.split(|&byte| byte == b'\n').any(|line| line == self.line.as_bytes()) {
            return file.sync_all();
        }
        add(&mut file, text.len() as u64, &self.line)
    }
}

/// Adds a line behind the last whole one; half a line is never left by a failure.
fn add(file: &mut File, end: u64, line: &str) -> io::Result<()> {
    file.set_len(end)?;
    let added = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_all());
    if added.is_err() {
        file.set_len(end)?;
    }
    added
}

/// The whole lines of a file that transactions add to, read while no process adds one. What a
/// process that was killed left behind the last of them is no line.
///
/// ```
/// use haggle_data::output::{Transaction, lines};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("events.jsonl");
/// let mut transaction = Transaction::begin(&path)?;
/// transaction.append(&path, "{\"id\":1}".into())?;
/// transaction.commit()?;
/// assert_eq!(lines(&path)?, [b"{\"id\":1}"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lines(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut file = File::open(path)?;
    file.lock_shared()?;
    let text = whole_lines(&mut file)?;
    let mut lines: Vec<_> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    lines.pop(); // what follows the last end of a line: nothing
    Ok(lines)
}

fn whole_lines(file: &mut File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut text)?;
    text.truncate(text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1));
    Ok(text)
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
