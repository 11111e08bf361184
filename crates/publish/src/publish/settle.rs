//! What is published: which recoding is meant, and at which levels sensitive attributes are shown.

use haggle_api::{Ask, MeasureSpec, PublishOutcome};
pub(super) use haggle_assess::published::shown;
use haggle_engine::Engine;
use haggle_engine::answer::resolve::request_on;
use haggle_engine::criterion::Criterion;
use haggle_engine::recoded::Recoded;
use haggle_engine::recoding::results::ResultKey;
use haggle_engine::search::strategies::{
    Chosen, Search, Searched, prepare_search, recoded_again, refined, search as search_by,
};
use haggle_model::Error;

use super::{Choice, PublishOptions};

/// The recoding that is published.
pub(super) struct SettledRecoding<'a> {
    pub(super) recoded: Recoded<'a>,
    /// Whether the search for it was stopped before it was done.
    pub(super) stopped: bool,
}

impl<'a> SettledRecoding<'a> {
    /// A recoding that no time limit cut short.
    fn done(recoded: Recoded<'a>) -> Self {
        Self { recoded, stopped: false }
    }
}

/// What is wanted of a strategy.
#[derive(Clone, Copy)]
struct WantedStrategy<'a> {
    strategy: &'a str,
    /// The result's name, if just that one is wanted.
    result: Option<&'a str>,
    /// The bytes that publishing may take.
    memory: usize,
}

/// The recoding that is meant: the one named, the one a strategy finds, or the exact answer; or
/// why there is none.
pub(super) fn recoded<'e>(
    engine: &'e Engine,
    options: &PublishOptions<'_>,
    ask: &Ask,
    criteria: &[Criterion],
) -> Result<Result<SettledRecoding<'e>, PublishOutcome>, Error> {
    let progress = options.progress;
    let spec = ask.optimize.clone().unwrap_or_else(MeasureSpec::plain);
    let choice = &options.choice;
    let search = Search { ask, criteria, spec: &spec, progress };
    if let Some(strategy) = choice.strategy() {
        let memory = options.memory.saturating_sub(engine.annotated_bytes());
        let wanted = WantedStrategy { strategy, result: choice.result(), memory };
        return found_by(engine, &wanted, &search);
    }
    let (scheme, stopped) = if let Some(scheme) = choice.scheme() {
        (engine.scheme(scheme)?, false)
    } else if *choice == Choice::Anatomy {
        (engine.cube().space().bottom(), false)
    } else if let Choice::Repeat(recoding) = choice {
        return recoded_again(engine, &search, recoding).map(SettledRecoding::done).map(Ok);
    } else {
        let answer = engine.ask_with(ask, progress)?;
        match &answer.exact {
            Some(offer) => (offer.scheme.clone(), answer.is_stopped()),
            None => return Ok(Err(PublishOutcome::NoScheme(answer.into()))),
        }
    };
    if !matches!(choice, Choice::Refined(_)) {
        return Ok(Ok(SettledRecoding {
            recoded: Recoded::scheme(engine.cube(), scheme),
            stopped,
        }));
    }
    progress.start("refining", 0);
    let resolved = engine.resolve_measure(&spec)?;
    let refined = refined(engine, &search, &resolved, &scheme);
    progress.finish();
    Ok(Ok(SettledRecoding { recoded: refined?.0, stopped: stopped || progress.is_late() }))
}

/// What a strategy finds. Where a result is wanted, it is that one as it was found, or the strategy
/// must find the same again.
fn found_by<'e>(
    engine: &'e Engine,
    wanted: &WantedStrategy<'_>,
    search: &Search<'_>,
) -> Result<Result<SettledRecoding<'e>, PublishOutcome>, Error> {
    let (WantedStrategy { strategy, result, memory }, progress) = (*wanted, search.progress);
    let chosen = Chosen::parse(strategy)?;
    engine.needs_recorded("a strategy")?;
    if result.is_none() {
        chosen.check_measure(search.ask.optimize.as_ref())?;
    }
    let caps = request_on(search.ask, engine.cube(), Vec::new(), Vec::new())?.caps;
    let key = |name: &str| ResultKey { strategy: chosen.id(), caps, name: name.into() };
    if let Some(kept) = result.map(key).and_then(|key| engine.results().get(&key)) {
        let recoded = Recoded::again(engine.cube(), &kept.recoding);
        return Ok(Ok(SettledRecoding { recoded, stopped: kept.stopped }));
    }
    chosen.check_memory(engine.cube(), memory)?;
    prepare_search(engine, &chosen, search, progress)?;
    progress.start(&format!("searching ({strategy})"), 0);
    let searched = search_by(engine, &chosen, search);
    progress.finish();
    let why = match searched? {
        Searched::Found(found) if result.is_none_or(|name| name == found.recoded.name()) => {
            return Ok(Ok(SettledRecoding { recoded: found.recoded, stopped: found.stopped }));
        }
        Searched::Found(_) => "finds something else now than what was compared; compare again",
        Searched::Nothing { .. } => {
            "found nothing within the request; allow more records to be suppressed, or raise the maximum levels"
        }
        Searched::GaveUp { .. } => {
            "ran out of time before it found anything; choose another strategy, or give it more time"
        }
    };
    Ok(Err(PublishOutcome::NotFound { strategy: strategy.into(), why }))
}

#[cfg(test)]
#[path = "../../tests/unit/settle.rs"]
mod tests;
