//! Records that are published unaltered can be linked with external data.

use super::{Attack, Finding, HSU, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "joint-attack",
    title: "joint attack",
    definition: "No quasi-identifier of the group is generalized, and it has fewer than k records or holds everyone of the population who looks like it: external data identifies them as respondents.",
    citation: HSU,
    run,
};

#[allow(clippy::unnecessary_wraps)] // as the catalog has it
fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    Ok(Finding::by_group(situation, |position, group| {
        let sides = situation.groups.sides(position)?;
        if !sides.iter().all(|side| side.len() == 1) {
            return None;
        }
        let persons = situation.population.map(|population| population[position]);
        let why = match persons {
            Some(persons) if persons <= group.records => "the whole population who looks like it",
            _ if group.records < situation.limits.k => "published as recorded",
            _ => return None,
        };
        Some((group.records, why.to_owned()))
    }))
}
