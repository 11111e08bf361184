//! One attribute climbs one level: sorted cells become sorted cells, by merging and never by
//! sorting.
//!
//! Codes are contiguous, so keys stay in order up to the climbing field. Cells that agree up to it
//! form a run that is sorted already; the runs of siblings are merged two by two into one of their
//! parent. If no field comes after the climbing one, every run is one cell, and the merge is a sum
//! of neighbours.

use std::ops::Range;

use crate::counts::cells::{Cell, Extra};
use crate::counts::key::{Key, KeyField, KeyLayout};

/// A climb of one attribute: its field, and the parent of each code.
#[derive(Clone, Copy)]
pub(crate) struct ClimbStep<'a> {
    pub(crate) field: KeyField,
    pub(crate) parents: &'a [u32],
}

impl ClimbStep<'_> {
    fn parent<K: Key>(&self, key: &K) -> u32 {
        self.parents[key.get(self.field) as usize]
    }

    /// Returns a position near the middle where cells can be split into two independent halves.
    pub(crate) fn cut<K: Key, E>(&self, cells: &[Cell<K, E>]) -> usize {
        let middle = cells.len() / 2;
        let Some(first) = cells.get(middle) else { return middle };
        let above = |key: &K| with(key, self.field, self.parent(key));
        let siblings =
            |cell: &&Cell<K, E>| above(&cell.key).agrees_through(&above(&first.key), self.field);
        middle + cells[middle..].iter().take_while(siblings).count()
    }
}

/// Rolls cells up, in memory that is reused for every scheme.
#[derive(Debug)]
pub(crate) struct RollUp<K, E> {
    runs: Vec<Range<usize>>,
    /// Merged runs, concatenated, and where each ends.
    merged: Vec<Cell<K, E>>,
    ends: Vec<usize>,
    again: Vec<Cell<K, E>>,
}

impl<K, E> Default for RollUp<K, E> {
    fn default() -> Self {
        Self { runs: Vec::new(), merged: Vec::new(), ends: Vec::new(), again: Vec::new() }
    }
}

impl<K: Key, E: Extra> RollUp<K, E> {
    /// Writes the cells after the step to `out`.
    pub(crate) fn climb(
        &mut self,
        cells: &[Cell<K, E>],
        layout: &KeyLayout,
        step: ClimbStep<'_>,
        out: &mut Vec<Cell<K, E>>,
    ) {
        out.clear();
        out.reserve(cells.len());
        if layout.ends_with(step.field) {
            return add_neighbours(cells, step, out);
        }
        let mut start = 0;
        while start < cells.len() {
            let parent = step.parent(&cells[start].key);
            start = self.siblings(cells, start, step);
            self.merge_runs(cells, step.field, parent, out);
        }
    }

    /// Finds the runs of siblings that begin here, and returns where the next begin.
    fn siblings(&mut self, cells: &[Cell<K, E>], start: usize, step: ClimbStep<'_>) -> usize {
        self.runs.clear();
        let first = &cells[start].key;
        let above = with(first, step.field, step.parent(first));
        let mut start = start;
        while let Some(cell) = cells.get(start) {
            let climbed = with(&cell.key, step.field, step.parent(&cell.key));
            if !climbed.agrees_through(&above, step.field) {
                break;
            }
            let same = |other: &&Cell<K, E>| other.key.agrees_through(&cell.key, step.field);
            let end = start + 1 + cells[start + 1..].iter().take_while(same).count();
            self.runs.push(start..end);
            start = end;
        }
        start
    }

    /// Merges the runs into one, two by two so that no cell is moved often.
    fn merge_runs(
        &mut self,
        cells: &[Cell<K, E>],
        field: KeyField,
        parent: u32,
        out: &mut Vec<Cell<K, E>>,
    ) {
        let part = |run: &Range<usize>| &cells[run.clone()];
        match self.runs.as_slice() {
            [one] => out.extend(part(one).iter().map(|cell| cell.with(field, parent))),
            [one, other] => merge(part(one), part(other), field, parent, out),
            runs => {
                self.merged.clear();
                self.ends.clear();
                for pair in runs.chunks(2) {
                    let other = pair.get(1).map_or(&[][..], part);
                    merge(part(&pair[0]), other, field, parent, &mut self.merged);
                    self.ends.push(self.merged.len());
                }
                self.merge_merged(field, parent, out);
            }
        }
    }

    fn merge_merged(&mut self, field: KeyField, parent: u32, out: &mut Vec<Cell<K, E>>) {
        while self.ends.len() > 2 {
            self.again.clear();
            let (mut start, pairs) = (0, self.ends.len().div_ceil(2));
            for pair in 0..pairs {
                let middle = self.ends[2 * pair];
                let end = self.ends.get(2 * pair + 1).copied().unwrap_or(middle);
                let (one, other) = (&self.merged[start..middle], &self.merged[middle..end]);
                merge(one, other, field, parent, &mut self.again);
                self.ends[pair] = self.again.len();
                start = end;
            }
            self.ends.truncate(pairs);
            std::mem::swap(&mut self.merged, &mut self.again);
        }
        let (one, other) = self.merged.split_at(self.ends[0]);
        merge(one, other, field, parent, out);
    }
}

fn with<K: Key>(key: &K, field: KeyField, code: u32) -> K {
    let mut key = key.clone();
    key.set(field, code);
    key
}

/// Adds up neighbours that climb to the same key.
fn add_neighbours<K: Key, E: Extra>(
    cells: &[Cell<K, E>],
    step: ClimbStep<'_>,
    out: &mut Vec<Cell<K, E>>,
) {
    let climbed = |cell: &Cell<K, E>| cell.with(step.field, step.parent(&cell.key));
    let Some((first, rest)) = cells.split_first() else { return };
    let mut open = climbed(first);
    for cell in rest {
        let next = climbed(cell);
        if next.key == open.key {
            open.merge(&next);
        } else {
            out.push(std::mem::replace(&mut open, next));
        }
    }
    out.push(open);
}

/// Merges two runs of siblings into one of their parent.
fn merge<K: Key, E: Extra>(
    one: &[Cell<K, E>],
    other: &[Cell<K, E>],
    field: KeyField,
    parent: u32,
    out: &mut Vec<Cell<K, E>>,
) {
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        let order = a.key.behind(&b.key, field);
        let mut cell = if order.is_le() { a } else { b }.with(field, parent);
        if order.is_eq() {
            cell.merge(b);
        }
        out.push(cell);
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    let rest = one[i..].iter().chain(&other[j..]);
    out.extend(rest.map(|cell| cell.with(field, parent)));
}
