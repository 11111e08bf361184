//! t-closeness: how far a group's distribution is from the table's, by transport.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::number::Number;
use super::{Stated, earth_movers_distance};

/// The earth mover's distance from the group's distribution to the table's is at most t.
pub(super) fn t_closeness(case: &Case<'_>) -> bool {
    let values: BTreeSet<&str> = case.group.keys().chain(case.table.keys()).copied().collect();
    let values: Vec<&str> = values.into_iter().collect();
    let (records, all) = (case.records(), case.table.values().sum::<usize>());
    // Shares times both sizes are integers, and so is every corner of the linear program: nothing
    // is rounded but the costs.
    let masses = |counts: &BTreeMap<&str, usize>, times: usize| -> Vec<f64> {
        values.iter().map(|v| (counts.get(v).copied().unwrap_or(0) * times) as f64).collect()
    };
    let cost = earth_movers_distance(
        |i, j| ground_distance(case, values[i], values[j]),
        &masses(&case.group, all),
        &masses(&case.table, records),
    );
    Number::Rounded(cost / (records * all) as f64).at_most(case.number("t"))
}

fn ground_distance(case: &Case<'_>, a: &str, b: &str) -> f64 {
    match case.choice("distance") {
        "equal" => f64::from(u8::from(a != b)),
        "ordered" => ordered(case.stated, a, b),
        "hierarchical" => hierarchical(case.stated, a, b),
        "matrix" => given(case.stated, a, b),
        other => {
            panic!("distance '{other}': choose 'equal', 'ordered', 'hierarchical' or 'matrix'")
        }
    }
}

/// |i − j|/(m − 1) by the positions in the order of m values.
fn ordered(stated: &Stated, a: &str, b: &str) -> f64 {
    let position = |value| stated.order.iter().position(|v| v == value);
    let place = |value| position(value).unwrap_or_else(|| panic!("'{value}' is not in the order"));
    let steps = place(a).abs_diff(place(b));
    if steps == 0 { 0.0 } else { steps as f64 / (stated.order.len() - 1) as f64 }
}

/// The level at which two values become the same, as a share of the top level.
fn hierarchical(stated: &Stated, a: &str, b: &str) -> f64 {
    let path = |value| {
        let row = stated.hierarchy.iter().find(|row| row[0] == value);
        row.unwrap_or_else(|| panic!("'{value}' is not in the hierarchy"))
    };
    let same = path(a).iter().zip(path(b)).position(|(a, b)| a == b);
    match same.expect("the hierarchy ends in one value") {
        0 => 0.0,
        level => level as f64 / (path(a).len() - 1) as f64,
    }
}

fn given(stated: &Stated, a: &str, b: &str) -> f64 {
    let distance = stated.matrix.get(&(a.into(), b.into())).copied();
    let itself = || (a == b).then_some(0.0);
    distance.or_else(itself).unwrap_or_else(|| panic!("no distance from '{a}' to '{b}'"))
}
