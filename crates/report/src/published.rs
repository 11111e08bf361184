//! What occurs in a publication: the values of the groups that are kept.

use std::collections::BTreeSet;

use haggle_api::Ask;
use haggle_engine::Engine;
use haggle_engine::recoded::Recoded;
use haggle_model::{Error, Scheme};

use crate::answers::Answers;
use crate::types::PublishedValues;

/// Lists the published values of each quasi-identifier, without those of suppressed groups.
pub(crate) fn published_values(
    engine: &Engine,
    answers: &Answers,
) -> Result<Vec<PublishedValues>, Error> {
    let values = match (&answers.plan, &answers.checked) {
        (None, Some(checked)) => checked.inspection.occurring()?,
        (Some(plan), _) => planned_values(engine, &answers.request, &plan.scheme)?,
        (None, None) => Vec::new(),
    };
    let attributes = engine.cube().attributes().iter().zip(values).enumerate();
    let listed = attributes.map(|(position, (attribute, values))| PublishedValues {
        attribute: attribute.name.clone(),
        level: answers.scheme.as_ref().map(|scheme| scheme.level(position).into()),
        top: attribute.hierarchy.top().into(),
        values,
    });
    Ok(listed.collect())
}

/// The values of the groups that a request leaves of a scheme.
fn planned_values(
    engine: &Engine,
    request: &Ask,
    scheme: &Scheme,
) -> Result<Vec<Vec<String>>, Error> {
    let cube = engine.cube();
    let recoded = Recoded::scheme(cube, scheme.clone());
    let failing = recoded.failing(&engine.criteria(request)?);
    let mut codes_of: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); cube.attributes().len()];
    recoded.for_each_group(0, |codes, _| {
        if !failing.groups.contains(codes) {
            codes_of.iter_mut().zip(codes).for_each(|(of, &code)| {
                of.insert(code);
            });
        }
    });
    let shown = |(position, codes): (usize, BTreeSet<u32>)| {
        codes.iter().map(|&code| recoded.shown(position, code).to_owned()).collect()
    };
    Ok(codes_of.into_iter().enumerate().map(shown).collect())
}
