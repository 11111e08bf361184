//! The hashes by which values and combinations of them are known.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Returns the hash of a value.
pub fn hash(value: &str) -> u64 {
    xxh3_64(value.as_bytes())
}

/// Returns the hash of several hashes.
pub fn combined(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0, and)
}

/// Returns the hash of values and one more.
pub fn and(values: u64, hash: u64) -> u64 {
    xxh3_64_with_seed(&hash.to_le_bytes(), values)
}
