//! The same publication again, on other data: what must agree with the private manifest.

use haggle_assess::PrivateManifest;
use haggle_engine::Engine;
use haggle_model::{Error, ErrorKind, Problem, Problems};
use haggle_privacy::Stated;

/// So many values that would be published differently are named.
const NAMED: usize = 5;

/// Whether two statements are the same; of hierarchies, in the values that both have.
fn same(then: &Stated, now: &Stated) -> bool {
    let path = |stated: &Stated, value: &str| {
        let rows = stated.hierarchy.iter().flatten();
        rows.into_iter().find(|row| row[0] == value).cloned()
    };
    let values = then.hierarchy.iter().flatten().map(|row| row[0].as_str());
    let alike = |value: &str| path(now, value).is_none_or(|now| path(then, value) == Some(now));
    let without = |stated: &Stated| Stated { hierarchy: None, ..stated.clone() };
    without(then) == without(now)
        && then.hierarchy.is_some() == now.hierarchy.is_some()
        && values.into_iter().all(alike)
}

/// Sensitive attributes of which the project states something else than when the policy was made.
fn restated(engine: &Engine, policy: &PrivateManifest) -> Vec<Problem> {
    let differs = |name: &&String| {
        let (then, now) = (policy.stated.get(*name), engine.stated().get(*name));
        then.zip(now).is_some_and(|(then, now)| !same(then, now))
    };
    let problem = |name: &String| {
        let what = format!("the project states something else of '{name}' than the policy");
        Problem::new(what)
            .of_kind(ErrorKind::DataChanged)
            .fix("state what the first publication stated, or publish without the policy")
    };
    policy.stated.keys().filter(differs).map(problem).collect()
}

/// Whether this engine's hierarchies publish every value of the policy as it was published.
pub fn check_policy(engine: &Engine, policy: &PrivateManifest) -> Result<(), Error> {
    let Some(scheme) = policy.scheme() else {
        // Whether the other recodings fit is seen when they are applied.
        return Ok(Problems::check(restated(engine, policy))?);
    };
    let scheme = engine.scheme(scheme)?;
    let mut problems = Vec::new();
    for (position, attribute) in engine.cube().attributes().iter().enumerate() {
        let hierarchy = &attribute.hierarchy;
        let level = scheme.level(position);
        let Some(mapping) = policy.mapping.get(&attribute.name) else { continue };
        let differs = mapping.iter().filter(|(recorded, published)| {
            let now = hierarchy.code(recorded).map(|code| hierarchy.ancestor(code, level));
            now.is_some_and(|code| hierarchy.label(code, level) != published.as_str())
        });
        let differs: Vec<String> = differs.map(|(recorded, _)| format!("'{recorded}'")).collect();
        if !differs.is_empty() {
            let named = differs[..differs.len().min(NAMED)].join(", ");
            let what = format!(
                "the hierarchy of '{}' is not the one of the policy: {} of its values would be published differently, such as {named}",
                attribute.name,
                differs.len()
            );
            let problem = Problem::new(what).of_kind(ErrorKind::DataChanged);
            problems.push(problem.fix("use the hierarchy of the first publication"));
        }
    }
    problems.extend(restated(engine, policy));
    Ok(Problems::check(problems)?)
}

#[cfg(test)]
#[path = "../tests/unit/policy.rs"]
mod tests;
