//! What only the curator and the data-protection officer may know.

use std::collections::BTreeMap;

use haggle_api::SuppressedValue;
use haggle_assess::input_hashes;
use haggle_engine::Engine;
use haggle_model::{Error, Scheme};
use haggle_project::Project;

use crate::answers::Answers;
use crate::front::{chosen_point, picture as picture_of};
use crate::subject::Subject;
use crate::types::{PrivatePart, RecordedMapping};

/// Collects what needs the table.
pub(crate) fn private_part(
    engine: &Engine,
    subject: &Subject,
    answers: Answers,
    queries_named: bool,
) -> Result<PrivatePart, Error> {
    let plan = answers.plan.as_ref();
    let why = plan.map(|plan| engine.why(&subject.request, &plan.scheme, &subject.measure));
    let why = why.transpose()?;
    let kinds = why.iter().flat_map(|why| &why.kinds);
    let vanished = kinds.filter(|kind| kind.suppressed == kind.records).map(name).collect();
    let project = engine.project();
    let account = engine.account();
    let chosen = plan.map(|plan| chosen_point(engine, subject, plan)).transpose()?.flatten();
    let picture = plan.zip(chosen.as_ref());
    let picture = picture.and_then(|(plan, chosen)| picture_of(subject, plan, chosen));
    let levels = subject.published.levels().or(plan.map(|plan| &plan.scheme));
    let mapping = levels.map_or_else(Vec::new, |levels| mapping(engine, levels));
    let (loss, loss_reason) = match answers.loss {
        Ok(loss) => (loss, None),
        Err(why) => (BTreeMap::new(), Some(why.to_owned())),
    };
    let (scheme, utility, front) = if let Some(plan) = answers.plan {
        (Some(plan.pinned), plan.utility, plan.front)
    } else {
        let what = "the file is not what a scheme leads to at these thresholds";
        (None, None, Err(Error::new(what, "")))
    };
    Ok(PrivatePart {
        location: project.map_or_else(String::new, Project::location),
        input_sha256: project.map_or_else(|| Ok(Vec::new()), input_hashes)?,
        account: match answers.suppressed {
            Some(suppressed) => account.suppressing(suppressed),
            None => account,
        },
        asked: engine.asked(&subject.request)?,
        vanished,
        mapping,
        why,
        loss,
        loss_reason,
        front_reason: front.as_ref().err().map(said),
        chosen,
        picture,
        queries_named,
        scheme,
        queries: answers.workload,
        utility,
        risk: answers.risk,
        front: front.ok(),
        verification: answers.verification,
    })
}

/// What an error says, without what to do about it.
fn said(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

fn name(kind: &SuppressedValue) -> String {
    format!("{} = {}", kind.attribute, kind.value)
}

/// By published value, the recorded values that it stands for.
fn mapping(engine: &Engine, levels: &Scheme) -> Vec<RecordedMapping> {
    let attributes = engine.cube().attributes().iter().enumerate();
    let of_attribute = attributes.flat_map(|(position, attribute)| {
        let (hierarchy, level) = (&attribute.hierarchy, levels.level(position));
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
