//! The l-diversity family: distinct, frequency, entropy and recursive.

use super::case::Case;
use super::number::Number;

/// At least l different values.
pub(super) fn distinct(case: &Case<'_>) -> bool {
    case.number("l").at_most(Number::ratio(case.group.len(), 1))
}

/// No value has a share above 1/l.
pub(super) fn frequency(case: &Case<'_>) -> bool {
    (case.largest_share() * case.number("l")).at_most(Number::ONE)
}

/// −Σ q ln q ≥ ln l.
pub(super) fn entropy(case: &Case<'_>) -> bool {
    let term = |value: &&str| {
        let share = case.share(value).value();
        -share * share.ln()
    };
    let entropy = case.group.keys().map(term).sum();
    Number::Rounded(case.number("l").value().ln()).at_most(Number::Rounded(entropy))
}

/// `r_1 < c·(r_l + … + r_m)`, the r being the values' records, most first.
pub(super) fn recursive(case: &Case<'_>) -> bool {
    let ranked = ranked(case);
    let r = |rank: usize| ranked[rank - 1].1;
    let rest = (case.whole("l")..=ranked.len()).map(r).sum();
    is_below(case, r(1), case.number("c"), rest)
}

/// Recursive diversity of the values outside the don't-care set, after A. Machanavajjhala et al.
///
/// Let y be the rank of the most frequent of them. If y ≤ l−1, then `r_y < c·(r_l + … + r_m)`;
/// else `r_y < c·(r_(l−1) + … + r_(y−1) + r_(y+1) + … + r_m)`. A group without such values
/// passes.
pub(super) fn pd_recursive(case: &Case<'_>) -> bool {
    is_pd_recursive(case, case.number("c"))
}

/// PD-recursive (c1,l)-diversity, and every value that must not be ruled out, which may be every
/// value that occurs in the group, has a share of at least c2.
pub(super) fn npd_recursive(case: &Case<'_>) -> bool {
    let c2 = case.number("c2");
    let possible = |value: &String| c2.at_most(case.share(value));
    let occurring: Vec<String> = case.group.keys().map(|&value| value.into()).collect();
    let named = if case.stated.occurring { &occurring } else { &case.stated.never_rule_out };
    is_pd_recursive(case, case.number("c1")) && named.iter().all(possible)
}

fn is_pd_recursive(case: &Case<'_>, c: Number) -> bool {
    let (l, ranked) = (case.whole("l"), ranked(case));
    let sensitive = |(value, _): &(&str, usize)| !case.stated.dont_care.iter().any(|v| v == value);
    let Some(y) = ranked.iter().position(sensitive).map(|index| index + 1) else {
        return true;
    };
    let counts_against =
        |rank: &usize| if y < l { *rank >= l } else { *rank + 1 >= l && *rank != y };
    let r = |rank: usize| ranked[rank - 1].1;
    let rest = (1..=ranked.len()).filter(counts_against).map(r).sum();
    is_below(case, r(y), c, rest)
}

/// The group's values and their records, most records first; rank 1 is at index 0.
fn ranked<'a>(case: &Case<'a>) -> Vec<(&'a str, usize)> {
    let mut ranked: Vec<(&str, usize)> = case.group.iter().map(|(&v, &count)| (v, count)).collect();
    ranked.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ranked
}

/// Whether records are fewer than c times the rest; or just as many, if that is enough.
fn is_below(case: &Case<'_>, records: usize, c: Number, rest: usize) -> bool {
    let (records, most) = (Number::ratio(records, 1), c * Number::ratio(rest, 1));
    if case.chose("bound", "at-most") { records.at_most(most) } else { records.below(most) }
}
