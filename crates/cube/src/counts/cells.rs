//! Sorted cells, their roll-up by one level of one attribute, and the groups they form.
//!
//! A cell is a group with one value of a watched attribute, and a count. Cells are sorted, so a
//! group is a run of cells, and every statistic of a group is one pass over its run. If nothing is
//! watched, cells are groups. Keys are packed into 64 or 128 bits, or into as many words as needed.

use haggle_model::{Hierarchy, Level};
use serde::{Deserialize, Serialize};

use crate::counts::key::{Key, KeyField, KeyLayout};
use crate::groups::statistic::{Group, ValueCount};

/// How many records have the codes of a key, and extra numbers that add up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cell<K, E = ()> {
    pub(crate) key: K,
    pub(crate) count: u64,
    pub(crate) extra: E,
}

/// Extra numbers of a cell; they add up where cells merge. Usually empty.
pub(crate) trait Extra: Clone + Send + Sync {
    fn add(&mut self, other: &Self);

    /// Returns the numbers carried.
    fn numbers(&self) -> Carried;
}

/// The numbers that a payload carries from the base groups up.
pub(crate) type Carried = [f64; 3];

impl Extra for () {
    fn add(&mut self, (): &Self) {}

    fn numbers(&self) -> Carried {
        Carried::default()
    }
}

impl Extra for Carried {
    fn add(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(sum, number)| *sum += number);
    }

    fn numbers(&self) -> Carried {
        *self
    }
}

impl<K: Key, E: Extra> Cell<K, E> {
    /// Adds a cell of the same key.
    #[inline]
    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.extra.add(&other.extra);
    }

    /// The cell with another code in one field.
    #[inline]
    pub(crate) fn with(&self, field: KeyField, code: u32) -> Self {
        let mut key = self.key.clone();
        key.set(field, code);
        Self { key, count: self.count, extra: self.extra.clone() }
    }
}

/// Sorts cells and adds up those with the same key.
pub(crate) fn sort_and_merge<K: Key, E: Extra>(cells: &mut Vec<Cell<K, E>>) {
    cells.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    cells.dedup_by(|next, kept| {
        let same = next.key == kept.key;
        if same {
            kept.merge(next);
        }
        same
    });
}

/// Calls `visit` with each group once, in key order, with its cells.
pub(crate) fn for_each_group<K: Key, E: Extra>(
    cells: &[Cell<K, E>],
    layout: &KeyLayout,
    mut visit: impl FnMut(&[Cell<K, E>], &Group<'_>),
) {
    if layout.watches_nothing() {
        let values = [ValueCount { code: 0, count: 0 }];
        for cell in cells {
            let values = &values.map(|v| ValueCount { count: cell.count, ..v });
            visit(std::slice::from_ref(cell), &Group { records: cell.count, values });
        }
        return;
    }
    let mut values: Vec<ValueCount> = Vec::new();
    for group in cells.chunk_by(|a, b| a.key.agrees_through(&b.key, layout.last)) {
        values.clear();
        let mut records = 0;
        for cell in group {
            records += cell.count;
            values.push(ValueCount { code: cell.key.get(layout.value), count: cell.count });
        }
        if values.last().map(|last| last.code) == layout.unknown {
            values.pop();
        }
        visit(group, &Group { records, values: &values });
    }
}

/// The codes of a group's quasi-identifiers.
pub(crate) fn read_codes<K: Key, E>(
    cells: &[Cell<K, E>],
    layout: &KeyLayout,
    codes: &mut Vec<u32>,
) {
    codes.clear();
    codes.extend(layout.fields.iter().map(|&field| cells[0].key.get(field)));
}

/// Computes the cells of any scheme directly from the base: each key is mapped, then sorted once.
pub(crate) fn generalize<K: Key, E: Extra>(
    base: &[Cell<K, E>],
    layout: &KeyLayout,
    hierarchies: &[&Hierarchy],
    levels: &[Level],
) -> Vec<Cell<K, E>> {
    let mut cells = base.to_vec();
    for cell in &mut cells {
        for ((&field, hierarchy), &level) in layout.fields.iter().zip(hierarchies).zip(levels) {
            cell.key.set(field, hierarchy.ancestor(cell.key.get(field), level));
        }
    }
    sort_and_merge(&mut cells);
    cells
}
