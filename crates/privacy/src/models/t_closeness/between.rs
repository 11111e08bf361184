//! The earth mover's distance between two groups, neither of which is the whole table.

use std::cmp::Ordering;

use haggle_cube::ValueCount;

use crate::transport::Transport;

fn records(values: &[ValueCount]) -> u64 {
    values.iter().map(|value| value.count).sum()
}

/// Returns how much larger a value's share is in one than in the other, by code; values in neither
/// are left out.
pub(super) fn differences<'a>(
    mut one: &'a [ValueCount],
    mut other: &'a [ValueCount],
) -> impl Iterator<Item = (u32, f64)> + 'a {
    let (all, all_others) = (records(one) as f64, records(other) as f64);
    std::iter::from_fn(move || {
        let order = match (one.first(), other.first()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.code.cmp(&b.code),
        };
        let (mut code, mut more) = (0, 0.0);
        if order.is_le() {
            (code, more) = (one[0].code, one[0].count as f64 / all);
            one = &one[1..];
        }
        if order.is_ge() {
            (code, more) = (other[0].code, more - other[0].count as f64 / all_others);
            other = &other[1..];
        }
        Some((code, more))
    })
}

/// Computes the distance if all values are equally far apart: the surplus of each value moves.
pub(super) fn equal(one: &[ValueCount], other: &[ValueCount]) -> f64 {
    differences(one, other).map(|(_, more)| more.max(0.0)).sum()
}

/// Computes the distance by transport, in whole numbers.
pub(super) fn by_matrix(transport: &Transport, one: &[ValueCount], other: &[ValueCount]) -> f64 {
    let (all, all_others) = (records(one), records(other));
    let masses = |values: &[ValueCount], times: u64| {
        let mut masses = vec![0; transport.values()];
        for value in values {
            masses[value.code as usize] = i128::from(value.count) * i128::from(times);
        }
        masses
    };
    transport.least(&masses(one, all_others), &masses(other, all))
        / (all as f64 * all_others as f64)
}
