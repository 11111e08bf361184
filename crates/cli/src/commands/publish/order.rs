//! In which order records are written.

use clap::Args;

/// The order of the published records.
#[derive(Debug, Clone, Args)]
pub(crate) struct OrderArgs {
    /// Write the records in a random order, which is the default
    #[arg(long)]
    shuffle: bool,
    /// Write the records in the random order of this seed, to get it again; keep it secret
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep the order of the table; two releases that keep it can be joined by row number
    #[arg(long, conflicts_with_all = ["shuffle", "seed"])]
    keep_order: bool,
}

impl OrderArgs {
    /// Whether the seed is stated.
    pub(crate) fn has_seed(&self) -> bool {
        self.seed.is_some()
    }

    /// Returns whether the order of the table is kept, and the seed of the random order.
    pub(crate) fn stated(&self) -> (bool, Option<u64>) {
        (self.keep_order, self.seed)
    }
}
