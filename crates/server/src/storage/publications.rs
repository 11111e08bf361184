//! What was published for download: in private folders that are removed with the server.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// How many publications can be downloaded; the oldest are removed first.
const MOST: usize = 16;

/// The publications, the newest at the back.
#[derive(Default)]
pub(crate) struct StoredPublications {
    done: Mutex<VecDeque<StoredPublication>>,
}

/// A publication's files by the names they are downloaded by.
pub(crate) struct StoredPublication {
    pub(crate) id: String,
    pub(crate) files: BTreeMap<String, PathBuf>,
    /// The folder is removed with it.
    pub(crate) folder: TempDir,
}

impl StoredPublications {
    /// Keeps a publication for download.
    pub(crate) fn keep(&self, publication: StoredPublication) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.push_back(publication);
        if done.len() > MOST {
            done.pop_front();
        }
    }

    /// A file of a publication; only names that were given out lead anywhere.
    pub(crate) fn file(&self, id: &str, name: &str) -> Option<PathBuf> {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.iter().find(|one| one.id == id)?.files.get(name).cloned()
    }

    /// Whether the files of a publication are still there.
    pub(crate) fn has(&self, id: &str) -> bool {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.iter().any(|one| one.id == id)
    }

    /// Removes what was kept.
    pub(crate) fn stop(&self) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        for publication in done.drain(..) {
            // What cannot be removed is left to the system's own cleaning.
            let _ = publication.folder.close();
        }
    }
}
