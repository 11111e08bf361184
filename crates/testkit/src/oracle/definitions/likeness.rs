//! How much likelier a group makes a value than the table does: β-likeness and δ-disclosure.

use super::case::Case;
use super::number::Number;

/// (q − p)/p ≤ β for every value with q > p.
pub(super) fn basic_beta(case: &Case<'_>) -> bool {
    let beta = case.number("beta");
    gains_are(case, |gain, _| gain.at_most(beta))
}

/// (q − p)/p ≤ min(β, −ln p) for every value with q > p.
pub(super) fn enhanced_beta(case: &Case<'_>) -> bool {
    let beta = case.number("beta");
    gains_are(case, |gain, p| gain.at_most(beta) && gain.at_most(Number::Rounded(-p.value().ln())))
}

/// |ln(q/p)| < δ for every value of the group, or of the table.
///
/// The logarithm of a fraction other than 1 is irrational: a rational δ is met exactly only by δ =
/// 0, which nothing is below.
pub(super) fn delta_disclosure(case: &Case<'_>) -> bool {
    let delta = case.number("delta");
    let close = |value: &&str| {
        let (q, p) = (case.share(value), case.table_share(value));
        let informs = || Number::Rounded((q / p).value().ln().abs());
        !q.is_zero() && !p.is_zero() && informs().below(delta)
    };
    let over = match case.choice("over") {
        "group" => &case.group,
        "table" => &case.table,
        other => panic!("over '{other}': choose 'group' or 'table'"),
    };
    Number::ZERO.below(delta) && over.keys().all(close)
}

/// Whether each gain (q − p)/p is small enough, given p too; from nothing the gain is infinite.
fn gains_are(case: &Case<'_>, small: impl Fn(Number, Number) -> bool) -> bool {
    case.group.keys().all(|value| {
        let (q, p) = (case.share(value), case.table_share(value));
        q.at_most(p) || (!p.is_zero() && small((q - p) / p, p))
    })
}
