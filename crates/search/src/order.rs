//! The order of answers: which of two schemes is the better one.

use std::cmp::Ordering;

use haggle_model::Scheme;

/// Compares schemes with the records that they suppress: by height, then suppressed records, then
/// levels.
///
/// ```
/// use std::cmp::Ordering;
///
/// use haggle_model::Scheme;
/// use haggle_search::order::answer_order;
///
/// let (low, high) = (Scheme::new([1, 0]), Scheme::new([1, 1]));
/// assert_eq!(answer_order((9, &low), (0, &high)), Ordering::Less);
/// assert_eq!(answer_order((9, &low), (0, &low)), Ordering::Greater);
/// ```
pub fn answer_order(one: (u64, &Scheme), other: (u64, &Scheme)) -> Ordering {
    let rank = |(suppressed, scheme): (u64, &Scheme)| (scheme.height(), suppressed);
    rank(one).cmp(&rank(other)).then_with(|| one.1.cmp(other.1))
}

/// Compares schemes by their loss, and equal losses in the order of answers.
pub fn loss_order(one: (f64, u64, &Scheme), other: (f64, u64, &Scheme)) -> Ordering {
    let by_loss = one.0.total_cmp(&other.0);
    by_loss.then_with(|| answer_order((one.1, one.2), (other.1, other.2)))
}
