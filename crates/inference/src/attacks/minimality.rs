//! That nothing less general would do tells which group failed.
//!
//! R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei, *Minimality Attack in Privacy Preserving Data
//! Publishing* (2007), for schemes: an attacker who knows everyone's quasi-identifiers and that the
//! scheme is minimal knows that every scheme one level lower fails. If only one group of such a
//! scheme could fail, by its size and the published values around it, that group does fail. Whether
//! a group could fail is tried with the values of its published group in a few extreme
//! distributions, so the count is a lower bound.

use haggle_cube::{Applied, Group, ValueCount};
use haggle_model::Scheme;
use rustc_hash::FxHashMap;

use super::{Attack, CountedTable, Finding, Promise, Situation, WorstGroup};

pub(super) const ATTACK: Attack = Attack {
    id: "minimality",
    title: "minimality attack",
    definition: "A scheme one level lower keeps the promise in all groups but one, as far as an attacker can tell from sizes and published values; so that group broke it.",
    citation: "R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality Attack in Privacy Preserving Data Publishing. VLDB 2007",
    run,
};

fn run(situation: &Situation<'_>) -> Result<Finding, String> {
    let table = situation.table.ok_or("it needs the table behind the publication")?;
    let scheme = table.scheme.ok_or("only schemes are minimal in this sense")?;
    let promise = table.promise.ok_or("no promise is stated")?;
    if !table.kept.iter().all(|kept| *kept) {
        return Err("records are suppressed, so lower schemes need not fail".into());
    }
    let mut finding = Finding::default();
    for (attribute, level) in scheme.levels().iter().enumerate() {
        let level = u8::from(*level);
        if level > 0 {
            let mut levels: Vec<u8> =
                scheme.levels().iter().map(|level| u8::from(*level)).collect();
            levels[attribute] = level - 1;
            let name = &table.attributes[attribute].name;
            if let Some((records, parent)) = culprit(&table, promise, &Scheme::new(levels)) {
                let why = format!("with '{name}' one level lower, only one part could fail");
                let values = super::describe(situation.groups, parent.0);
                finding.add(WorstGroup { values, exposed: records, records: parent.1, why });
            }
        }
    }
    Ok(finding)
}

/// The records of the only group of a failing scheme that could fail, and its published group with
/// the records of that.
fn culprit(
    table: &CountedTable<'_>,
    promise: &dyn Promise,
    scheme: &Scheme,
) -> Option<(u64, (usize, u64))> {
    let lower = Applied::levels(table.attributes, table.base, scheme);
    if (0..lower.len()).all(|part| promise.holds(lower.rows(part))) {
        return None;
    }
    let published = |part: usize| table.applied.rows(part).iter().map(move |&row| (row, part));
    let parent: FxHashMap<u32, usize> = (0..table.applied.len()).flat_map(published).collect();
    let mut merger = table.base.merger(table.watched);
    let mut could_fail = (0..lower.len()).filter_map(|part| {
        let published = parent[&lower.rows(part)[0]];
        let size = merger.merge(lower.rows(part).iter().copied()).records;
        let around = merger.merge(table.applied.rows(published).iter().copied());
        let records = around.records;
        could(promise, size, around.values).then_some((size, (published, records)))
    });
    let only = could_fail.next()?;
    could_fail.next().is_none().then_some(only)
}

/// Whether a group of this size could fail with values drawn from these: each value in turn as
/// frequent as possible, then the most frequent others.
fn could(promise: &dyn Promise, size: u64, around: &[ValueCount]) -> bool {
    let mut falling: Vec<ValueCount> = around.to_vec();
    falling.sort_by_key(|value| std::cmp::Reverse(value.count));
    (0..falling.len()).any(|first| {
        let mut order = falling.clone();
        order[..=first].rotate_right(1);
        let mut values = filled(&order, size);
        values.sort_by_key(|value| value.code);
        !promise.would_hold(&Group { records: size, values: &values })
    })
}

/// The first values of an order, as many as fit.
fn filled(order: &[ValueCount], size: u64) -> Vec<ValueCount> {
    let mut left = size;
    let take = |value: &ValueCount| {
        let count = value.count.min(left);
        left -= count;
        (count > 0).then_some(ValueCount { code: value.code, count })
    };
    order.iter().filter_map(take).collect()
}
