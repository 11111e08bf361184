//! The recoding that a question examines before it is published.

use haggle_api::{Ask, Choice};
use haggle_cube::{Applied, Base};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::failing::Failing;
use haggle_engine::recoded::Recoded;
use haggle_engine::search::strategies::found_by;
use haggle_model::{Error, Progress};

/// Finds the recoding that is meant: the answer to the request, a scheme, or what a strategy finds
/// within the time.
pub(crate) fn examined<'e>(
    engine: &'e Engine,
    request: &Ask,
    choice: &Choice,
    criteria: &[Criterion],
    progress: &dyn Progress,
) -> Result<Recoded<'e>, Error> {
    match choice {
        Choice::Answer | Choice::Scheme(_) => {
            let scheme = engine.named_or_best(request, choice.scheme())?;
            Ok(Recoded::scheme(engine.cube(), scheme))
        }
        Choice::Strategy(strategy) => found_by(engine, request, strategy, criteria, progress),
        _ => {
            let what = "before it is published, a scheme or what a strategy finds can be examined";
            Err(Error::new(what, "name one of them, or publish and examine the published file"))
        }
    }
}

/// Returns the thresholds of a request; without any, nothing is suppressed.
pub(crate) fn criteria(engine: &Engine, ask: &Ask) -> Result<Vec<Criterion>, Error> {
    if ask.privacy.is_empty() { Ok(Vec::new()) } else { engine.criteria(ask) }
}

/// A recoding of the counted table: its groups, and which of them are published.
pub(crate) struct AppliedGroups {
    /// The counted combinations.
    pub(crate) base: Base,
    /// What becomes of them.
    pub(crate) applied: Applied,
    /// By group, whether it is published.
    pub(crate) kept: Vec<bool>,
}

impl AppliedGroups {
    /// Applies a recoding, and leaves out the groups that fail.
    pub(crate) fn new(recoded: &Recoded<'_>, failing: &Failing) -> Self {
        let (base, applied) = recoded.to_applied();
        let kept = |part: usize| !failing.groups.contains(applied.codes(part));
        let kept = (0..applied.len()).map(kept).collect();
        Self { base, applied, kept }
    }
}
