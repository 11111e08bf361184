//! Ctrl-C during a search that has found something, or while an engine runs a statement: the first ends
//! the search or cancels the statement, the second ends the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};

/// The exit code that shells use for an interrupted program.
pub(crate) const INTERRUPTED: u8 = 130;
/// How often it is checked whether Ctrl-C should end the program.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Whether a search ends at Ctrl-C and shows what it found.
static IS_SEARCHING: AtomicBool = AtomicBool::new(false);
/// How many sessions of engines work for this program.
static HELD: AtomicUsize = AtomicUsize::new(0);
/// Whether Ctrl-C cancelled some work.
static HAS_CANCELLED: AtomicBool = AtomicBool::new(false);
/// Whether Ctrl-C was pressed since the first session of a database.
static PRESSED: Interrupt = Interrupt(OnceLock::new());

/// Whether the user wants only what was found.
#[derive(Debug, Default)]
pub(crate) struct Interrupt(OnceLock<Arc<AtomicBool>>);

impl Interrupt {
    /// Returns whether it was pressed; before the first call, Ctrl-C ends the program as usual.
    pub(crate) fn is_pressed(&self) -> bool {
        IS_SEARCHING.store(true, Relaxed);
        self.was_pressed()
    }

    fn was_pressed(&self) -> bool {
        let pressed = self.0.get_or_init(|| {
            let pressed = Arc::new(AtomicBool::new(false));
            // In this order, so that the first call finds nothing pressed yet. Where signals are
            // not available, Ctrl-C still ends the program.
            let second = register_conditional_shutdown(SIGINT, INTERRUPTED.into(), pressed.clone());
            if second.is_ok() {
                let _ = register(SIGINT, pressed.clone());
            }
            pressed
        });
        pressed.load(Relaxed)
    }
}

/// A session of a database begins. From then on the first Ctrl-C has statements cancelled and what
/// they wrote removed; where no database works, it ends the program as usual.
pub(crate) fn hold() {
    static WATCHER: Once = Once::new();
    HELD.fetch_add(1, SeqCst);
    PRESSED.was_pressed();
    WATCHER.call_once(|| drop(std::thread::spawn(end_if_idle)));
}

/// A session of a database has ended.
pub(crate) fn release() {
    HELD.fetch_sub(1, SeqCst);
}

/// Returns whether Ctrl-C cancels the work. The work then ends in order, and the program with it.
pub(crate) fn cancels() -> bool {
    let is_pressed = PRESSED.0.get().is_some_and(|pressed| pressed.load(Relaxed));
    let cancels = is_pressed && !IS_SEARCHING.load(Relaxed);
    if cancels {
        HAS_CANCELLED.store(true, SeqCst);
    }
    cancels
}

/// Returns whether Ctrl-C cancelled some work.
pub(crate) fn has_cancelled() -> bool {
    HAS_CANCELLED.load(SeqCst)
}

/// Ends the program at Ctrl-C while no engine works and no search is under way.
fn end_if_idle() {
    loop {
        std::thread::sleep(POLL_INTERVAL);
        let is_idle = HELD.load(SeqCst) == 0 && !has_cancelled();
        if is_idle && !IS_SEARCHING.load(Relaxed) && PRESSED.was_pressed() {
            std::process::exit(INTERRUPTED.into());
        }
    }
}
