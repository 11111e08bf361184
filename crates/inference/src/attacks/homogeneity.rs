//! All records of a group have the same sensitive value.

use super::{Attack, Finding, HSU, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "homogeneity",
    title: "homogeneity attack",
    definition: "Every record of the group has the same sensitive value, so anyone in the group has it.",
    citation: HSU,
    run,
};

#[allow(clippy::unnecessary_wraps)] // as the catalog has it
fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    Ok(Finding::by_group(situation, |_, group| {
        let values = situation.values(group);
        let [only] = values.as_slice() else { return None };
        let all = only.count == group.records && situation.concerns(only.code);
        all.then(|| (group.records, "all records have the same value".to_owned()))
    }))
}
