//! What occurs in a publication: the values of the groups that are kept.

use std::collections::BTreeSet;

use haggle_engine::Engine;
use haggle_engine::recoded::Recoded;
use haggle_model::Error;

use crate::answers::Answers;
use crate::types::PublishedValues;

/// Lists the published values of each quasi-identifier, without those of suppressed groups.
pub(crate) fn published_values(
    engine: &Engine,
    answers: &Answers,
) -> Result<Vec<PublishedValues>, Error> {
    let (cube, scheme) = (engine.cube(), &answers.scheme);
    let recoded = Recoded::scheme(cube, scheme.clone());
    let failing = recoded.failing(&engine.criteria(&answers.request)?);
    let mut codes_of: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); cube.attributes().len()];
    recoded.for_each_group(0, |codes, _| {
        if !failing.groups.contains(codes) {
            codes_of.iter_mut().zip(codes).for_each(|(of, &code)| {
                of.insert(code);
            });
        }
    });
    let attributes = cube.attributes().iter().zip(codes_of).enumerate();
    let listed = attributes.map(|(position, (attribute, codes))| PublishedValues {
        attribute: attribute.name.clone(),
        level: scheme.level(position).into(),
        top: attribute.hierarchy.top().into(),
        values: codes.iter().map(|&code| recoded.shown(position, code).to_owned()).collect(),
    });
    Ok(listed.collect())
}
