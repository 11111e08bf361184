//! What becomes of transactions whose process died: completed if their journal is, else removed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::guard::Guard;
use super::journal::{Commit, Contents, Entry, Journal};
use super::mode::set_mode;
use super::sha256;
use super::target::{Existing, Target, folder};
use crate::Error;

/// What was found of unfinished transactions of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recovery {
    /// Nothing.
    Nothing,
    /// What they had begun to write was removed; the earlier output stays.
    Removed,
    /// What they had written was put in place.
    Completed,
    /// One is to be completed, but not by this user or not in this folder.
    Interrupted,
}

/// Completes or removes what processes that were killed left of this output. What a living process
/// writes is not touched.
///
/// ```
/// use haggle_data::output::{Recovery, recover};
/// let folder = tempfile::tempdir()?;
/// assert_eq!(recover(&folder.path().join("out.csv"))?, Recovery::Nothing);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn recover(output: &Path) -> Result<Recovery, Error> {
    let target = Target::of(output);
    if !target.is_touched() {
        return Ok(Recovery::Nothing);
    }
    let Ok(_guard) = Guard::take(target.lock()) else { return Ok(untouchable(&target)) };
    settle(&target).map_err(Error::io(output))
}

/// What can be said where nothing can be changed.
fn untouchable(target: &Target) -> Recovery {
    let journals = target.journals().unwrap_or_default();
    if journals.iter().any(|path| Journal::waits(path)) {
        Recovery::Interrupted
    } else {
        Recovery::Nothing
    }
}

/// The same for a process that holds the output's lock.
pub(super) fn settle(target: &Target) -> io::Result<Recovery> {
    let mut found = Recovery::Nothing;
    for path in target.journals()? {
        let recovered = match Journal::left_behind(&path) {
            Ok(Some(journal)) => finish(&journal)?,
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
fn finish(journal: &Journal) -> io::Result<Recovery> {
    let contents = journal.contents()?;
    let guards = lock_folders(&contents.temporaries)?;
    let whole = contents.commit.as_ref().and_then(|commit| ready(journal.folder(), commit));
    if let Some(commit) = &whole {
        complete(journal.folder(), commit)?;
    }
    discard(journal.folder(), &contents);
    drop(guards);
    journal.remove();
    Ok(if whole.is_some() { Recovery::Completed } else { Recovery::Removed })
}

/// Locks the folders other than the output's own in which a transaction has files, so that
/// transactions of different outputs do not mix there. Files of its own folder are noted without one.
pub(super) fn lock_folders(files: &[PathBuf]) -> io::Result<Vec<Guard>> {
    let elsewhere = files.iter().filter(|path| path.is_absolute());
    let folders: BTreeSet<&Path> = elsewhere.map(|path| folder(path)).collect();
    let present = folders.into_iter().filter(|folder| folder.is_dir());
    present.map(|folder| Guard::take(folder.join(".haggle-folder.lock"))).collect()
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
fn is_ready(home: &Path, entry: &Entry) -> bool {
    let (temporary, path) = (home.join(&entry.temporary), home.join(&entry.path));
    let waits = temporary.symlink_metadata().is_ok();
    let found = sha256(if waits { &temporary } else { &path });
    found.is_ok_and(|found| found == entry.sha256)
        && matches!(Existing::at(&path), Existing::Nothing | Existing::File)
}

/// Puts every file in place that is not there yet; all of it can be done again.
pub(super) fn complete(home: &Path, commit: &Commit) -> io::Result<()> {
    for Entry { temporary, path, .. } in &commit.files {
        absent_is_fine(std::fs::rename(home.join(temporary), home.join(path)))?;
    }
    for removal in &commit.remove {
        absent_is_fine(std::fs::remove_file(home.join(&removal.path)))?;
    }
    sync_folders(home, commit)?;
    for Entry { path, mode, .. } in &commit.files {
        set_mode(&home.join(path), *mode)?;
    }
    Ok(())
}

/// Makes names durable: of journal and temporary files before, of final files after the renames.
pub(super) fn sync_folders(home: &Path, commit: &Commit) -> io::Result<()> {
    let paths = commit.files.iter().map(|entry| home.join(&entry.path));
    let folders: BTreeSet<PathBuf> = paths.map(|path| folder(&path).to_owned()).collect();
    folders.iter().try_for_each(|folder| sync_folder(folder))
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
