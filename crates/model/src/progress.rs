//! Progress of long-running work, and how it is cancelled.

use std::ops::ControlFlow;

/// Receives progress of long-running work and can cancel it.
pub trait Progress: Sync {
    /// Work of this many steps begins; 0 if the number is not known.
    fn start(&self, what: &str, steps: u64);
    /// This many further steps are done.
    fn advance(&self, steps: u64);
    /// The work is done.
    fn finish(&self);
    /// Returns whether the work is no longer wanted. It then stops soon, with
    /// [`Error::cancelled`](crate::Error::cancelled).
    fn cancelled(&self) -> bool {
        false
    }

    /// Reports further steps and says whether to continue.
    fn step(&self, steps: usize) -> ControlFlow<()> {
        self.advance(steps as u64);
        if self.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<P: Progress + Send + ?Sized> Progress for std::sync::Arc<P> {
    fn start(&self, what: &str, steps: u64) {
        (**self).start(what, steps);
    }

    fn advance(&self, steps: u64) {
        (**self).advance(steps);
    }

    fn finish(&self) {
        (**self).finish();
    }

    fn cancelled(&self) -> bool {
        (**self).cancelled()
    }
}

impl<P: Progress + ?Sized> Progress for &P {
    fn start(&self, what: &str, steps: u64) {
        (**self).start(what, steps);
    }

    fn advance(&self, steps: u64) {
        (**self).advance(steps);
    }

    fn finish(&self) {
        (**self).finish();
    }

    fn cancelled(&self) -> bool {
        (**self).cancelled()
    }
}

/// Passes on cancellation, and ignores progress: for work that is one step of a larger whole.
#[derive(Clone, Copy)]
pub struct CancelOnly<'a>(pub &'a dyn Progress);

impl Progress for CancelOnly<'_> {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// Ignores progress and never cancels.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}
}
