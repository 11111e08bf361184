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

use haggle_model::{Progress, Silent};

pub(crate) use in_file::{attacks_on_groups, risk_of_groups};
pub use in_table::{ExaminedRecoding, risk};
pub use present::PresentPublication;
pub use together::{not_judged, together};
pub use update::revealed_by_update;

/// Files and limits that a question about risk may use, which no request names.
#[derive(Debug, Clone)]
pub struct RiskInputs<'a> {
    /// A table of the population that the published table is a part of.
    pub population: Option<PathBuf>,
    /// Whether priors may be read from files.
    pub files: bool,
    /// Bytes for counting.
    pub memory: usize,
    /// Can cancel the work, and says how long a strategy may search.
    pub progress: &'a dyn Progress,
}

impl Default for RiskInputs<'_> {
    fn default() -> Self {
        Self { population: None, files: false, memory: usize::MAX, progress: &Silent }
    }
}
