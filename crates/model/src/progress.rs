//! Progress of long-running work, how it is cancelled, and how long it may take.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The state of the search for the best scheme: the lowest, or the one with the least loss.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchState {
    /// The height, or the loss, of the best scheme found so far.
    pub found: Option<f64>,
    /// It is proven that no scheme below this height, or loss, is feasible.
    pub none_below: f64,
    /// Whether the search was stopped, so that there may be better ones.
    pub stopped: bool,
}

/// Receives progress and warnings of long-running work, and says whether it is still wanted and how
/// long it may take. Everything that takes long or waits gets one, from the caller that waits for it.
pub trait Progress: Sync {
    /// Work of this many steps begins; 0 if the number is not known.
    fn start(&self, what: &str, steps: u64);
    /// This many further steps are done.
    fn advance(&self, steps: u64);
    /// The work is done.
    fn finish(&self);
    /// Returns whether the work is no longer wanted. It then stops soon, with
    /// [`Error::cancelled`](crate::Error::cancelled); a statement that a database runs for it is
    /// cancelled.
    fn cancelled(&self) -> bool {
        false
    }

    /// Returns when a search stops and its best result so far counts; `None` if it has time to the end.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    /// Receives the state of a search for the best scheme.
    fn searching(&self, _: &SearchState) {}

    /// Receives something that the user should know although the work goes on.
    fn warn(&self, _: &str) {}

    /// Another program, such as a database, begins to work for this one: until [`release`](Self::release)
    /// is called as often, ending this program would leave something behind, so it must be cancelled.
    fn hold(&self) {}

    /// The other program has ended its work.
    fn release(&self) {}

    /// Returns whether the deadline has passed. The clock is read only if there is one.
    fn is_late(&self) -> bool {
        self.deadline().is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns whether the work must stop, because it is cancelled or late.
    fn is_over(&self) -> bool {
        self.cancelled() || self.is_late()
    }

    /// Reports further steps and says whether to continue.
    fn step(&self, steps: usize) -> ControlFlow<()> {
        self.advance(steps as u64);
        if self.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl std::fmt::Debug for dyn Progress + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

/// Implements what a wrapper passes on: all of it, or all but the steps and states of the work.
macro_rules! pass_on {
    ($own:ident => $inner:expr) => {
        fn start(&$own, what: &str, steps: u64) {
            $inner.start(what, steps);
        }

        fn advance(&$own, steps: u64) {
            $inner.advance(steps);
        }

        fn finish(&$own) {
            $inner.finish();
        }

        fn searching(&$own, state: &SearchState) {
            $inner.searching(state);
        }

        pass_on!(control: $own => $inner);
    };
    (control: $own:ident => $inner:expr) => {
        fn warn(&$own, text: &str) {
            $inner.warn(text);
        }

        fn hold(&$own) {
            $inner.hold();
        }

        fn release(&$own) {
            $inner.release();
        }
    };
}

impl<P: Progress + Send + ?Sized> Progress for std::sync::Arc<P> {
    pass_on!(self => (**self));

    fn cancelled(&self) -> bool {
        (**self).cancelled()
    }

    fn deadline(&self) -> Option<Instant> {
        (**self).deadline()
    }
}

impl<P: Progress + ?Sized> Progress for &P {
    pass_on!(self => (**self));

    fn cancelled(&self) -> bool {
        (**self).cancelled()
    }

    fn deadline(&self) -> Option<Instant> {
        (**self).deadline()
    }
}

/// Ignores the steps of work that is one step of a larger whole, and passes on everything else.
#[derive(Debug, Clone, Copy)]
pub struct CancelOnly<'a>(pub &'a dyn Progress);

impl Progress for CancelOnly<'_> {
    fn start(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn finish(&self) {}

    pass_on!(control: self => self.0);

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }

    fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }
}

/// A part of the work with a deadline of its own: the earlier one of this and that of the whole counts.
#[derive(Debug, Clone, Copy)]
pub struct WithDeadline<'a> {
    whole: &'a dyn Progress,
    deadline: Option<Instant>,
}

