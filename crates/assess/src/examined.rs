//! The recoding that a question examines before it is published.

use std::time::Duration;

use haggle_api::{Ask, Choice};
use haggle_engine::Engine;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;
use haggle_engine::strategies::found_by;
use haggle_model::{Error, Progress};

/// Finds the recoding that is meant: the answer to the request, a scheme, or what a strategy finds
/// within the time.
pub(crate) fn examined<'e>(
    engine: &'e Engine,
    request: &Ask,
    choice: &Choice,
    criteria: &[Criterion],
    time: Option<Duration>,
    progress: &dyn Progress,
) -> Result<Recoded<'e>, Error> {
    match choice {
        Choice::Answer | Choice::Scheme(_) => {
            let scheme = engine.named_or_best(request, choice.scheme())?;
            Ok(Recoded::scheme(engine.cube(), scheme))
        }
        Choice::Strategy(strategy) => found_by(engine, request, strategy, criteria, time, progress),
        _ => {
            let what = "before it is published, a scheme or what a strategy finds can be examined";
            Err(Error::new(what, "name one of them, or publish and examine the published file"))
        }
    }
}
