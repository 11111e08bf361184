//! One scheme in detail, and what every scheme suppresses.

use std::collections::BTreeMap;

use haggle_api::{Ask, ExampleRow, MeasureSpec, Pinned, PinnedExample};
use haggle_cube::{Costs, Lattice};
use haggle_model::{Error, Scheme};
use haggle_search::study::{all_suppressed, offered};

use crate::Engine;
use crate::answer::answering::Carried;
use crate::answer::wording::Wording;
use crate::study::studies::histogram_of;

/// So many rows are composed as examples.
const ROWS: usize = 3;

/// So many schemes are weighed in less time than a person notices, and each after that at once; in
/// larger lattices one is weighed alone.
const WEIGHED_AT_ONCE: usize = 20_000;

/// What every scheme suppresses at the thresholds asked for, by its index: levels in order, the
/// last attribute's changing fastest.
pub(crate) fn suppressed(engine: &Engine, ask: &Ask) -> Result<Costs, Error> {
    let ask = ask.or(engine.defaults());
    if engine.store().tables().is_none() || engine.is_on_demand(&ask)? {
        return Err(engine.needs_all("what every scheme suppresses needs all of them"));
    }
    let (judged, _) = engine.judged(&ask)?;
    all_suppressed(&judged.lattice, &judged.requirements)
}

/// Describes one scheme in detail, at the thresholds asked for.
pub(crate) fn pinned(engine: &Engine, ask: &Ask, scheme: &Scheme) -> Result<Pinned, Error> {
    let scheme = engine.scheme(scheme)?;
    let ask = ask.or(engine.defaults());
    let carried = engine.carried(&ask)?;
    let Carried { criteria, request, .. } = &carried;
    let wording = Wording::new(engine, &ask, criteria, request);
    let offer = offered(carried.lattice(), &scheme, &request.requirements)?;
    let annotated = carried.lattice().annotate(&scheme)?;
    let histogram = annotated.histogram(0);
    Ok(Pinned {
        height: scheme.height(),
        suppressed: carried.suppressed(&scheme)?,
        groups: histogram.groups(),
        attained: offer.map_or(Vec::new(), |offer| wording.offer(&offer).attained),
        examples: before_and_after(engine, &scheme),
        rows: example_rows(engine, &scheme),
        histogram: (criteria.len() == 1).then(|| histogram_of(&criteria[0], histogram)),
        loss: losses_of_scheme(engine, &ask, &scheme, &carried)?,
        scheme,
    })
}

fn before_and_after(engine: &Engine, scheme: &Scheme) -> Vec<PinnedExample> {
    let example = |example: haggle_api::Example| PinnedExample {
        attribute: example.attribute,
        recorded: example.recorded,
        published: example.generalized,
    };
    let examples = engine.frequencies().examples(engine.cube(), scheme);
    examples.into_iter().map(example).collect()
}

fn example_rows(engine: &Engine, scheme: &Scheme) -> Vec<ExampleRow> {
    let attributes = 0..engine.cube().attributes().len();
    let chains: Vec<_> =
        attributes.map(|i| engine.frequencies().chains(engine.cube(), i)).collect();
    let row = |row: usize| {
        let at = |position: usize, level: usize| {
            let values: &Vec<Vec<String>> = &chains[position];
            values.get(row % values.len().max(1)).map_or("", |chain| &chain[level]).to_owned()
        };
        let attributes = 0..chains.len();
        ExampleRow {
            before: attributes.clone().map(|i| at(i, 0)).collect(),
            after: attributes.map(|i| at(i, scheme.level(i).index())).collect(),
        }
    };
    (0..ROWS).map(row).collect()
}

/// What a scheme loses by the default measure and the one asked for.
fn losses_of_scheme(
    engine: &Engine,
    ask: &Ask,
    scheme: &Scheme,
    carried: &Carried<'_>,
) -> Result<BTreeMap<String, f64>, Error> {
    let measures = [Some(MeasureSpec::plain()), ask.optimize.clone()].into_iter().flatten();
    let loss = |spec: MeasureSpec| -> Result<(String, f64), Error> {
        Ok((spec.to_string(), loss_of_scheme(engine, scheme, carried, &spec)?))
    };
    measures.map(loss).collect()
}

/// What a scheme loses by one measure: from the measure's table where that is worth making.
pub(crate) fn loss_of_scheme(
    engine: &Engine,
    scheme: &Scheme,
    carried: &Carried<'_>,
    spec: &MeasureSpec,
) -> Result<f64, Error> {
    let resolved = engine.resolve_measure(spec)?;
    let few = !resolved.entry.estimate && engine.built().schemes <= WEIGHED_AT_ONCE;
    match (&carried.criteria[..], carried.tables()) {
        ([criterion], Some(judged)) if few => {
            let weighed = engine.weighed(judged, criterion, 0, spec, &resolved)?;
            let position = judged.lattice.space().index(scheme);
            let threshold = judged.requirements[0].threshold;
            let failing = weighed.table().histogram(position).failing(threshold);
            Ok(weighed.loss(resolved.loss.as_ref(), scheme, position, failing))
        }
        _ => Ok(carried.loss(engine, scheme, &resolved)),
    }
}
