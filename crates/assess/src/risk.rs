//! What a publication tells an attacker: a scheme before it is published, or a file.

mod columns;
mod differing;
mod in_file;
mod in_table;
mod knowledge;
mod population;
mod present;
mod priors;
mod promise;
mod sensitive;
mod sizes;
mod together;
mod update;

use std::path::PathBuf;
use std::time::Duration;

pub(crate) use in_file::{attacks_on_groups, risk_of_groups};
pub use in_table::{ExaminedRecoding, risk};
pub use present::PresentPublication;
pub use together::{not_judged, together};
pub use update::revealed_by_update;

/// Files and limits that a question about risk may use, which no request names.
#[derive(Debug, Clone)]
pub struct RiskInputs {
    /// A table of the population that the published table is a part of.
    pub population: Option<PathBuf>,
    /// Whether priors may be read from files.
    pub files: bool,
    /// Bytes for counting.
    pub memory: usize,
    /// How long a strategy may search; without a limit, until it is done.
    pub search_time: Option<Duration>,
}

impl Default for RiskInputs {
    fn default() -> Self {
        Self { population: None, files: false, memory: usize::MAX, search_time: None }
    }
}
