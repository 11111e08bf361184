//! A small cache of lattices, one for each privacy that was asked for.

use std::sync::{Arc, Mutex, PoisonError};

use haggle_model::{Cache, Capacity, Error, Silent};

/// The most lattices in the cache, unless there is little memory.
const MOST: usize = 4;

/// With less memory only the last lattice is cached, and may use all of it.
const LITTLE: usize = 1 << 30;

/// A cache of lattices by the columns that they carry.
#[derive(Debug)]
pub(crate) struct Lattices<L> {
    cache: Cache<Vec<String>, L>,
    /// Taken while a lattice is built: each may use all the memory that there is for one.
    building: Mutex<()>,
}

impl<L> Default for Lattices<L> {
    fn default() -> Self {
        Self { cache: Cache::default(), building: Mutex::default() }
    }
}

impl<L> Lattices<L> {
    /// Returns the lattice of these columns; builds it if it is not in the cache.
    pub(crate) fn get_or_build(
        &self,
        id: &Vec<String>,
        memory: usize,
        build: impl FnOnce() -> Result<L, Error>,
    ) -> Result<Arc<L>, Error> {
        if let Some(lattice) = self.cache.get(id) {
            return Ok(lattice);
        }
        let _building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        let capacity = Capacity::entries(if memory < LITTLE { 1 } else { MOST });
        self.cache.get_or_build(id, &capacity, &Silent, || build().map(Arc::new))
    }
}

/// Returns how much memory each lattice of a cache may use.
pub(crate) fn memory_of_each(memory: usize) -> usize {
    if memory < LITTLE { memory } else { memory / MOST }
}
