//! A limit on the time from the start of a command to its answer.

use std::time::{Duration, Instant};

use haggle::{Error, Options};

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

/// Returns when a search that begins now must stop, so that what it finds can be written and proved
/// within a limit that began at `start`. So far the data was read once.
pub(crate) fn search_until(start: Instant, limit: Option<Duration>) -> Option<Instant> {
    let limit = limit?;
    let reserve = (start.elapsed() * SCANS_AFTER_SEARCH).min(limit / 2);
    start.checked_add(limit.saturating_sub(reserve))
}

/// Returns whether a command failed because its work was cancelled.
pub(crate) fn is_cancelled(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(Error::is_cancelled)
}
