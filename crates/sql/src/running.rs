//! Calls that wait for a database, and how they are cancelled.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use haggle_model::Progress;

/// How often it is checked whether what a database does is still wanted.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Makes a call that waits for a database. Once `progress` is cancelled, `cancel` is called, again
/// and again until the call returns.
pub(crate) fn cancellable<T>(
    progress: &dyn Progress,
    cancel: impl Fn() + Send,
    call: impl FnOnce() -> T,
) -> T {
    std::thread::scope(|scope| {
        let (done, ended) = channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if progress.cancelled() {
                    cancel();
                }
            }
        });
        let result = call();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::mpsc::Receiver;

    use haggle_model::Silent;

    use super::*;

    /// Cancelled as soon as it is said.
    #[derive(Default)]
    struct Caller(AtomicBool);

    impl Progress for Caller {
        fn start(&self, _: &str, _: u64) {}
        fn advance(&self, _: u64) {}
        fn finish(&self) {}

        fn cancelled(&self) -> bool {
            self.0.load(Relaxed)
        }
    }

    /// Waits for an answer, or to be cancelled, as a statement does.
    fn statement(progress: &dyn Progress, answer: &Receiver<&'static str>) -> &'static str {
        let (cancel, cancelled) = (AtomicBool::new(false), "cancelled");
        let wait = || loop {
            match answer.recv_timeout(Duration::from_millis(1)) {
                Ok(answer) => return answer,
                Err(_) if cancel.load(Relaxed) => return cancelled,
                Err(_) => {}
            }
        };
        cancellable(progress, || cancel.store(true, Relaxed), wait)
    }

    #[test]
    fn of_two_callers_only_the_one_that_cancels_is_cancelled() {
        let (one, other) = (Caller::default(), Caller::default());
        let (_never, nothing) = channel();
        let (answer, answers) = channel();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| statement(&other, &{ answers }));
            let stopped = scope.spawn(|| statement(&one, &{ nothing }));
            one.0.store(true, Relaxed);
            assert_eq!(stopped.join().unwrap(), "cancelled");
            answer.send("answered").unwrap();
            assert_eq!(running.join().unwrap(), "answered");
        });
    }

    #[test]
    fn a_call_that_nobody_cancels_returns_at_once() {
        let start = std::time::Instant::now();
        assert_eq!(cancellable(&Silent, || panic!("nobody cancels"), || 7), 7);
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}
