//! Ctrl-C during a search that has found something, or while an engine runs a statement: the first ends
//! the search or cancels the statement, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use haggle::statements::{is_engine_busy, was_statement_cancelled};
use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};

/// The exit code that shells use for an interrupted program.
pub(crate) const INTERRUPTED: u8 = 130;
/// How often it is checked whether Ctrl-C should end the program.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Whether a search ends at Ctrl-C and shows what it found.
static IS_SEARCHING: AtomicBool = AtomicBool::new(false);

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

/// Returns whether Ctrl-C was pressed since an engine ran its first statement. From then on the first
/// Ctrl-C has statements cancelled and what they wrote removed; where none runs, it ends the program as
/// usual.
pub(crate) fn cancels_statements() -> bool {
    static PRESSED: Interrupt = Interrupt(OnceLock::new());
    static WATCHER: Once = Once::new();
    let pressed = PRESSED.was_pressed();
    WATCHER.call_once(|| drop(std::thread::spawn(|| end_if_idle(&PRESSED))));
    pressed
}

/// Ends the program at Ctrl-C while no engine works and no search is under way.
fn end_if_idle(interrupt: &Interrupt) {
    loop {
        std::thread::sleep(POLL_INTERVAL);
        let is_idle = !is_engine_busy() && !was_statement_cancelled();
        if is_idle && !IS_SEARCHING.load(Relaxed) && interrupt.was_pressed() {
            std::process::exit(INTERRUPTED.into());
        }
    }
}
