//! Progress of long work, which can be asked to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use haggle::Progress;

/// How far some work has come, and whether it is still wanted.
#[derive(Default)]
pub(crate) struct WorkSteps {
    now: Mutex<(String, u64, u64)>,
    unwanted: AtomicBool,
}

impl WorkSteps {
    /// What is being done, how much of it is done, and of how much.
    pub(crate) fn now(&self) -> (String, u64, u64) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the work to stop.
    pub(crate) fn stop(&self) {
        self.unwanted.store(true, Relaxed);
    }
}

impl Progress for WorkSteps {
    fn start(&self, what: &str, steps: u64) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = (what.into(), 0, steps);
    }

    fn advance(&self, steps: u64) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).1 += steps;
    }

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.unwanted.load(Relaxed)
    }
}

/// The work under way, so that it can be cancelled with the server.
#[derive(Default)]
pub(crate) struct Underway(Mutex<Vec<Arc<WorkSteps>>>);

impl Underway {
    /// The progress of some new work.
    pub(crate) fn begin(&self) -> Arc<WorkSteps> {
        let steps = Arc::new(WorkSteps::default());
        let mut underway = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        underway.retain(|steps| Arc::strong_count(steps) > 1);
        underway.push(steps.clone());
        steps
    }

    /// Cancels all of it.
    pub(crate) fn stop(&self) {
        let underway = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        underway.iter().for_each(|steps| steps.stop());
    }
}
