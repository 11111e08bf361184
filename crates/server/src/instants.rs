//! The summaries in use: what is known of the table before it is counted, built once for all
//! clients.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use haggle::search::{Instant, InstantAsk, InstantOptions};
use haggle::{Error, Progress, Project};

/// How many summaries are kept; the one not used for longest is dropped first.
const MOST: usize = 8;

/// A summary that is built or about to be built, locked while it counts.
type SummarySlot = Arc<Mutex<Option<Instant>>>;

/// The summaries in use, the one used last at the back.
pub(crate) struct Instants {
    project: Arc<Project>,
    memory: usize,
    kept: Mutex<VecDeque<(String, SummarySlot)>>,
}

impl Instants {
    pub(crate) fn new(project: Arc<Project>, memory: usize) -> Self {
        Self { project, memory, kept: Mutex::default() }
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
        let kept = self.place(Instant::known_as(&self.project, ask, &qi)?);
        let mut instant = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        if instant.is_none() {
            let options = InstantOptions {
                qi: Some(qi),
                memory: self.memory,
                progress,
                ..InstantOptions::default()
            };
            *instant = Some(Instant::open(&self.project, ask, &options)?);
        }
        match &mut *instant {
            Some(instant) => question(instant),
            None => Err(Error::Cancelled),
        }
    }

    /// Where the summary of this name is or will be.
    fn place(&self, name: String) -> SummarySlot {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|(known, _)| *known == name);
        let one =
            found.and_then(|i| kept.remove(i)).unwrap_or_else(|| (name, SummarySlot::default()));
        let place = one.1.clone();
        kept.push_back(one);
        while kept.len() > MOST {
            kept.pop_front();
        }
        place
    }
}
