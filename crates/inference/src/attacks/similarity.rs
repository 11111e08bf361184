//! The sensitive values of a group differ, but are close to each other.

use haggle_cube::ValueCount;
use haggle_privacy::Facts;

use super::{Attack, Finding, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "similarity",
    title: "similarity attack",
    definition: "The group has several sensitive values, but all within a small part of their scale (the class function, else the numbers, else the stated order) or all in one category.",
    citation: "N. Li, T. Li, S. Venkatasubramanian: t-Closeness: Privacy Beyond k-Anonymity and l-Diversity. ICDE 2007",
    run,
};

fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let scale = positions(situation.facts);
    if scale.is_none() && situation.facts.categories == 0 {
        let name = &situation.facts.target.name;
        return Err(format!("'{name}' has no order, class function or categories"));
    }
    Ok(Finding::by_group(situation, |_, group| {
        let values = situation.values(group);
        let known: u64 = values.iter().map(|value| value.count).sum();
        let concerns = values.iter().all(|value| situation.concerns(value.code));
        if values.len() < 2 || known < group.records || !concerns {
            return None;
        }
        let near = scale.as_ref().and_then(|scale| range(scale, &values));
        let near = near.filter(|range| *range <= situation.limits.similar + 1e-12);
        let scale = |range: f64| format!("all within {:.1} % of the scale", 100.0 * range);
        let category =
            || shares_category(situation.facts, &values).then(|| "all in one category".into());
        near.map(scale).or_else(category).map(|why| (group.records, why))
    }))
}

/// The position of each value on a scale from 0 to 1, if the values have one.
fn positions(facts: &Facts) -> Option<Vec<f64>> {
    let numbers =
        || -> Option<Vec<f64>> { facts.values.values().map(|value| value.parse().ok()).collect() };
    let ranks = || facts.ranks.iter().map(|&rank| f64::from(rank)).collect();
    let raw: Vec<f64> = match &facts.classes {
        Some(classes) => classes.clone(),
        None if facts.ordered => numbers().unwrap_or_else(ranks),
        None => return None,
    };
    let occurring = || raw.iter().zip(&facts.counts).filter(|(_, n)| **n > 0).map(|(at, _)| *at);
    let (low, high) = (occurring().fold(f64::MAX, f64::min), occurring().fold(f64::MIN, f64::max));
    (high > low).then(|| raw.iter().map(|at| (at - low) / (high - low)).collect())
}

/// How much of the scale the values of a group span.
fn range(scale: &[f64], values: &[ValueCount]) -> Option<f64> {
    let at = || values.iter().map(|value| scale[value.code as usize]);
    Some(at().fold(f64::MIN, f64::max) - at().fold(f64::MAX, f64::min)).filter(|r| r.is_finite())
}

fn shares_category(facts: &Facts, values: &[ValueCount]) -> bool {
    facts.categories > 0
        && values.iter().fold(u64::MAX, |all, v| all & facts.members[v.code as usize]) != 0
}
