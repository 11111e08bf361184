//! Statements that an engine is running, and how they are cancelled from outside.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use haggle_model::Error;

/// How often a running statement looks whether it is still wanted.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

static INTERRUPTED: OnceLock<fn() -> bool> = OnceLock::new();
static RUNNING: AtomicUsize = AtomicUsize::new(0);
static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Has running statements cancelled as soon as `is_interrupted` returns true, such as after Ctrl-C. It
/// is asked a few times a second while a statement runs. Only the first call of a program counts.
pub fn cancel_statements_when(is_interrupted: fn() -> bool) {
    let _ = INTERRUPTED.set(is_interrupted);
}

/// Whether an engine works for this program: it runs a statement, or holds what is not yet proved.
pub fn is_engine_busy() -> bool {
    RUNNING.load(SeqCst) > 0
}

/// Whether a statement was cancelled because of an interruption.
pub fn was_statement_cancelled() -> bool {
    CANCELLED.load(SeqCst)
}

/// Whether the program is interrupted, which is then known to all.
fn is_interrupted() -> bool {
    let interrupted = INTERRUPTED.get().is_some_and(|is_interrupted| is_interrupted());
    if interrupted {
        CANCELLED.store(true, SeqCst);
    }
    interrupted
}

/// Work of an engine that must be ended in order, until it is dropped.
#[derive(Debug)]
pub(crate) struct EngineWork(());

impl EngineWork {
    pub(crate) fn begin() -> Self {
        RUNNING.fetch_add(1, SeqCst);
        Self(())
    }
}

impl Drop for EngineWork {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, SeqCst);
    }
}

/// Watches a statement until it is dropped.
pub(crate) struct RunningStatement {
    done: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
    _work: EngineWork,
}

impl RunningStatement {
    /// Calls `cancel` while the program is interrupted; an error if it is already.
    pub(crate) fn watch(cancel: impl Fn() + Send + 'static) -> Result<Self, Error> {
        let work = EngineWork::begin();
        if is_interrupted() {
            return Err(Error::cancelled());
        }
        let (done, ended) = channel();
        let watcher = INTERRUPTED.get().map(|_| {
            std::thread::spawn(move || {
                while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if is_interrupted() {
                        cancel();
                    }
                }
            })
        });
        Ok(Self { done: Some(done), watcher, _work: work })
    }
}

impl Drop for RunningStatement {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(watcher) = self.watcher.take() {
            let _ = watcher.join();
        }
    }
}
