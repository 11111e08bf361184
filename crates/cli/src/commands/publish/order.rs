//! In which order records are written.

use clap::Args;
use haggle::publishing::RecordOrder;

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

    pub(crate) fn order(&self) -> RecordOrder {
        match self.seed {
            _ if self.keep_order => RecordOrder::Kept,
            Some(seed) => RecordOrder::Random { seed },
            None => RecordOrder::random(),
        }
    }
}
