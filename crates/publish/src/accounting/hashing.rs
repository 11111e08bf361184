//! The hashes by which values and combinations of them are known.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The hash of a value.
pub(super) fn hash(value: &str) -> u64 {
    xxh3_64(value.as_bytes())
}

/// The hash of several hashes.
pub(super) fn combined(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0, and)
}

/// The hash of values and one more.
pub(super) fn and(values: u64, hash: u64) -> u64 {
    xxh3_64_with_seed(&hash.to_le_bytes(), values)
}
