//! Schemes as plain bytes, which are cheap to copy and compare.

use haggle_model::Scheme;

/// The level of each attribute.
pub(crate) type Levels = Vec<u8>;

/// Returns the sum of the levels.
pub(crate) fn height(levels: &[u8]) -> u32 {
    levels.iter().map(|&level| u32::from(level)).sum()
}

/// Converts a scheme to bytes.
pub(crate) fn levels(scheme: &Scheme) -> Levels {
    scheme.levels().iter().map(|&level| level.into()).collect()
}

/// Converts bytes to a scheme.
pub(crate) fn scheme(levels: &[u8]) -> Scheme {
    Scheme::new(levels.iter().copied())
}

/// Returns the same levels but for one attribute.
pub(crate) fn with(levels: &[u8], attribute: usize, level: u8) -> Levels {
    let mut levels = levels.to_vec();
    levels[attribute] = level;
    levels
}
