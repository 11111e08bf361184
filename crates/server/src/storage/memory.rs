//! What a server stores for the next one of the same project: its port and the digests of its
//! sessions, so that open pages keep working, and the receipts of publications.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::receipts::{self, Receipt};
use crate::access::{Digest, Session, Sessions, prune};
use crate::private_files::{create_private_folder, open_private};

/// The version of the file; others are forgotten.
const VERSION: u32 = 1;

/// The file's content.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Remembered {
    version: u32,
    port: Option<u16>,
    sessions: Vec<Session>,
    #[serde(default)]
    receipts: Vec<Receipt>,
}

/// Where the memory of a project is stored, if anywhere.
#[derive(Debug)]
pub(crate) struct Memory(Option<PathBuf>);

impl Memory {
    /// The memory of a project, by where it is. A place that cannot be written to remembers nothing.
    pub(crate) fn for_project(state: Option<&Path>, project: &str) -> Self {
        let folder = state.map(|state| state.join("projects"));
        let folder = folder.filter(|folder| create_private_folder(folder).is_ok());
        let name = format!("{}.json", &Digest::of(project).as_str()[..32]);
        Self(folder.map(|folder| folder.join(name)))
    }

    /// The port that the last server of the project had.
    pub(crate) fn port(&self) -> Option<u16> {
        self.read().port
    }

    /// The sessions that browsers may still have.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        let mut sessions = self.read().sessions;
        prune(&mut sessions);
        sessions
    }

    /// The receipts of publications.
    pub(crate) fn receipts(&self) -> Vec<Receipt> {
        self.read().receipts
    }

    /// Remembers a receipt.
    pub(crate) fn remember_receipt(&self, receipt: Receipt) {
        self.change(|remembered| receipts::add(&mut remembered.receipts, receipt));
    }

    /// Remembers the port.
    pub(crate) fn remember_port(&self, port: u16) {
        self.change(|remembered| remembered.port = Some(port));
    }

    /// Remembers these sessions, next to those of other servers of the project.
    pub(crate) fn remember(&self, sessions: &Sessions) {
        self.change(|remembered| {
            let new = sessions.all().into_iter();
            let new: Vec<_> = new.filter(|one| !remembered.sessions.contains(one)).collect();
            remembered.sessions.extend(new);
            prune(&mut remembered.sessions);
        });
    }

    fn read(&self) -> Remembered {
        let bytes = self.0.as_ref().and_then(|path| std::fs::read(path).ok());
        let remembered = bytes.and_then(|bytes| serde_json::from_slice::<Remembered>(&bytes).ok());
        remembered.filter(|remembered| remembered.version == VERSION).unwrap_or_default()
    }

    /// Changes what is remembered; servers of the same project take turns.
    fn change(&self, change: impl FnOnce(&mut Remembered)) {
        let Some(path) = &self.0 else { return };
        let changed = || -> io::Result<()> {
            let _turn = locked(&path.with_extension("lock"))?;
            let mut remembered = self.read();
            change(&mut remembered);
            remembered.version = VERSION;
            write(path, &serde_json::to_vec(&remembered)?)
        };
        // Without it, pages have to be opened again after a restart; nothing else depends on it.
        let _ = changed();
    }
}

fn locked(path: &Path) -> io::Result<File> {
    let file = open_private(path)?;
    file.lock()?;
    Ok(file)
}

/// Replaces a file as a whole.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_server_knows_port_and_sessions_and_only_the_owner_reads_them() {
        let state = tempfile::tempdir().unwrap();
        let memory = || Memory::for_project(Some(state.path()), "/some/project");
        assert_eq!(memory().port(), None);
        let sessions = Sessions::new(Vec::new());
        let one = sessions.start().unwrap();
        memory().remember(&sessions);
        memory().remember_port(4711);
        assert_eq!(memory().port(), Some(4711));
        let next = Sessions::new(memory().sessions());
        assert!(next.know(one.cookie.as_str(), Some(one.secret.as_str())));
        assert_eq!(Memory::for_project(Some(state.path()), "/another").port(), None);
        #[cfg(unix)]
        for entry in std::fs::read_dir(state.path().join("projects")).unwrap() {
            use std::os::unix::fs::PermissionsExt;
            let mode = entry.unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn what_is_broken_or_newer_is_forgotten() {
        let state = tempfile::tempdir().unwrap();
        let memory = Memory::for_project(Some(state.path()), "/some/project");
        for text in ["", "{", "[]", r#"{"version":2,"port":1,"sessions":[]}"#] {
            std::fs::write(memory.0.as_ref().unwrap(), text).unwrap();
            assert_eq!((memory.port(), memory.sessions().len()), (None, 0), "{text}");
        }
        memory.remember_port(5);
        assert_eq!(memory.port(), Some(5));
        assert_eq!(Memory::for_project(None, "/some/project").port(), None);
    }
}
