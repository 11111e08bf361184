//! Knowing the quasi-identifiers leads to fewer than k records.

use super::{Attack, Finding, HSU, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "direct-association",
    title: "direct association attack",
    definition: "Fewer than k records look like the target.",
    citation: HSU,
    run,
};

#[allow(clippy::unnecessary_wraps)] // as the catalog has it
fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let k = situation.limits.k;
    Ok(Finding::by_group(situation, |_, group| {
        let why = || format!("{} where {k} are needed", group.records);
        (group.records < k).then(|| (group.records, why()))
    }))
}
