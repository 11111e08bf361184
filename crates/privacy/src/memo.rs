//! Caches numbers that are expensive to compute, by pattern of sensitive values instead of by
//! group.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// At most this many patterns are cached; further ones are computed each time.
const MOST: usize = 1 << 20;

/// The cached numbers, shared by the threads that annotate.
#[derive(Debug, Default)]
pub(crate) struct Memo(Mutex<FxHashMap<Box<[u64]>, f64>>);

impl Memo {
    /// Returns the number of a pattern, computed if it is not cached.
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
