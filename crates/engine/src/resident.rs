//! The memory of this process as the operating system sees it, compared with the limit that was set.
//!
//! Counts, cells and tables are accounted for before they are allocated. What is not, such as the text
//! of a large answer, is noticed here before the limit is exceeded.

use std::time::Duration;

/// What a process may have in addition to its limit and a quarter of it: the program itself.
const PROGRAM: usize = 64 << 20;

/// How far below that work is stopped.
const MARGIN: usize = 8 << 20;

/// The fastest that memory is filled, in bytes a nanosecond.
const FASTEST: usize = 4;

const SHORTEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Notices that this process takes more memory than allowed.
///
/// ```
/// use haggle_engine::resident::MemoryWatch;
///
/// // Where the operating system does not say how much there is, there is no watch.
/// assert!(MemoryWatch::within(1 << 40).is_none_or(|watch| watch.pause().is_some()));
/// assert!(MemoryWatch::within(0).is_none_or(|watch| watch.used() > 0));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct MemoryWatch {
    most: usize,
    page: usize,
}

impl MemoryWatch {
    /// Returns a watch of this process for a limit in bytes; none where the operating system does not
    /// say how much memory it has.
    pub fn within(memory: usize) -> Option<Self> {
        let most = memory.saturating_add(memory / 4).saturating_add(PROGRAM - MARGIN);
        resident_pages()?;
        Some(Self { most, page: page_bytes().unwrap_or(4096) })
    }

    /// Returns how long it takes at least until the process has too much memory, if it has not yet.
    pub fn pause(&self) -> Option<Duration> {
        let left = self.most.checked_sub(self.used())?;
        let pause = Duration::from_nanos((left / FASTEST) as u64);
        Some(pause.clamp(SHORTEST_PAUSE, LONGEST_PAUSE))
    }

    /// Returns how many bytes this process has in memory.
    pub fn used(&self) -> usize {
        resident_pages().unwrap_or(0).saturating_mul(self.page)
    }
}

/// How many pages of this process are in memory.
fn resident_pages() -> Option<usize> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    sizes.split(' ').nth(1)?.parse().ok()
}

/// The bytes of a page, from the values that the kernel passes to every program.
fn page_bytes() -> Option<usize> {
    const WORD: usize = size_of::<usize>();
    const PAGE_BYTES: usize = 6;
    let bytes = std::fs::read("/proc/self/auxv").ok()?;
    let word = |at: usize| Some(usize::from_ne_bytes(bytes.get(at..at + WORD)?.try_into().ok()?));
    let mut pairs = (0..bytes.len()).step_by(2 * WORD);
    pairs.find_map(|at| word(at).filter(|kind| *kind == PAGE_BYTES).and_then(|_| word(at + WORD)))
}