impl<'a> WithDeadline<'a> {
    /// Gives the part this much time from now on; without a limit, as much as the whole has.
    pub fn after(whole: &'a dyn Progress, limit: Option<Duration>) -> Self {
        Self::at(whole, limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// Gives the part time until this moment; without one, as long as the whole has.
    pub fn at(whole: &'a dyn Progress, deadline: Option<Instant>) -> Self {
        Self { whole, deadline }
    }
}

impl Progress for WithDeadline<'_> {
    pass_on!(self => self.whole);

    fn cancelled(&self) -> bool {
        self.whole.cancelled()
    }

    fn deadline(&self) -> Option<Instant> {
        self.whole.deadline().into_iter().chain(self.deadline).min()
    }
}

/// Work that is cancelled at a moment, whether it has found something or not.
#[derive(Debug, Clone, Copy)]
pub struct CancelAt<'a> {
    work: &'a dyn Progress,
    end: Option<Instant>,
}

impl<'a> CancelAt<'a> {
    /// Cancels the work at this moment; without one, only if its receiver does.
    pub fn new(work: &'a dyn Progress, end: Option<Instant>) -> Self {
        Self { work, end }
    }

    /// Returns whether the moment has come.
    pub fn has_ended(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}

impl Progress for CancelAt<'_> {
    pass_on!(self => self.work);

    fn cancelled(&self) -> bool {
        self.work.cancelled() || self.has_ended()
    }

    fn deadline(&self) -> Option<Instant> {
        self.work.deadline()
    }
}

/// Marks that another program works for this one, until it is dropped.
#[derive(Debug)]
pub struct Held<'a>(&'a dyn Progress);

impl<'a> Held<'a> {
    /// Tells the receiver that the other program begins.
    pub fn by(progress: &'a dyn Progress) -> Self {
        progress.hold();
        Self(progress)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.release();
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

    use super::*;

    #[derive(Default)]
    struct Receiver {
        cancelled: AtomicBool,
        held: AtomicI64,
        heard: Mutex<Vec<String>>,
    }

    impl Progress for Receiver {
        fn start(&self, what: &str, _: u64) {
            self.heard.lock().unwrap().push(what.into());
        }

        fn advance(&self, _: u64) {}
        fn finish(&self) {}

        fn cancelled(&self) -> bool {
            self.cancelled.load(Relaxed)
        }

        fn warn(&self, text: &str) {
            self.heard.lock().unwrap().push(text.into());
        }

        fn hold(&self) {
            self.held.fetch_add(1, Relaxed);
        }

        fn release(&self) {
            self.held.fetch_sub(1, Relaxed);
        }
    }

    #[test]
    fn the_earlier_deadline_counts_and_cancels_nothing() {
        let receiver = Receiver::default();
        let (now, hour) = (Instant::now(), Duration::from_hours(1));
        let whole = WithDeadline::at(&receiver, Some(now + hour));
        let earlier = WithDeadline::at(&whole, Some(now));
        let later = WithDeadline::after(&whole, Some(2 * hour));
        assert_eq!(earlier.deadline(), Some(now));
        assert_eq!(later.deadline(), Some(now + hour));
        assert_eq!(WithDeadline::after(&whole, None).deadline(), Some(now + hour));
        assert_eq!(WithDeadline::after(&receiver, None).deadline(), None);
        assert!(earlier.is_late() && earlier.is_over() && !earlier.cancelled());
        assert!(earlier.step(1).is_continue(), "what is late is not cancelled");
        assert!(!whole.is_late() && !later.is_over());
        assert_eq!(WithDeadline::after(&receiver, Some(Duration::MAX)).deadline(), None);
    }

    #[test]
    fn every_part_is_cancelled_with_the_whole() {
        let receiver = Receiver::default();
        let part = WithDeadline::after(&receiver, Some(Duration::from_hours(1)));
        let one_step = CancelOnly(&part);
        let ended = CancelAt::new(&receiver, Some(Instant::now()));
        assert!(!one_step.cancelled() && !one_step.is_over());
        assert!(ended.cancelled() && ended.has_ended() && !ended.is_late());
        receiver.cancelled.store(true, Relaxed);
        let endless = CancelAt::new(&one_step, None);
        assert!(endless.cancelled() && !endless.has_ended() && endless.is_over());
        assert!(endless.step(1).is_break() && !endless.is_late());
    }

    #[test]
    fn warnings_and_holds_reach_the_receiver_and_steps_of_a_step_do_not() {
        let receiver = Receiver::default();
        let part = WithDeadline::after(&receiver, None);
        let one_step = CancelOnly(&part);
        part.start("counting", 1);
        one_step.start("a step", 1);
        one_step.warn("mind the gap");
        assert_eq!(*receiver.heard.lock().unwrap(), ["counting", "mind the gap"]);
        let held = Held::by(&one_step);
        assert_eq!(receiver.held.load(Relaxed), 1);
        drop(held);
        assert_eq!(receiver.held.load(Relaxed), 0);
    }
}
