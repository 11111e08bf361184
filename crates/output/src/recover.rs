//! What becomes of transactions whose process died: completed if their journal is, else removed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::append::Append;
use crate::guard::LockFile;
use crate::journal::{Commit, Contents, Journal, JournalEntry};
use crate::mode::set_mode;
use crate::sha256;
use crate::target::{Existing, OutputTarget, folder};
use haggle_model::Error;

/// What became of unfinished transactions of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recovery {
    /// Nothing.
    Nothing,
    /// What they had begun to write was removed; the earlier output stays.
    Removed,
    /// What they had written was put in place.
    Completed,
    /// One is to be completed, but not by this user, not in this folder, or not before it is known
    /// whether the event that it waits for happened.
    Interrupted,
}

/// Whether the event happened that a [prepared](super::Transaction::prepare) transaction waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It did, so the transaction is completed.
    Happened,
    /// It did not and will not, so the transaction is removed.
    Failed,
    /// That is not known yet, so the transaction waits.
    Unknown,
}

/// Completes or removes what processes that were killed left of this output. What a living process
/// writes is not touched.
///
/// ```
/// use haggle_output::{Recovery, recover};
/// let folder = tempfile::tempdir()?;
/// assert_eq!(recover(&folder.path().join("out.csv"))?, Recovery::Nothing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn recover(output: &Path) -> Result<Recovery, Error> {
    recover_by(output, &|_| Event::Unknown)
}

/// Recovers an output where `happened` reports whether the event happened that a prepared
/// transaction waits for.
pub fn recover_by(output: &Path, happened: &dyn Fn(&str) -> Event) -> Result<Recovery, Error> {
    let target = OutputTarget::of(output);
    if !target.is_touched() {
        return Ok(Recovery::Nothing);
    }
    let Ok(_guard) = LockFile::take(target.lock()) else { return Ok(untouchable(&target)) };
    settle(&target, happened).map_err(Error::io(output))
}

/// Returns what is known where nothing can be changed.
fn untouchable(target: &OutputTarget) -> Recovery {
    let journals = target.journals().unwrap_or_default();
    if journals.iter().any(|path| Journal::waits(path)) {
        Recovery::Interrupted
    } else {
        Recovery::Nothing
    }
}

/// Recovers an output in a process that holds its lock.
pub(super) fn settle(
    target: &OutputTarget,
    happened: &dyn Fn(&str) -> Event,
) -> io::Result<Recovery> {
    let mut found = Recovery::Nothing;
    for path in target.journals()? {
        let recovered = match Journal::left_behind(&path) {
            Ok(Some(journal)) => finish(&journal, happened)?,
            Ok(None) => Recovery::Nothing,
            Err(error) if error.kind() == ErrorKind::NotFound => Recovery::Nothing,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Recovery::Nothing,
            Err(error) => return Err(error),
        };
        found = found.max(recovered);
    }
    Ok(found)
}

/// Completes what a journal asks for, if all of it is there; else removes what it made.
fn finish(journal: &Journal, happened: &dyn Fn(&str) -> Event) -> io::Result<Recovery> {
    let mut contents = journal.contents()?;
    if let (None, Some(prepared)) = (&contents.commit, contents.prepared.take()) {
        match happened(&prepared.event) {
            Event::Happened => contents.commit = Some(prepared.commit),
            Event::Failed => {}
            Event::Unknown => return Ok(Recovery::Interrupted),
        }
    }
    let guards = lock_folders(&contents.temporaries)?;
    let whole = contents.commit.as_ref().and_then(|commit| ready(journal.folder(), commit));
    if let Some(commit) = &whole {
        append(journal.folder(), commit)?;
        complete(journal.folder(), commit)?;
    }
    discard(journal.folder(), &contents);
    drop(guards);
    journal.remove();
    Ok(if whole.is_some() { Recovery::Completed } else { Recovery::Removed })
}

/// Locks the folders other than the output's own in which a transaction has files, so that
/// transactions of different outputs do not mix there. Files of its own folder are noted without one.
pub(super) fn lock_folders(files: &[PathBuf]) -> io::Result<Vec<LockFile>> {
    let elsewhere = files.iter().filter(|path| path.is_absolute());
    let folders: BTreeSet<&Path> = elsewhere.map(|path| folder(path)).collect();
    let present = folders.into_iter().filter(|folder| folder.is_dir());
    present.map(|folder| LockFile::take(folder.join(".haggle-folder.lock"))).collect()
}

/// What can still be done, if every file of the output's own folder is there as it was written.
/// Files elsewhere may have gone together with their folder.
fn ready(home: &Path, commit: &Commit) -> Option<Commit> {
    let mut ready = commit.clone();
    ready.files.retain(|entry| is_ready(home, entry));
    let own = |commit: &Commit| commit.files.iter().filter(|e| !e.path.is_absolute()).count();
    (own(&ready) == own(commit)).then_some(ready)
}

/// Whether a file is there as it was written, in place already or still waiting.
fn is_ready(home: &Path, entry: &JournalEntry) -> bool {
    let (temporary, path) = (home.join(&entry.temporary), home.join(&entry.path));
    let waits = temporary.symlink_metadata().is_ok();
    let found = sha256(if waits { &temporary } else { &path });
    found.is_ok_and(|found| found == entry.sha256)
        && matches!(Existing::at(&path), Existing::Nothing | Existing::File)
}

/// Adds the lines that are not there yet; this can be done again. It comes first: what is seen in
/// its place was recorded.
pub(super) fn append(home: &Path, commit: &Commit) -> io::Result<()> {
    commit.append.iter().try_for_each(|append: &Append| append.complete(home))
}

/// Puts every file in place that is not there yet; all of it can be done again.
pub(super) fn complete(home: &Path, commit: &Commit) -> io::Result<()> {
    for JournalEntry { temporary, path, .. } in &commit.files {
        absent_is_fine(std::fs::rename(home.join(temporary), home.join(path)))?;
    }
    for removal in &commit.remove {
        absent_is_fine(std::fs::remove_file(home.join(&removal.path)))?;
    }
    sync_folders(home, commit)?;
    for JournalEntry { path, mode, .. } in &commit.files {
        set_mode(&home.join(path), *mode)?;
    }
    Ok(())
}

/// Makes names durable: of journal and temporary files before, of final files after the renames.
pub(super) fn sync_folders(home: &Path, commit: &Commit) -> io::Result<()> {
    let files = commit.files.iter().map(|entry| &entry.path);
    let paths = files.chain(commit.append.iter().map(|append| &append.path));
    let folders: BTreeSet<PathBuf> =
        paths.map(|path| folder(&home.join(path)).to_owned()).collect();
    folders.iter().filter(|folder| folder.is_dir()).try_for_each(|folder| sync_folder(folder))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems sync files only.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes the temporary files that are left of a transaction.
pub(super) fn discard(home: &Path, contents: &Contents) {
    for temporary in &contents.temporaries {
        // Most have gone to their final place.
        let _ = std::fs::remove_file(home.join(temporary));
    }
}

fn absent_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests;
