//! Ruling out a few sensitive values leaves one that is nearly certain.

use std::collections::BTreeMap;

use haggle_cube::ValueCount;

use super::{Attack, Finding, HSU, Situation};

pub(super) const ATTACK: Attack = Attack {
    id: "background-knowledge",
    title: "background knowledge attack",
    definition: "After ruling out a few other sensitive values, the record's own value is believed with more than 1 - delta.",
    citation: HSU,
    run,
};

/// How many numbers of values are listed one by one.
const LISTED: usize = 4;

#[allow(clippy::unnecessary_wraps)] // as the catalog has it
fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let limit = situation.limits.rule_out;
    let mut needed: BTreeMap<usize, u64> = BTreeMap::new();
    for group in situation.groups.groups() {
        for (value, fewest) in fewest(situation, &situation.values(group)) {
            *needed.entry(fewest).or_default() += value.count;
        }
    }
    let note = format!("records by the fewest values to rule out: {}", in_short(&needed));
    Ok(Finding::by_group(situation, |_, group| {
        let values = situation.values(group);
        let found = fewest(situation, &values).filter(|(_, fewest)| *fewest <= limit);
        let found: Vec<(ValueCount, usize)> = found.collect();
        let exposed = found.iter().map(|(value, _)| value.count).sum();
        let least = found.iter().map(|(_, fewest)| fewest).min()?;
        Some((exposed, format!("ruling out {least} of {} values is enough", values.len())))
    })
    .noting(note))
}

/// The first numbers of values, and all others as one.
fn in_short(needed: &BTreeMap<usize, u64>) -> String {
    let mut words: Vec<String> = needed
        .iter()
        .take(LISTED)
        .map(|(fewest, records)| format!("{fewest}: {records}"))
        .collect();
    let more: u64 = needed.values().skip(LISTED).sum();
    words.extend((more > 0).then(|| format!("more: {more}")));
    words.join(", ")
}

/// The fewest other values that must be ruled out before each value is nearly certain. The most
/// frequent others are ruled out first, so no other choice needs fewer.
fn fewest<'v>(
    situation: &'v Situation<'_>,
    values: &'v [ValueCount],
) -> impl Iterator<Item = (ValueCount, usize)> + 'v {
    let certain = 1.0 - situation.limits.belief.delta;
    let mut falling: Vec<ValueCount> = values.to_vec();
    falling.sort_by_key(|value| std::cmp::Reverse(value.count));
    let all: f64 = values.iter().map(|value| value.count as f64).sum();
    values.iter().filter(|value| situation.concerns(value.code)).map(move |&value| {
        let mut rest = all;
        let mut others = falling.iter().filter(|other| other.code != value.code);
        let mut ruled_out = 0;
        while value.count as f64 / rest <= certain {
            let Some(other) = others.next() else { break };
            (rest, ruled_out) = (rest - other.count as f64, ruled_out + 1);
        }
        (value, ruled_out)
    })
}
