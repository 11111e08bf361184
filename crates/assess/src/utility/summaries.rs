//! Attributes and pairs before and after.

use haggle_api::{AttributeUtility, BeforeAfter, PairUtility};
use haggle_inference::utility::{Association, Case, Cases, association, entropy};

use super::BeforeAndAfter;

/// Summarizes each quasi-identifier, then the target.
pub(super) fn attributes(publication: &BeforeAndAfter<'_>, target: &str) -> Vec<AttributeUtility> {
    let summary = |(position, attribute): (usize, String)| {
        let [before, after] = both(publication).map(|cases| counts(cases, position));
        let number = |counts: &[u64]| counts.iter().filter(|&&n| n > 0).count() as f64;
        let bits = |counts: &[u64]| entropy(counts.iter().copied());
        AttributeUtility {
            attribute,
            values: BeforeAfter { before: number(&before), after: number(&after) },
            entropy: BeforeAfter { before: bits(&before), after: bits(&after) },
        }
    };
    names(publication, target).into_iter().enumerate().map(summary).collect()
}

/// Compares the association of each pair, those with the target first.
pub(super) fn pairs(publication: &BeforeAndAfter<'_>, target: &str) -> Vec<PairUtility> {
    let names = names(publication, target);
    let last = names.len() - 1;
    let with_target = (0..last).map(|first| (first, last));
    let others = (0..last).flat_map(|first| (first + 1..last).map(move |second| (first, second)));
    let pair = |(first, second): (usize, usize)| {
        let [before, after] = both(publication).map(|cases| associated(cases, first, second));
        PairUtility {
            attributes: vec![names[first].clone(), names[second].clone()],
            cramers_v: BeforeAfter { before: before.cramers_v, after: after.cramers_v },
            mutual_information: BeforeAfter {
                before: before.mutual_information,
                after: after.mutual_information,
            },
        }
    };
    with_target.chain(others).map(pair).collect()
}

fn both<'p>(publication: &'p BeforeAndAfter<'_>) -> [&'p Cases; 2] {
    [&publication.before, &publication.after]
}

/// The names of the quasi-identifiers, and of the target.
fn names(publication: &BeforeAndAfter<'_>, target: &str) -> Vec<String> {
    let attributes = publication.joint.attributes().iter().map(|a| a.name.clone());
    attributes.chain([target.to_owned()]).collect()
}

/// The value of an attribute; after the last one, that of the target.
fn value(case: Case<'_>, position: usize) -> u32 {
    case.values.get(position).copied().unwrap_or(case.class)
}

fn counts(cases: &Cases, position: usize) -> Vec<u64> {
    let values = cases.values.get(position).copied().unwrap_or(cases.classes);
    let mut counts = vec![0; values];
    cases.iter().for_each(|case| counts[value(case, position) as usize] += case.records);
    counts
}

fn associated(cases: &Cases, first: usize, second: usize) -> Association {
    let pair = |case: Case<'_>| (value(case, first), value(case, second), case.records);
    association(cases.iter().map(pair))
}
