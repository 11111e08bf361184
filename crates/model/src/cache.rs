//! A bounded cache: the value not used for longest is dropped first, and a value is built once,
//! however many threads ask for it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Error, Progress, Silent};

/// How often a waiting thread checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How much a cache holds. The newest value stays even if it is too large.
pub struct Capacity<V: ?Sized> {
    entries: usize,
    bytes: usize,
    size: fn(&V) -> usize,
}

impl<V: ?Sized> Capacity<V> {
    /// At most this many values.
    pub fn entries(entries: usize) -> Self {
        Self { entries, bytes: usize::MAX, size: |_| 0 }
    }

    /// At most this many bytes in all, by the size of each value.
    pub fn bytes(bytes: usize, size: fn(&V) -> usize) -> Self {
        Self { entries: usize::MAX, bytes, size }
    }

    /// At most this many values as well.
    pub fn and_entries(self, entries: usize) -> Self {
        Self { entries, ..self }
    }
}

/// A bounded cache, shared by threads.
pub struct Cache<K, V: ?Sized> {
    /// The one used last at the back.
    entries: Mutex<VecDeque<(K, Arc<V>)>>,
    /// The keys of values that are being built.
    building: Mutex<Vec<K>>,
    built: Condvar,
}

impl<K, V: ?Sized> Default for Cache<K, V> {
    fn default() -> Self {
        Self { entries: Mutex::default(), building: Mutex::default(), built: Condvar::new() }
    }
}

impl<K: fmt::Debug, V: ?Sized> fmt::Debug for Cache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries().iter().map(|(key, _)| key)).finish()
    }
}

/// Keys whose values this thread builds, until it is dropped.
pub struct Building<'c, K: PartialEq, V: ?Sized> {
    cache: &'c Cache<K, V>,
    keys: Vec<K>,
}

impl<K: PartialEq, V: ?Sized> Drop for Building<'_, K, V> {
    fn drop(&mut self) {
        locked(&self.cache.building).retain(|key| !self.keys.contains(key));
        self.cache.built.notify_all();
    }
}

impl<K, V: ?Sized> Cache<K, V> {
    fn entries(&self) -> MutexGuard<'_, VecDeque<(K, Arc<V>)>> {
        locked(&self.entries)
    }

    /// Returns the first value that fits; it counts as used.
    pub fn find(&self, fits: impl Fn(&K, &V) -> bool) -> Option<Arc<V>> {
        let mut entries = self.entries();
        let found = entries.iter().position(|(key, value)| fits(key, value))?;
        let entry = entries.remove(found)?;
        let value = entry.1.clone();
        entries.push_back(entry);
        Some(value)
    }

    /// Drops the values that are not to be kept.
    pub fn retain(&self, keep: impl Fn(&K, &V) -> bool) {
        self.entries().retain(|(key, value)| keep(key, value));
    }

    /// Returns how much all values take together, by the size of each.
    pub fn total(&self, size: impl Fn(&V) -> usize) -> usize {
        self.entries().iter().map(|(_, value)| size(value)).sum()
    }
}

impl<K: PartialEq, V: ?Sized> Cache<K, V> {
    /// Returns the value of a key, if it is there; it counts as used.
    pub fn get(&self, key: &K) -> Option<Arc<V>> {
        self.find(|known, _| known == key)
    }

    /// Adds a value, in place of an earlier one of the same key; older values are dropped until the
    /// capacity suffices.
    pub fn insert(&self, key: K, value: Arc<V>, capacity: &Capacity<V>) {
        let mut entries = self.entries();
        entries.retain(|(known, _)| *known != key);
        entries.push_back((key, value));
        let mut bytes: usize = entries.iter().map(|(_, value)| (capacity.size)(value)).sum();
        while entries.len() > 1 && (entries.len() > capacity.entries || bytes > capacity.bytes) {
            let oldest = entries.pop_front();
            bytes -= oldest.map_or(0, |(_, value)| (capacity.size)(&value));
        }
    }
}

