//! The thresholds of a request next to those of the project: which stay, and which would be weaker.

use haggle_api::{Amount, Ask, Levels, Weakened};
use haggle_model::Error;
use haggle_search::LatticeRequest;

use crate::Engine;
use crate::answer::resolve::request_on;
use crate::criteria::criterion::Criterion;

/// The request with the other thresholds of the project, as
/// [`Project::with_other_thresholds`] has it.
pub(crate) fn with_other_thresholds(engine: &Engine, ask: &Ask) -> Ask {
    let sensitive: Vec<&str> =
        engine.facts().iter().map(|facts| facts.target.name.as_str()).collect();
    ask.combined_with(&engine.defaults().privacy, &sensitive)
}

/// A request in full: every threshold with all its parameters, its attribute and options, the limit
/// in records, and a maximum level for each quasi-identifier. It can be asked as it stands.
pub(crate) fn asked(engine: &Engine, ask: &Ask) -> Result<Ask, Error> {
    let ask = ask.or(engine.defaults());
    let criteria = engine.criteria(&ask)?;
    let request = request_on(&ask, engine.cube(), Vec::new(), Vec::new())?;
    Ok(in_full(engine, &ask, &criteria, &request))
}

/// Returns a request in full where the criteria and the resolved request are known.
pub(crate) fn in_full(
    engine: &Engine,
    ask: &Ask,
    criteria: &[Criterion],
    request: &LatticeRequest,
) -> Ask {
    let levels = request.caps.levels().iter().map(|&level| level.into());
    let names = engine.attributes().into_iter().map(String::from);
    Ask {
        privacy: criteria.iter().map(Criterion::to_privacy).collect(),
        levels: Some(Levels::ByName(names.zip(levels).collect())),
        max_suppressed: Some(Amount::Records(request.limit)),
        relax_height: None,
        ..ask.clone()
    }
}

/// The thresholds of the project that a request does not have, or has weaker.
pub(crate) fn weakened(engine: &Engine, ask: &Ask) -> Result<Vec<Weakened>, Error> {
    let project = &engine.defaults().privacy;
    if project.is_empty() {
        return Ok(Vec::new());
    }
    let project = engine.criteria(&Ask { privacy: project.clone(), ..Ask::default() })?;
    Ok(not_kept(&engine.criteria(ask)?, &project))
}

/// The criteria of the project that no promised one is as strong as.
fn not_kept(promised: &[Criterion], project: &[Criterion]) -> Vec<Weakened> {
    let kept = |one: &&Criterion| promised.iter().any(|own| own.is_as_strong_as(one));
    let weakened = |one: &Criterion| Weakened {
        project: one.words(),
        promised: promised.iter().find(|own| own.is_on(one)).map(Criterion::words),
    };
    project.iter().filter(|one| !kept(one)).map(weakened).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/thresholds.rs"]
mod tests;
