//! What only the curator and the data-protection officer may know.

use haggle_api::{Ask, SuppressedValue};
use haggle_engine::Engine;
use haggle_model::Error;
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
    let why = engine.why(&answers.request, &answers.scheme, &answers.measure)?;
    let vanished = why.kinds.iter().filter(|kind| kind.suppressed == kind.records);
    let project = engine.project();
    Ok(PrivatePart {
        location: project.map_or_else(String::new, Project::location),
        input_sha256: project.map_or_else(|| Ok(Vec::new()), input_hashes)?,
        account: engine.account().suppressing(why.suppressed),
        asked,
        vanished: vanished.map(name).collect(),
        mapping: mapping(engine, &answers),
        why,
        scheme: answers.pinned,
        queries: answers.workload,
        utility: answers.utility,
        risk: answers.risk,
        front: answers.front.ok(),
        verification: answers.checked.map(|checked| checked.verdict),
    })
}

fn name(kind: &SuppressedValue) -> String {
    format!("{} = {}", kind.attribute, kind.value)
}

/// By published value, the recorded values that it stands for.
fn mapping(engine: &Engine, answers: &Answers) -> Vec<RecordedMapping> {
    let attributes = engine.cube().attributes().iter().enumerate();
    let of_attribute = attributes.flat_map(|(position, attribute)| {
        let (hierarchy, level) = (&attribute.hierarchy, answers.scheme.level(position));
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
