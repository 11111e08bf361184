//! Ctrl-C during a search that has found something: the first ends the search, the second the
//! program.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};

/// The exit code that shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

/// Whether the user wants only what was found.
#[derive(Debug, Default)]
pub(crate) struct Interrupt(OnceLock<Arc<AtomicBool>>);

impl Interrupt {
    /// Returns whether it was pressed; before the first call, Ctrl-C ends the program as usual.
    pub(crate) fn is_pressed(&self) -> bool {
        let pressed = self.0.get_or_init(|| {
            let pressed = Arc::new(AtomicBool::new(false));
            // In this order, so that the first call finds nothing pressed yet. Where signals are
            // not available, Ctrl-C still ends the program.
            let second = register_conditional_shutdown(SIGINT, INTERRUPTED, pressed.clone());
            if second.is_ok() {
                let _ = register(SIGINT, pressed.clone());
            }
            pressed
        });
        pressed.load(Relaxed)
    }
}
