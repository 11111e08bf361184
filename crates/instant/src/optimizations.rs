//! The shortcuts of the literature, each of which can be switched off.

/// Which shortcuts are used; all by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // five switches of the literature, each on its own
pub struct Optimizations {
    /// HYBRID: smooth binomials are approximated by the normal distribution.
    pub hybrid: bool,
    /// EXPO: far tails of skewed binomials are approximated by an exponential distribution.
    pub expo: bool,
    /// `SD_CUT`: sizes more than four deviations from the mean are skipped.
    pub sd_cut: bool,
    /// LIMIT: a conditional probability that has settled is not computed again.
    pub limit: bool,
    /// MAX: a value that is nearly always the most frequent one decides alone.
    pub max: bool,
}

impl Optimizations {
    /// All of them.
    pub const ALL: Self = Self { hybrid: true, expo: true, sd_cut: true, limit: true, max: true };
    /// None of them.
    pub const NONE: Self =
        Self { hybrid: false, expo: false, sd_cut: false, limit: false, max: false };
}

impl Default for Optimizations {
    fn default() -> Self {
        Self::ALL
    }
}
