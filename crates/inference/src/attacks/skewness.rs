//! A sensitive value is much more frequent in a group than in the table.

use super::{Attack, Finding, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "skewness",
    title: "skewness attack",
    definition: "A sensitive value is at least twice as frequent in the group as in the whole table, and its share is higher by at least the move that makes an attack succeed.",
    citation: "N. Li, T. Li, S. Venkatasubramanian: t-Closeness: Privacy Beyond k-Anonymity and l-Diversity. ICDE 2007",
    run,
};

#[allow(clippy::unnecessary_wraps)] // as the catalog has it
fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let counts = &situation.facts.counts;
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let moved = situation.limits.belief.moved;
    Ok(Finding::by_group(situation, |_, group| {
        let values = situation.values(group);
        let known: f64 = values.iter().map(|value| value.count as f64).sum();
        let shares = values.iter().filter(|value| situation.concerns(value.code)).map(|value| {
            (value.code, value.count as f64 / known, counts[value.code as usize] as f64 / all)
        });
        let skewed = shares.filter(|(_, here, all)| here - all >= moved && *here >= 2.0 * all);
        let (_, here, all) = skewed.max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)))?;
        let (here, all) = (100.0 * here, 100.0 * all);
        let why = format!("{here:.1} % have a value that {all:.1} % of the table have");
        Some((group.records, why))
    }))
}
