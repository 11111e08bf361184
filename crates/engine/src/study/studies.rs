//! What thresholds cost: at every height, and under one scheme.

use haggle_api::{Ask, Example, HeightStudy, Levels, RelaxationKind, SchemeHistogram, Study};
use haggle_cube::{Histogram, Lattice};
use haggle_model::{Error, Scheme};
use haggle_search::study;

use crate::Engine;
use crate::answer::resolve::request_of;
use crate::criteria::criterion::Criterion;

/// Reports a histogram of the statistic that a criterion is judged by.
pub(crate) fn histogram_of(criterion: &Criterion, histogram: Histogram<'_>) -> SchemeHistogram {
    SchemeHistogram {
        model: criterion.model.id,
        parameter: criterion.numbers[0].parameter.name,
        groups: histogram.groups(),
        bins: histogram.bins().collect(),
    }
}

/// The cost of a threshold at every height under the maximum levels.
pub(crate) fn study(engine: &Engine, ask: &Ask) -> Result<Vec<HeightStudy>, Error> {
    let ask = ask.or(engine.defaults());
    let (judged, _) = engine.judged(&ask)?;
    let request = request_of(&ask, &judged)?;
    let part = engine.cube().space().under(&request.caps);
    let heights = study::study(&judged.lattice, &part, &request.requirements)?;
    Ok(heights
        .into_iter()
        .map(|study::HeightCost { height, schemes, least, mean, most }| HeightStudy {
            height,
            schemes,
            least,
            mean,
            most,
        })
        .collect())
}

/// Computes the cost of a threshold at every height of the whole lattice, unless the request states
/// levels, with the request in full and the account of the records.
pub(crate) fn study_in_full(engine: &Engine, ask: &Ask) -> Result<Study, Error> {
    let ask = over_all_levels(engine, ask);
    Ok(Study {
        heights: study(engine, &ask)?,
        asked: Ask { max_suppressed: None, ..engine.asked(&ask)? },
        account: engine.account(),
    })
}

/// One scheme's histogram of the model asked for.
pub(crate) fn histogram(
    engine: &Engine,
    ask: &Ask,
    scheme: &Scheme,
) -> Result<SchemeHistogram, Error> {
    let scheme = engine.scheme(scheme)?;
    let ask = ask.or(engine.defaults());
    let (judged, criteria) = engine.judged(&ask)?;
    let [criterion] = criteria.as_slice() else {
        let fix = "ask for the histogram of each model alone";
        return Err(Error::new("a histogram is of one model", fix));
    };
    Ok(histogram_of(criterion, judged.lattice.annotate(&scheme)?.histogram(0)))
}

/// What every attribute looks like under a scheme.
pub(crate) fn examples(engine: &Engine, scheme: &Scheme) -> Result<Vec<Example>, Error> {
    Ok(engine.frequencies().examples(engine.cube(), &engine.scheme(scheme)?))
}

/// The request with the whole lattice in view, unless it states levels of its own: a study is
/// not bound by what the project asks for.
pub(crate) fn over_all_levels(engine: &Engine, ask: &Ask) -> Ask {
    let all = || Levels::InOrder(engine.top().levels().iter().map(|&level| level.into()).collect());
    Ask { levels: Some(ask.levels.clone().unwrap_or_else(all)), ..ask.clone() }
}

/// The scheme that is meant: the one named; else the exact answer, else what more suppression
/// would give.
pub(crate) fn named_or_best(
    engine: &Engine,
    ask: &Ask,
    scheme: Option<&Scheme>,
) -> Result<Scheme, Error> {
    if let Some(scheme) = scheme {
        return engine.scheme(scheme);
    }
    let answer = engine.ask(ask)?;
    let relaxed = || answer.relaxations.offer(RelaxationKind::Suppression);
    let offer = answer.exact.as_ref().or_else(relaxed);
    offer
        .map(|offer| offer.scheme.clone())
        .ok_or_else(|| Error::new("no scheme meets this request", "name a scheme, or ask for less"))
}
