//! The folder of a running server: private, removed when the server ends, or by the next one if the
//! server was killed.

use std::fs::File;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::private_files::{create_private_folder, open_private};

/// The file in a server's folder that the server holds locked as long as it runs.
const LOCK: &str = "lock";

/// The folder of a running server.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    folder: TempDir,
    /// Shows others that the folder is in use; unlocked by the system however the process ends.
    _lock: Option<File>,
}

impl PrivateFolder {
    /// A new folder among those of all servers of this user, after removing what killed servers left;
    /// without such a place, a temporary folder.
    pub(crate) fn create(state: Option<&Path>) -> io::Result<Self> {
        let Some(state) = state else {
            return Ok(Self { folder: private().tempdir()?, _lock: None });
        };
        let all = state.join("run");
        create_private_folder(&all)?;
        // Held while a folder is made or removed, so that a folder without a locked file is dead.
        let turn = open_private(&all.join(LOCK))?;
        turn.lock()?;
        remove_dead(&all);
        let folder = private().tempdir_in(&all)?;
        let lock = open_private(&folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self { folder, _lock: Some(lock) })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A new folder in this one.
    pub(crate) fn subfolder(&self) -> io::Result<TempDir> {
        private().tempdir_in(self.path())
    }

    /// Removes the folder with everything in it.
    pub(crate) fn remove(&self) {
        // The next server removes what cannot be removed now.
        let _ = std::fs::remove_dir_all(self.path());
    }
}

/// Makes temporary folders that only their owner can read.
fn private() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("haggle-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    builder
}

/// Removes the folders of servers that no longer run.
fn remove_dead(all: &Path) {
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_dead(&path) {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}

/// Whether no process holds a folder. Where files cannot be locked, this is not known.
fn is_dead(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_dead_servers_go_and_those_of_live_ones_stay() {
        let state = tempfile::tempdir().unwrap();
        let live = PrivateFolder::create(Some(state.path())).unwrap();
        let dead = state.path().join("run/haggle-dead");
        std::fs::create_dir_all(dead.join("publication")).unwrap();
        std::fs::write(dead.join(LOCK), "").unwrap();
        let unfinished = state.path().join("run/haggle-unfinished");
        std::fs::create_dir(&unfinished).unwrap();
        let next = PrivateFolder::create(Some(state.path())).unwrap();
        assert!(live.path().exists() && next.path().exists());
        assert!(!dead.exists() && !unfinished.exists());
        let path = next.path().to_owned();
        drop(next);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_their_owner_can_read_them() {
        use std::os::unix::fs::PermissionsExt;
        let state = tempfile::tempdir().unwrap();
        for place in [None, Some(state.path())] {
            let folder = PrivateFolder::create(place).unwrap();
            let inner = folder.subfolder().unwrap();
            for path in [folder.path(), inner.path()] {
                let mode = std::fs::metadata(path).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o700, "{}", path.display());
            }
        }
    }
}
