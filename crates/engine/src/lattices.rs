//! A small cache of lattices, one for each privacy that was asked for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use haggle_model::Error;

/// The most lattices in the cache, unless there is little memory.
const MOST: usize = 4;

/// With less memory only the last lattice is cached, and may use all of it.
const LITTLE: usize = 1 << 30;

/// A cache of lattices by the columns that they carry, the one used last at the back.
#[derive(Debug)]
pub(crate) struct Lattices<L>(Mutex<VecDeque<(Vec<String>, Arc<L>)>>);

impl<L> Default for Lattices<L> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<L> Lattices<L> {
    /// Returns the lattice of these columns; builds it if it is not in the cache.
    pub(crate) fn of(
        &self,
        id: Vec<String>,
        memory: usize,
        make: impl FnOnce() -> Result<L, Error>,
    ) -> Result<Arc<L>, Error> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = cached.iter().position(|(known, _)| *known == id);
        let lattice = match known.and_then(|known| cached.remove(known)) {
            Some((_, lattice)) => lattice,
            None => Arc::new(make()?),
        };
        if cached.len() >= MOST || (!cached.is_empty() && memory < LITTLE) {
            cached.pop_front();
        }
        cached.push_back((id, lattice.clone()));
        Ok(lattice)
    }
}

/// Returns how much memory each lattice of a cache may use.
pub(crate) fn memory_of_each(memory: usize) -> usize {
    if memory < LITTLE { memory } else { memory / MOST }
}
