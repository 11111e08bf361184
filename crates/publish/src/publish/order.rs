//! In which order records are written.

/// The order of a publication's records.
///
/// ```
/// use haggle::publishing::RecordOrder;
///
/// assert_ne!(RecordOrder::random(), RecordOrder::random(), "nobody can guess the seed");
/// assert_eq!(RecordOrder::Kept.seed(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordOrder {
    /// A random order. With its seed one can restore the order of the table.
    Random {
        /// The seed, which repeats the order.
        seed: u64,
    },
    /// The order of the table. Two releases that keep it can be joined by row number, and whoever
    /// knows where somebody stands in the table finds the record.
    Kept,
}

impl RecordOrder {
    /// A random order, with a seed from the operating system.
    pub fn random() -> Self {
        use rand::TryRng;
        let seed = rand::rngs::SysRng.try_next_u64();
        Self::Random { seed: seed.expect("the operating system has random numbers") }
    }

    /// The seed, if the order is random.
    pub fn seed(self) -> Option<u64> {
        match self {
            Self::Random { seed } => Some(seed),
            Self::Kept => None,
        }
    }

    /// Its name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Random { .. } => "random",
            Self::Kept => "kept",
        }
    }
}