impl<K: PartialEq + Clone, V: ?Sized> Cache<K, V> {
    /// Waits until no other thread builds a value of these keys; an error if it is cancelled before.
    /// While the result lives, others wait in turn. All keys are taken at once, so that no two
    /// threads wait for each other.
    pub fn building(
        &self,
        keys: Vec<K>,
        progress: &dyn Progress,
    ) -> Result<Building<'_, K, V>, Error> {
        let mut building = locked(&self.building);
        while building.iter().any(|key| keys.contains(key)) {
            if progress.cancelled() {
                return Err(Error::cancelled());
            }
            let woken = self.built.wait_timeout(building, POLL_INTERVAL);
            (building, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
        building.extend(keys.iter().cloned());
        Ok(Building { cache: self, keys })
    }

    /// Returns the value of a key; builds it if it is not there. Threads that want it meanwhile wait
    /// for it, unless they are cancelled.
    pub fn get_or_build(
        &self,
        key: &K,
        capacity: &Capacity<V>,
        progress: &dyn Progress,
        build: impl FnOnce() -> Result<Arc<V>, Error>,
    ) -> Result<Arc<V>, Error> {
        if let Some(value) = self.get(key) {
            return Ok(value);
        }
        let _building = self.building(vec![key.clone()], progress)?;
        if let Some(value) = self.get(key) {
            return Ok(value);
        }
        let value = build()?;
        self.insert(key.clone(), value.clone(), capacity);
        Ok(value)
    }

    /// Returns the value of a key; computes it if it is not there.
    pub fn get_or_compute(
        &self,
        key: &K,
        capacity: &Capacity<V>,
        compute: impl FnOnce() -> Arc<V>,
    ) -> Arc<V> {
        let computed = self.get_or_build(key, capacity, &Silent, || Ok(compute()));
        computed.expect("neither the computing nor the waiting can fail")
    }
}

/// What a panicking thread left is whole: entries are complete at every step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    fn keys(cache: &Cache<u8, str>) -> Vec<u8> {
        cache.entries().iter().map(|(key, _)| *key).collect()
    }

    #[test]
    fn the_value_not_used_for_longest_is_dropped_first() {
        let (cache, capacity) = (Cache::default(), Capacity::entries(3));
        for key in 1..=3 {
            cache.insert(key, "value".into(), &capacity);
        }
        assert!(cache.get(&1).is_some());
        cache.insert(4, "value".into(), &capacity);
        assert_eq!(keys(&cache), [3, 1, 4]);
        cache.insert(3, "other".into(), &capacity);
        assert_eq!((keys(&cache), &*cache.get(&3).unwrap()), (vec![1, 4, 3], "other"));
    }

    #[test]
    fn bytes_are_bounded_and_the_newest_stays() {
        let (cache, capacity) = (Cache::default(), Capacity::bytes(5, str::len).and_entries(3));
        for (key, value) in [(1, "12"), (2, "12"), (3, "1")] {
            cache.insert(key, value.into(), &capacity);
        }
        assert_eq!((keys(&cache), cache.total(str::len)), (vec![1, 2, 3], 5));
        cache.insert(4, "12".into(), &capacity);
        assert_eq!(keys(&cache), [2, 3, 4]);
        cache.insert(5, "123456789".into(), &capacity);
        assert_eq!(keys(&cache), [5]);
    }

    #[test]
    fn a_value_is_built_once_and_other_keys_do_not_wait() {
        let (cache, capacity) = (Cache::<u8, str>::default(), Capacity::entries(9));
        let (built, both) = (AtomicUsize::new(0), Barrier::new(2));
        let get = |key, wait: bool| {
            cache.get_or_compute(&key, &capacity, || {
                if wait {
                    both.wait();
                    both.wait();
                }
                built.fetch_add(1, Relaxed);
                "value".into()
            })
        };
        std::thread::scope(|scope| {
            scope.spawn(|| get(1, true));
            both.wait();
            get(2, false);
            assert_eq!(built.load(Relaxed), 1, "the slow one is still being built");
            let waiting = scope.spawn(|| get(1, false));
            both.wait();
            waiting.join().unwrap();
        });
        assert_eq!(built.load(Relaxed), 2);
    }

    #[test]
    fn what_failed_or_panicked_is_built_by_the_next() {
        let (cache, capacity) = (Cache::<u8, str>::default(), Capacity::entries(9));
        let failed = cache.get_or_build(&1, &capacity, &Silent, || Err(Error::cancelled()));
        assert!(failed.is_err());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            cache.get_or_compute(&1, &capacity, || panic!("expected"))
        }));
        assert!(panicked.is_err());
        assert_eq!(&*cache.get_or_compute(&1, &capacity, || "value".into()), "value");
    }

    #[test]
    fn waiting_can_be_cancelled() {
        struct Cancelled;
        impl Progress for Cancelled {
            fn start(&self, _: &str, _: u64) {}
            fn advance(&self, _: u64) {}
            fn finish(&self) {}
            fn cancelled(&self) -> bool {
                true
            }
        }
        let cache = Cache::<u8, str>::default();
        let building = cache.building(vec![1, 2], &Cancelled).unwrap();
        assert!(cache.building(vec![2, 3], &Cancelled).is_err_and(|error| error.is_cancelled()));
        drop(building);
        assert!(cache.building(vec![2, 3], &Cancelled).is_ok());
    }
}
