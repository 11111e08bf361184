//! Ctrl-C where a search has something to show already: the first ends the search, the second the program.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};

/// As shells tell of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Whether the user wants no more than was found.
#[derive(Debug, Default)]
pub(crate) struct Interrupt(OnceLock<Arc<AtomicBool>>);

impl Interrupt {
    /// Whether it was pressed; until this is first asked, it ends the program as ever.
    pub(crate) fn is_pressed(&self) -> bool {
        let pressed = self.0.get_or_init(|| {
            let pressed = Arc::new(AtomicBool::new(false));
            // In this order, so that the first finds nothing pressed yet. Where signals cannot be
            // had, Ctrl-C goes on ending the program.
            let second = register_conditional_shutdown(SIGINT, INTERRUPTED, pressed.clone());
            if second.is_ok() {
                let _ = register(SIGINT, pressed.clone());
            }
            pressed
        });
        pressed.load(Relaxed)
    }
}
