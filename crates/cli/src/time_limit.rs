//! A limit on the time from the start of a command to its answer.

use std::time::{Duration, Instant};

use haggle::{Options, Progress};

use crate::progress::WorkBar;

/// Roll-ups read about this many cells in a second, on a slow machine.
const TOUCHES_PER_SECOND: f64 = 2e7;

/// What follows a search reads the data about this many times as long as opening it took.
const SCANS_AFTER_SEARCH: u32 = 4;

/// How many cells roll-ups may read to annotate every scheme beforehand. More where many questions
/// are asked, and never longer than the time limit.
pub(crate) fn full_touches(limit: Option<Duration>, questions: usize) -> f64 {
    let worth = Options::default().full_touches * questions.max(1) as f64;
    let in_time = limit.map(|limit| TOUCHES_PER_SECOND * limit.as_secs_f64());
    in_time.map_or(worth, |most| worth.min(most))
}

/// Progress of work that is cancelled when its time is over.
pub(crate) struct TimeLimit {
    start: Instant,
    limit: Option<Duration>,
    bar: WorkBar,
}

impl TimeLimit {
    /// The time begins now.
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        Self { start: Instant::now(), limit, bar: WorkBar::default() }
    }

    pub(crate) fn bar(&self) -> &WorkBar {
        &self.bar
    }

    pub(crate) fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// When the time is over; none without a limit.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.start.checked_add(self.limit?)
    }

    /// When a search that begins now must stop, so that what it finds can be written and proved in
    /// time. So far the data was read once.
    pub(crate) fn search_until(&self) -> Option<Instant> {
        let limit = self.limit?;
        let reserve = (self.start.elapsed() * SCANS_AFTER_SEARCH).min(limit / 2);
        self.start.checked_add(limit.saturating_sub(reserve))
    }
}

impl Progress for TimeLimit {
    fn start(&self, what: &str, steps: u64) {
        self.bar.start(what, steps);
    }

    fn advance(&self, steps: u64) {
        self.bar.advance(steps);
    }

    fn finish(&self) {
        self.bar.finish();
    }

    fn cancelled(&self) -> bool {
        self.is_over()
    }
}
