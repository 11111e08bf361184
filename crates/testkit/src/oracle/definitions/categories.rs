//! Categorical protection: diversity, density and dilution by sensitive categories.

use super::case::{Case, strs};
use super::covers::{needs_at_least, selections};
use super::number::Number;

/// The values cannot be covered by fewer than l of the categories and the don't-care set.
pub(super) fn diversity(case: &Case<'_>) -> bool {
    let mut sets = categories(case);
    sets.push(strs(&case.stated.dont_care));
    let values: Vec<&str> = case.group.keys().copied().collect();
    needs_at_least(case.whole("l"), &sets, &values)
}

/// No category and not the don't-care set has a share above d; with µ, the don't-care set has a
/// share of at least µ instead.
pub(super) fn density_control(case: &Case<'_>) -> bool {
    let d = case.number("d");
    let others = match case.given("mu") {
        Some(mu) => mu.at_most(dont_care_share(case)),
        None => dont_care_share(case).at_most(d),
    };
    others && category_shares(case).into_iter().all(|share| share.at_most(d))
}

/// The don't-care set has a share of at least µ.
pub(super) fn dilution(case: &Case<'_>) -> bool {
    case.number("mu").at_most(dont_care_share(case))
}

/// The largest share of a category is at most c·(1 − MC(l − 1)), MC(j) being the largest share
/// that j categories have together; with `covering` l, c·(1 − MC(l)) as printed.
pub(super) fn recursive_diversity(case: &Case<'_>) -> bool {
    let categories = categories(case);
    let together = |selection: Vec<usize>| {
        let union: Vec<&str> = selection.iter().flat_map(|&set| categories[set].clone()).collect();
        case.share_within(&union)
    };
    let covering = |size| {
        let shares = selections(categories.len(), size).into_iter().map(together);
        shares.fold(Number::ZERO, Number::max)
    };
    let printed = case.chose("covering", "l");
    let ruled_out = if printed { case.whole("l") } else { before(case, "l") };
    let uncovered = Number::ONE - covering(ruled_out);
    covering(1).at_most(case.number("c") * uncovered)
}

/// The largest share of a category is at most c times the sum of the shares from the l-th
/// largest on.
pub(super) fn recursive_density_control(case: &Case<'_>) -> bool {
    let mut shares = category_shares(case);
    shares.sort_by(|a, b| b.value().total_cmp(&a.value()));
    let largest = shares.first().copied().unwrap_or(Number::ZERO);
    let rest = shares.into_iter().skip(before(case, "l"));
    largest.at_most(case.number("c") * rest.fold(Number::ZERO, |sum, share| sum + share))
}

fn before(case: &Case<'_>, name: &str) -> usize {
    case.whole(name).checked_sub(1).unwrap_or_else(|| panic!("parameter '{name}' is 0"))
}

fn categories<'a>(case: &Case<'a>) -> Vec<Vec<&'a str>> {
    case.stated.categories.iter().map(|(_, values)| strs(values)).collect()
}

fn category_shares(case: &Case<'_>) -> Vec<Number> {
    categories(case).iter().map(|values| case.share_within(values)).collect()
}

fn dont_care_share(case: &Case<'_>) -> Number {
    case.share_within(&strs(&case.stated.dont_care))
}
