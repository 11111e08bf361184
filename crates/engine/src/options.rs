//! How an engine is opened.

use haggle_api::Levels;
use haggle_cube::{Cube, Limits};
use haggle_model::{Progress, Silent};
use haggle_search::partial::Selection;

/// How a lattice is had.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Way {
    /// In full, if that is expected to take little time and memory; else on demand.
    Auto,
    /// Every scheme beforehand; some questions need that.
    #[default]
    Full,
    /// Schemes as questions touch them.
    OnDemand,
    /// Some schemes of every height beforehand, the others not at all.
    Partial(Selection),
}

impl Way {
    /// Whether a cube's lattice is annotated beforehand, if roll-ups may read this many cells for that.
    pub(crate) fn is_full(self, cube: &Cube, touches: f64) -> bool {
        match self {
            Self::Auto => {
                // No scheme has more cells than the base, which mostly settles it.
                let most = cube.space().size().map(|schemes| schemes as f64 * cube.cells() as f64);
                most.is_some_and(|most| most <= touches || cube.guess_touches() <= touches)
            }
            Self::Full => true,
            Self::OnDemand | Self::Partial(_) => false,
        }
    }
}

/// Roll-ups that read more cells than this take longer than questions are worth waiting for: about a
/// second.
pub(crate) const FULL_TOUCHES: f64 = 1e8;

/// What may be chosen when an engine is opened.
pub struct Options<'a> {
    /// The quasi-identifiers, in order; the project's own choice if not given.
    pub qi: Option<Vec<String>>,
    /// The levels from which on groups are counted, where those of the recorded values would take
    /// too much memory; as recorded if not given.
    pub from_level: Option<Levels>,
    /// Bytes for counts, cells and histograms.
    pub memory: usize,
    /// Receives progress.
    pub progress: &'a dyn Progress,
    /// Whether a stored lattice may be used.
    pub stored: bool,
    /// Whether every scheme is annotated beforehand.
    pub way: Way,
    /// With [`Way::Auto`]: every scheme is annotated beforehand only if roll-ups read at most about so
    /// many cells for that.
    pub full_touches: f64,
    /// Of a partial lattice: whether the scheme of a request's maximum levels is annotated when asked,
    /// so that relaxations under them are exact.
    pub annotate_maximum: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            qi: None,
            from_level: None,
            memory: Limits::default().memory,
            progress: &Silent,
            stored: true,
            way: Way::Full,
            full_touches: FULL_TOUCHES,
            annotate_maximum: false,
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/options.rs"]
mod tests;
