//! Linear protection: how far apart the classes of a group's values are.

use super::case::Case;
use super::covers::needs_at_least;
use super::number::Number;

/// Two of the values' classes are at least δ apart.
pub(super) fn range_control(case: &Case<'_>) -> bool {
    let (delta, classes) = (case.number("delta"), classes(case));
    let apart = |a: Number, b: Number| delta.at_most(b - a);
    classes.iter().any(|(_, a)| classes.iter().any(|(_, b)| apart(*a, *b)))
}

/// Fewer than l intervals of classes [cf(s), cf(s) + r], each from a value s of the group on, do
/// not hold all of the values.
///
/// The intervals are closed: where a class was rounded, a class within the tolerance of an interval
/// is in it.
pub(super) fn diversity(case: &Case<'_>) -> bool {
    let (r, classes) = (case.number("r"), classes(case));
    let values: Vec<&str> = classes.iter().map(|(value, _)| *value).collect();
    let cover = |base: Number| -> Vec<&str> {
        let holds = |class: Number| base.at_most(class) && class.at_most(base + r);
        classes.iter().filter(|(_, class)| holds(*class)).map(|(value, _)| *value).collect()
    };
    let covers: Vec<Vec<&str>> = classes.iter().map(|(_, base)| cover(*base)).collect();
    needs_at_least(case.whole("l"), &covers, &values)
}

/// For each value s of the group, the bells of width σ around the classes of the group's records
/// add up, or average, to at least `least` and at most `most` at the class of s.
pub(super) fn psi_security(case: &Case<'_>) -> bool {
    let width = case.given("width").map_or(1.0, Number::value);
    let bell = |x: f64, mean: f64| {
        let deviation = (x - mean) / width;
        (-deviation * deviation / 2.0).exp() / (width * (2.0 * std::f64::consts::PI).sqrt())
    };
    let records = || classes(case).into_iter().flat_map(|(v, class)| vec![class; case.group[v]]);
    let scale = if case.chose("scale", "shares") { case.records() as f64 } else { 1.0 };
    let psi = |x: Number| records().map(|mean| bell(x.value(), mean.value())).sum::<f64>() / scale;
    records().all(|class| {
        let psi = Number::Rounded(psi(class));
        case.number("least").at_most(psi) && case.given("most").is_none_or(|most| psi.at_most(most))
    })
}

fn classes<'a>(case: &Case<'a>) -> Vec<(&'a str, Number)> {
    let class = |value: &str| {
        let class = case.stated.class_function.get(value);
        Number::written(*class.unwrap_or_else(|| panic!("'{value}' has no class")))
    };
    case.group.keys().map(|&value| (value, class(value))).collect()
}
