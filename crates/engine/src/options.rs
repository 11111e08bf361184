//! How an engine is opened.

use haggle_api::Levels;
use haggle_cube::Limits;
use haggle_model::{Progress, Silent};
use haggle_search::partial::Selection;

/// Which schemes of a lattice are annotated.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Way {
    /// All or those that questions touch, whichever is expected to be cheaper.
    #[default]
    Auto,
    /// Every scheme beforehand; some questions need that.
    Full,
    /// Schemes as questions touch them.
    OnDemand,
    /// Some schemes of every height beforehand, the others not at all.
    Partial(Selection),
}

/// How many questions an engine is opened for, which decides with [`Way::Auto`] what is worth
/// annotating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuestionCount {
    /// One: nothing is annotated beforehand, and the question takes the cheaper way.
    One,
    /// Any number: what later questions need is worth annotating beforehand.
    #[default]
    Many,
}

/// Roll-ups that read more cells than this take longer than questions are worth waiting for: about a
/// second.
const FULL_TOUCHES: f64 = 1e8;

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
    /// Which schemes are annotated.
    pub way: Way,
    /// How many questions will be asked.
    pub questions: QuestionCount,
    /// With [`Way::Auto`]: tables of every scheme are made only if roll-ups read at most about so
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
            way: Way::default(),
            questions: QuestionCount::default(),
            full_touches: FULL_TOUCHES,
            annotate_maximum: false,
        }
    }
}
