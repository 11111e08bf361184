//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use haggle::questions::Questions;
use haggle::{ErrorKind, Remedy};

use crate::access::RequestGuard;
use crate::failure::Failure;
use crate::queue::{Client, FairQueue};
use crate::served::ServedProject;
use crate::steps::{Underway, WorkSteps};
use crate::storage::{Drafts, Memory, PrivateFolder, Receipts, StoredPublications};

/// What all requests share.
pub(crate) struct State {
    pub(crate) served: ServedProject,
    pub(crate) guard: RequestGuard,
    /// Where the page is, without a code.
    pub(crate) origin: String,
    /// What the next server of the project should know.
    pub(crate) memory_of_sessions: Memory,
    /// Removed with the server.
    pub(crate) folder: Arc<PrivateFolder>,
    pub(crate) publications: StoredPublications,
    pub(crate) receipts: Receipts,
    /// The tables that are being set up.
    pub(crate) drafts: Drafts,
    pub(crate) memory: usize,
    /// What can be asked.
    pub(crate) questions: Questions,
    /// Where long work waits for its turn.
    pub(crate) queue: Arc<FairQueue>,
    /// The work under way.
    pub(crate) underway: Underway,
    /// How often work was stopped for want of memory.
    pub(crate) memory_stops: AtomicUsize,
}

/// As routes take it.
pub(crate) type Shared = axum::extract::State<Arc<State>>;

impl State {
    /// Runs long work on a worker thread, when it is the client's turn. Its place is free again
    /// when the work has ended, even if the caller no longer waits.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, haggle::Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let place = self.queue.enter(Client::current()).await;
        let served = self.served.last();
        let stops = self.memory_stops.load(Relaxed);
        let done = tokio::task::spawn_blocking(move || {
            let _until_done = place;
            let done = work();
            if let Some(served) = served {
                served.engines.trim();
            }
            done
        });
        match done.await.map_err(|_| Failure::internal())? {
            Err(error) if error.is_cancelled() && self.memory_stops.load(Relaxed) > stops => {
                Err(too_little_memory().into())
            }
            done => Ok(done?),
        }
    }
}

/// Work that is cancelled when this is dropped.
pub(crate) struct WantedWork(pub(crate) Arc<WorkSteps>);

impl Drop for WantedWork {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl State {
    /// Cancels long work, and removes what waits for download.
    pub(crate) fn stop(&self) {
        self.cancel();
        self.publications.stop();
    }

    /// Cancels long work because it takes more memory than allowed.
    pub(crate) fn stop_for_memory(&self) {
        self.memory_stops.fetch_add(1, Relaxed);
        self.cancel();
    }

    fn cancel(&self) {
        if let Some(served) = self.served.last() {
            served.engines.stop();
        }
        self.underway.stop();
    }
}

fn too_little_memory() -> haggle::Error {
    let what = "this takes more memory than the server may use, so it was stopped";
    let fix = Remedy::RaiseMemory("or choose fewer quasi-identifiers".into());
    haggle::Error::of_kind(ErrorKind::OutOfMemory, what, fix)
}
