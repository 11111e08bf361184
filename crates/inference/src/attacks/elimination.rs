//! A suspicion on a scale rules out the values that are far from it.
//!
//! Section 3.6 of the source. An attacker suspects the class of the target; values at least three
//! standard deviations away are ruled out. ψ(x) = κ·Σ φ(x; cf(s), σ) with κ = 1 estimates how hard
//! a value is to rule out. Errata: the source writes φ with mean µ and width cf(s₀) where the mean
//! is cf(s₀) and the width σ; ψ overestimates the chance of *not* being eliminated; and in figure
//! 3.6-3 it is s₀, not s₁, that is easier to eliminate than s₃, s₄ and s₅, and s₆ is the easiest.

use haggle_cube::ValueCount;
use haggle_privacy::security_of_values;

use super::{Attack, Finding, HSU, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "elimination",
    title: "elimination by a bell-shaped suspicion",
    definition: "An attacker who suspects the record's value rules out every value at least three standard deviations away in class; then the value is believed with more than 1 - delta.",
    citation: HSU,
    run,
};

fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let facts = situation.facts;
    let classes = facts.classes.as_ref().ok_or_else(|| {
        format!("the project states no class_function of '{}'", facts.target.name)
    })?;
    let width = situation.limits.width;
    let certain = 1.0 - situation.limits.belief.delta;
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for group in situation.groups.groups() {
        let (low, high) = psi(classes, &situation.values(group), width);
        (least, most) = (least.min(low), most.max(high));
    }
    let finding = Finding::by_group(situation, |_, group| {
        let values = situation.values(group);
        let exposed = |value: &&ValueCount| {
            situation.concerns(value.code) && left(classes, &values, **value, width) > certain
        };
        let exposed = values.iter().filter(exposed).map(|value| value.count).sum();
        let (low, high) = psi(classes, &values, width);
        Some((exposed, format!("ψ from {low:.3} to {high:.3}")))
    });
    Ok(finding.noting(format!("ψ from {least:.3} to {most:.3}, κ = 1, σ = {width}")))
}

/// The share of a value among those that a suspicion of it leaves.
fn left(classes: &[f64], values: &[ValueCount], suspected: ValueCount, width: f64) -> f64 {
    let class = |value: &ValueCount| classes[value.code as usize];
    let near = values.iter().filter(|v| (class(v) - class(&suspected)).abs() < 3.0 * width);
    suspected.count as f64 / near.map(|value| value.count as f64).sum::<f64>()
}

/// The least and the most ψ of the values of a group.
fn psi(classes: &[f64], values: &[ValueCount], width: f64) -> (f64, f64) {
    let block: Vec<(f64, f64)> =
        values.iter().map(|v| (classes[v.code as usize], v.count as f64)).collect();
    let psi = security_of_values(&block, width, 1.0);
    let least = psi.iter().copied().fold(f64::INFINITY, f64::min);
    (least, psi.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
