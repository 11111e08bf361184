//! Models that count records: k-anonymity, extended k-anonymity and (α,k)-anonymity.

use std::collections::BTreeMap;

use super::case::Case;
use super::number::Number;

/// n ≥ k.
pub(super) fn k_anonymity(case: &Case<'_>) -> bool {
    case.number("k").at_most(Number::ratio(case.records(), 1))
}

/// Every value that occurs, as it is at `level` of its own hierarchy, has at least k records.
pub(super) fn extended_k_anonymity(case: &Case<'_>) -> bool {
    let (k, level) = (case.number("k"), case.whole("level"));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (value, count) in &case.group {
        *counts.entry(generalized(case, value, level)).or_default() += count;
    }
    counts.into_values().all(|count| k.at_most(Number::ratio(count, 1)))
}

/// n ≥ k, and no value has a share above α.
pub(super) fn alpha_k_anonymity(case: &Case<'_>) -> bool {
    k_anonymity(case) && case.largest_share().at_most(case.number("alpha"))
}

fn generalized<'a>(case: &Case<'a>, value: &'a str, level: usize) -> &'a str {
    if level == 0 {
        return value;
    }
    let row = case.stated.hierarchy.iter().find(|row| row[0] == value);
    row.unwrap_or_else(|| panic!("'{value}' is not in the hierarchy"))
        .get(level)
        .unwrap_or_else(|| panic!("the hierarchy has no level {level}"))
}
