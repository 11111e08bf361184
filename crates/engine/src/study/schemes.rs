//! What some schemes, or all of them, suppress and lose.

use std::sync::Arc;

use haggle_api::{Ask, MeasureSpec, SchemeCost, SchemesReport};
use haggle_model::{Error, Scheme};

use crate::Engine;
use crate::study::pinned::loss_of_scheme;

/// So many schemes are counted at most for one question.
const MOST: usize = 1024;

/// What some schemes suppress and lose at the thresholds asked for.
pub(crate) fn schemes(
    engine: &Engine,
    ask: &Ask,
    schemes: &[Scheme],
    spec: &MeasureSpec,
) -> Result<SchemesReport, Error> {
    if schemes.len() > MOST {
        let what = format!("{} schemes are too many for one question", schemes.len());
        return Err(Error::new(what, format!("ask for at most {MOST}")));
    }
    let ask = ask.or(engine.defaults());
    let carried = engine.carried(&ask)?;
    let one = |scheme: &Scheme| -> Result<SchemeCost, Error> {
        let scheme = engine.scheme(scheme)?;
        Ok(SchemeCost {
            height: scheme.height(),
            suppressed: carried.suppressed(&scheme)?,
            loss: loss_of_scheme(engine, &scheme, &carried, spec)?,
            scheme,
        })
    };
    // One after the other: a table that all of them wait for must not be made by one of several workers.
    let costs: Result<Vec<SchemeCost>, Error> = schemes.iter().map(one).collect();
    Ok(SchemesReport { measure: spec.to_string(), schemes: costs? })
}

/// What every scheme loses at the threshold asked for.
pub(crate) fn losses_of_all(
    engine: &Engine,
    ask: &Ask,
    spec: &MeasureSpec,
) -> Result<Arc<[f64]>, Error> {
    let ask = ask.or(engine.defaults());
    if engine.store().tables().is_none() || engine.is_on_demand(&ask)? {
        return Err(engine.needs_all("what every scheme loses needs all of them"));
    }
    let (judged, criteria) = engine.judged(&ask)?;
    let resolved = engine.resolve_measure(spec)?;
    if criteria.len() != 1 || resolved.entry.estimate {
        let what = "the losses of all schemes need one model, and a measure that is no estimate";
        return Err(Error::new(what, "ask for some of the schemes instead"));
    }
    let mut losses = engine.losses(&judged, &criteria, spec, &resolved)?.losses;
    Ok(losses.swap_remove(0))
}
