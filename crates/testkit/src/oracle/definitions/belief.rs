//! What an attacker believes after seeing a group: disclosure and (ρ1,ρ2)-privacy.

use super::case::Case;
use super::number::Number;

/// q ≤ 1 − δ for every value.
pub(super) fn positive_disclosure(case: &Case<'_>) -> bool {
    case.largest_share().at_most(Number::ONE - case.number("delta"))
}

/// q ≥ ε for every value of the table.
pub(super) fn negative_disclosure(case: &Case<'_>) -> bool {
    let epsilon = case.number("epsilon");
    case.table.keys().all(|value| epsilon.at_most(case.share(value)))
}

/// No value of the table goes from a belief f < ρ1 to q > ρ2, or from f > 1 − ρ1 to q < 1 − ρ2.
pub(super) fn rho_privacy(case: &Case<'_>) -> bool {
    let (rho1, rho2) = (case.number("rho1"), case.number("rho2"));
    let (rest1, rest2) = (Number::ONE - rho1, Number::ONE - rho2);
    case.table.keys().all(|value| {
        let (f, q) = (prior(case, value), case.share(value));
        let up = rho1.at_most(f) || q.at_most(rho2);
        let down = f.at_most(rest1) || rest2.at_most(q);
        up && down
    })
}

fn prior(case: &Case<'_>, value: &str) -> Number {
    match &case.stated.prior {
        Some(prior) => Number::written(prior.get(value).copied().unwrap_or(0.0)),
        None => case.table_share(value),
    }
}
