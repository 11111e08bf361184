//! The summaries in use: what is known of the table before it is counted, built once for all
//! clients.

use std::sync::{Arc, Mutex, PoisonError};

use haggle::cache::{Cache, Capacity};
use haggle::search::{Instant, InstantAsk, InstantOptions};
use haggle::{Error, Progress, Project};

/// How many summaries are kept; the one not used for longest is dropped first.
const MOST: usize = 8;

/// The summaries in use, by their names. Each is locked while it counts.
pub(crate) struct Instants {
    project: Arc<Project>,
    memory: usize,
    summaries: Cache<String, Mutex<Instant>>,
}

impl Instants {
    pub(crate) fn new(project: Arc<Project>, memory: usize) -> Self {
        Self { project, memory, summaries: Cache::default() }
    }

    /// Asks the summary of these quasi-identifiers, which is built if it does not exist yet.
    pub(crate) fn ask<T>(
        &self,
        qi: Option<Vec<String>>,
        ask: &InstantAsk,
        progress: &dyn Progress,
        question: impl FnOnce(&mut Instant) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let qi = qi.unwrap_or_else(|| self.project.default_qi());
        let name = Instant::known_as(&self.project, ask, &qi)?;
        let capacity = Capacity::entries(MOST);
        let summary = self.summaries.get_or_build(&name, &capacity, progress, || {
            let options = InstantOptions {
                qi: Some(qi),
                memory: self.memory,
                progress,
                ..InstantOptions::default()
            };
            Ok(Arc::new(Mutex::new(Instant::open(&self.project, ask, &options)?)))
        })?;
        let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.cancelled() {
            return Err(Error::cancelled());
        }
        question(&mut summary)
    }
}
