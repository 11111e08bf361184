//! Long work with the interpreter free: progress to a callback, Ctrl-C to the work.

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use haggle::{Error, Progress};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::problem::{Failure, bad_input};

/// How often signals are checked and progress is reported.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The process that did the first work: only it has the threads that do more.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Refuses work in a forked process whose parent has done some: the threads are those of the parent.
pub(crate) fn check_process() -> PyResult<()> {
    if *PROCESS.get_or_init(process::id) == process::id() {
        return Ok(());
    }
    Err(bad_input(
        "haggle was used before this process was forked, and its threads were left behind",
        "start processes with the method 'spawn' or 'forkserver', or use haggle after forking only",
    ))
}

/// How far the work has come, and whether it is still wanted.
#[derive(Default)]
struct WorkSteps {
    cancelled: AtomicBool,
    done: AtomicU64,
    /// What is being done, and how many steps it has.
    stage: Mutex<(String, u64)>,
    /// Warnings that were not issued yet.
    warnings: Mutex<Vec<String>>,
}

impl Progress for WorkSteps {
    fn start(&self, what: &str, steps: u64) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = (what.to_owned(), steps);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn warn(&self, text: &str) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }
}

impl WorkSteps {
    /// Calls the callback with what is done, how far, and how far it goes.
    fn report(&self, py: Python<'_>, callback: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(callback) = callback else { return Ok(()) };
        let (what, steps) = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        callback.call1(py, (what, self.done.load(Ordering::Relaxed), steps)).map(drop)
    }

    /// Issues the warnings, as `warnings.warn` does.
    fn issue_warnings(&self, py: Python<'_>) -> PyResult<()> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for text in warnings.drain(..) {
            let text = CString::new(text.replace('\0', "")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
        }
        Ok(())
    }
}

/// Does quick work in this thread.
pub(crate) fn quickly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    check_process()?;
    Ok(py.detach(|| guarded(work))?)
}

/// Does long work in a thread of its own. Meanwhile this thread reports progress to the callback and
/// checks for signals; an exception of either cancels the work and is raised when that has stopped.
pub(crate) fn with_progress<T: Send>(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Progress) -> Result<T, Error> + Send,
) -> PyResult<T> {
    check_process()?;
    let steps = WorkSteps::default();
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    let mut raised = None;
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            // The receiver is there until the work has ended.
            let _ = sender.send(guarded(|| work(&steps)));
        });
        let wait = || {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(POLL_INTERVAL)
        };
        loop {
            match py.detach(wait) {
                Ok(ended) => break ended,
                Err(mpsc::RecvTimeoutError::Disconnected) => break Err(Failure::Defect),
                Err(mpsc::RecvTimeoutError::Timeout) if raised.is_some() => {}
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let checked = py.check_signals().and_then(|()| steps.report(py, callback));
                    raised = checked.err();
                    steps.cancelled.store(raised.is_some(), Ordering::Relaxed);
                }
            }
        }
    });
    if let Some(error) = raised {
        Err(error)
    } else {
        steps.issue_warnings(py)?;
        Ok(ended?)
    }
}

/// A panic ends the work, not the interpreter.
fn guarded<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::Defect),
    }
}
