//! Sorted cells, their roll-up by one level of one attribute, and the groups they form.

use haggle_model::{Hierarchy, Level};
use serde::{Deserialize, Serialize};

use crate::key::{Field, Key, Layout};
use crate::statistic::{Group, ValueCount};

/// How many records have the codes of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cell<K> {
    pub(crate) key: K,
    pub(crate) count: u32,
}

/// Sorts cells and adds up those with the same key.
pub(crate) fn sort_and_merge<K: Key>(cells: &mut Vec<Cell<K>>) {
    cells.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    cells.dedup_by(|next, kept| {
        let same = next.key == kept.key;
        if same {
            kept.count += next.count;
        }
        same
    });
}

/// The cells after one attribute climbed one level, written to `out`.
///
/// Codes are contiguous, so the keys stay sorted up to the climbing field; only within a block
/// that agrees so far must the fields behind it be put in order again.
pub(crate) fn roll_up<K: Key>(
    cells: &[Cell<K>],
    field: Field,
    parents: &[u32],
    out: &mut Vec<Cell<K>>,
) {
    out.clear();
    out.reserve(cells.len());
    let mut block = 0;
    for cell in cells {
        let mut key = cell.key.clone();
        key.set(field, parents[key.get(field) as usize]);
        if out.last().is_some_and(|last| !last.key.agrees_through(&key, field)) {
            merge_block(out, block);
            block = out.len();
        }
        match out[block..].last_mut() {
            Some(last) if last.key == key => last.count += cell.count,
            _ => out.push(Cell { key, count: cell.count }),
        }
    }
    merge_block(out, block);
}

/// Puts the cells from `start` on in order and adds up equal ones.
fn merge_block<K: Key>(cells: &mut Vec<Cell<K>>, start: usize) {
    let block = &mut cells[start..];
    if block.is_sorted_by(|a, b| a.key < b.key) {
        return;
    }
    block.sort_by(|a, b| a.key.cmp(&b.key));
    let mut kept = start;
    for i in start + 1..cells.len() {
        if cells[i].key == cells[kept].key {
            cells[kept].count += cells[i].count;
        } else {
            kept += 1;
            cells.swap(kept, i);
        }
    }
    cells.truncate(kept + 1);
}

/// Shows `visit` each group once, in key order, with its first key.
pub(crate) fn for_each_group<K: Key>(
    cells: &[Cell<K>],
    layout: &Layout,
    mut visit: impl FnMut(&K, &Group<'_>),
) {
    if layout.watches_nothing() {
        let values = [ValueCount { code: 0, count: 0 }];
        for cell in cells {
            let records = u64::from(cell.count);
            let values = &values.map(|v| ValueCount { count: cell.count, ..v });
            visit(&cell.key, &Group { records, values });
        }
        return;
    }
    let mut values: Vec<ValueCount> = Vec::new();
    for group in cells.chunk_by(|a, b| a.key.agrees_through(&b.key, layout.last)) {
        values.clear();
        let mut records = 0;
        for cell in group {
            records += u64::from(cell.count);
            values.push(ValueCount { code: cell.key.get(layout.value), count: cell.count });
        }
        if values.last().map(|last| last.code) == layout.unknown {
            values.pop();
        }
        visit(&group[0].key, &Group { records, values: &values });
    }
}

/// The codes of a key's quasi-identifiers.
pub(crate) fn read_codes<K: Key>(key: &K, layout: &Layout, codes: &mut Vec<u32>) {
    codes.clear();
    codes.extend(layout.fields.iter().map(|&field| key.get(field)));
}

/// The cells of any scheme, straight from the base: each key mapped at once, then one sort.
pub(crate) fn generalize<K: Key>(
    base: &[Cell<K>],
    layout: &Layout,
    hierarchies: &[&Hierarchy],
    levels: &[Level],
) -> Vec<Cell<K>> {
    let mut cells = base.to_vec();
    for cell in &mut cells {
        for ((&field, hierarchy), &level) in layout.fields.iter().zip(hierarchies).zip(levels) {
            cell.key.set(field, hierarchy.ancestor(cell.key.get(field), level));
        }
    }
    sort_and_merge(&mut cells);
    cells
}
