//! What only the curator and the data-protection officer may know.

use haggle_api::{Ask, SuppressedValue};
use haggle_engine::Engine;
use haggle_model::{Error, Scheme};
use haggle_project::Project;
use haggle_publish::input_hashes;

use crate::answers::Answers;
use crate::types::{PrivatePart, RecordedMapping};

/// Collects what the public form leaves out.
pub(crate) fn private_part(
    engine: &Engine,
    answers: Answers,
    asked: Ask,
) -> Result<PrivatePart, Error> {
    let plan = answers.plan.as_ref();
    let why = plan.map(|plan| engine.why(&answers.request, &plan.scheme, &answers.measure));
    let why = why.transpose()?;
    let kinds = why.iter().flat_map(|why| &why.kinds);
    let vanished = kinds.filter(|kind| kind.suppressed == kind.records).map(name).collect();
    let project = engine.project();
    let account = engine.account();
    let (scheme, utility, front) = match answers.plan {
        Some(plan) => (Some(plan.pinned), plan.utility, plan.front.ok()),
        None => (None, None, None),
    };
    Ok(PrivatePart {
        location: project.map_or_else(String::new, Project::location),
        input_sha256: project.map_or_else(|| Ok(Vec::new()), input_hashes)?,
        account: match answers.suppressed {
            Some(suppressed) => account.suppressing(suppressed),
            None => account,
        },
        asked,
        vanished,
        mapping: answers.scheme.map_or_else(Vec::new, |scheme| mapping(engine, &scheme)),
        why,
        scheme,
        queries: answers.workload,
        utility,
        risk: answers.risk,
        front,
        verification: answers.checked.map(|checked| checked.verdict),
    })
}

fn name(kind: &SuppressedValue) -> String {
    format!("{} = {}", kind.attribute, kind.value)
}

/// By published value, the recorded values that it stands for.
fn mapping(engine: &Engine, scheme: &Scheme) -> Vec<RecordedMapping> {
    let attributes = engine.cube().attributes().iter().enumerate();
    let of_attribute = attributes.flat_map(|(position, attribute)| {
        let (hierarchy, level) = (&attribute.hierarchy, scheme.level(position));
        (0..hierarchy.len(level) as u32).map(move |code| RecordedMapping {
            attribute: attribute.name.clone(),
            published: hierarchy.shown(code, level).into(),
            recorded: hierarchy
                .leaves(code, level)
                .map(|leaf| hierarchy.shown(leaf, 0.into()).to_owned())
                .collect(),
        })
    });
    of_attribute.collect()
}
