//! Costly numbers that are computed once for each pattern of sensitive values, not for each group.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// So many patterns are remembered; what comes after is computed each time.
const MOST: usize = 1 << 20;

/// What is known of patterns, shared by the threads that annotate.
#[derive(Debug, Default)]
pub(crate) struct Memo(Mutex<FxHashMap<Box<[u64]>, f64>>);

impl Memo {
    /// The number of a pattern, computed if it was never seen.
    pub(crate) fn get(&self, pattern: &[u64], compute: impl FnOnce() -> f64) -> f64 {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known().get(pattern) {
            return number;
        }
        let number = compute();
        let mut known = known();
        if known.len() < MOST {
            known.insert(pattern.into(), number);
        }
        number
    }
}
