//! One input through one target: its properties, its memory and its time.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

use crate::{Target, Verdict};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The longest time for one input, on a slow machine.
const LONGEST: Duration = Duration::from_secs(20);

/// A property that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed(String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks one input. Memory is measured for the whole process: one input at a time.
pub fn run(target: &Target, input: &[u8]) -> Result<Verdict, Failed> {
    let (before, start) = (ALLOCATED.current_usage(), Instant::now());
    ALLOCATED.reset_peak_usage();
    let verdict = catch_unwind(AssertUnwindSafe(|| (target.check)(input)))
        .map_err(|panic| Failed(words(panic.as_ref())))?;
    let (took, taken) = (start.elapsed(), ALLOCATED.peak_usage().saturating_sub(before));
    if taken > target.memory {
        return Err(Failed(format!("{taken} bytes were allocated for {}", input.len())));
    }
    if took > LONGEST {
        return Err(Failed(format!("it took {took:?}")));
    }
    Ok(verdict)
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}
